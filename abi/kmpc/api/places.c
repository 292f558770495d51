#define _GNU_SOURCE
#include "abi/kmpc/affinity/places.h"
#include "abi/include/omp.h"
#include "abi/kmpc/team/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SOLO_EXPORT int omp_get_num_places(void) {
  return solo_kmp_places()->count;
}

static const kmpc_mask *place_at(int number) {
  const kmpc_places *list = solo_kmp_places();
  return number >= 0 && number < list->count ? &list->place[number] : NULL;
}

SOLO_EXPORT int omp_get_place_num_procs(int place_num) {
  const kmpc_mask *mask = place_at(place_num);
  return mask ? solo_kmp_mask_count(mask) : 0;
}

SOLO_EXPORT void omp_get_place_proc_ids(int place_num, int *ids) {
  const kmpc_mask *mask = place_at(place_num);
  for (int cpu = 0; mask && cpu < KMPC_CPUS; cpu++)
    if (solo_kmp_mask_has(mask, cpu)) *ids++ = cpu;
}

SOLO_EXPORT int omp_get_place_num(void) {
  return solo_kmp_self()->place;
}

static kmpc_partition partition(void) {
  kmpc_partition own = solo_kmp_self()->partition;
  return own.count ? own : (kmpc_partition){0, solo_kmp_places()->count};
}

SOLO_EXPORT int omp_get_partition_num_places(void) {
  return partition().count;
}

SOLO_EXPORT void omp_get_partition_place_nums(int *place_nums) {
  kmpc_partition own = partition();
  for (int i = 0; i < own.count; i++) place_nums[i] = own.first + i;
}

/* A format that the program has set. Never freed, because another thread may read it. */
typedef struct format_text {
  struct format_text *next;
  char text[];
} format_text;
static format_text *formats;
static solo_lock formats_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);

static const char *kept_text(const char *format) {
  format_text *at = formats;
  while (at && strcmp(at->text, format) != 0) at = at->next;
  if (at) return at->text;
  size_t bytes = strlen(format) + 1;
  at = malloc(sizeof *at + bytes);
  if (!at) return NULL;
  memcpy(at->text, format, bytes);
  at->next = formats;
  formats = at;
  return at->text;
}

SOLO_EXPORT void omp_set_affinity_format(const char *format) {
  solo_lock_acquire(&formats_lock);
  const char *text = kept_text(format);
  /* pairs with solo_kmp_affinity_format: the string is complete */
  if (text) solo_store_release(&solo_kmp_config()->affinity_format, text);
  solo_lock_release(&formats_lock);
}

SOLO_EXPORT size_t omp_get_affinity_format(char *buffer, size_t size) {
  const char *format = solo_kmp_affinity_format(solo_kmp_config());
  size_t length = strlen(format);
  if (size) {
    size_t n = length < size ? length : size - 1;
    memcpy(buffer, format, n);
    buffer[n] = 0;
  }
  return length;
}

SOLO_EXPORT size_t omp_capture_affinity(char *buffer, size_t size, const char *format) {
  return solo_kmp_affinity_text(buffer, size, format);
}

SOLO_EXPORT void omp_display_affinity(const char *format) {
  solo_kmp_affinity_show(format);
}

/* omp.h redirects these names to ompc_*. The aliases serve programs that do not include omp.h. */
#undef omp_set_affinity_format
#undef omp_get_affinity_format
#undef omp_display_affinity
#undef omp_capture_affinity
SOLO_EXPORT void omp_set_affinity_format(const char *format)
    __attribute__((alias("ompc_set_affinity_format")));
SOLO_EXPORT size_t omp_get_affinity_format(char *buffer, size_t size)
    __attribute__((alias("ompc_get_affinity_format")));
SOLO_EXPORT void omp_display_affinity(const char *format)
    __attribute__((alias("ompc_display_affinity")));
SOLO_EXPORT size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
    __attribute__((alias("ompc_capture_affinity")));

SOLO_EXPORT void kmp_create_affinity_mask(kmp_affinity_mask_t *mask) {
  *mask = calloc(1, sizeof(kmpc_mask));
}

SOLO_EXPORT void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask) {
  free(*mask);
  *mask = NULL;
}

SOLO_EXPORT int kmp_set_affinity(kmp_affinity_mask_t *mask) {
  return solo_kmp_mask_set(*mask) < 0 ? -1 : 0;
}

SOLO_EXPORT int kmp_get_affinity(kmp_affinity_mask_t *mask) {
  return solo_kmp_mask_get(*mask) < 0 ? -1 : 0;
}

SOLO_EXPORT int kmp_get_affinity_max_proc(void) {
  return KMPC_CPUS;
}

SOLO_EXPORT int kmp_set_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) {
  if (proc < 0 || proc >= KMPC_CPUS) return -1;
  solo_kmp_mask_add(*mask, proc);
  return 0;
}

SOLO_EXPORT int kmp_unset_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) {
  if (proc < 0 || proc >= KMPC_CPUS) return -1;
  solo_kmp_mask_remove(*mask, proc);
  return 0;
}

SOLO_EXPORT int kmp_get_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask) {
  if (proc < 0 || proc >= KMPC_CPUS) return -1;
  return solo_kmp_mask_has(*mask, proc);
}
