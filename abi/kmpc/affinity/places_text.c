/* Parses OMP_PLACES (OpenMP 5.2, 21.1.6).
 *
 *   word[(most)]                           threads, cores, ll_caches, numa_domains, sockets
 *   place[:count[:stride]] | !place, ...   place: {numbers} or one number
 *   first[:count[:stride]] | !number, ...  numbers of processors
 *
 * "!" removes a number from its place, or all equal places from the list.
 */
#include "abi/kmpc/affinity/places_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PLACES_MAX = 1 << 16 }; /* limits the memory of a list: a place needs 512 bytes */

static const char *skip(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

static int accept_mark(const char **text, char mark) {
  if (**text != mark) return 0;
  *text = skip(*text + 1);
  return 1;
}

static int number(const char **text, long least, long most, long *out) {
  char *end;
  *out = strtol(*text, &end, 10);
  if (end == *text || *out < least || *out > most) return 0;
  *text = skip(end);
  return 1;
}

static int repeat(const char **text, long *count, long *stride) {
  *count = 1, *stride = 1;
  if (!accept_mark(text, ':')) return 1;
  if (!number(text, 1, KMPC_CPUS, count)) return 0;
  return !accept_mark(text, ':') || number(text, -KMPC_CPUS, KMPC_CPUS, stride);
}

int solo_kmp_places_word(const char *text, kmpc_unit *out_unit, int32_t *out_most) {
  static const struct {
    const char *word;
    kmpc_unit unit;
  } words[] = {{"threads", KMPC_UNIT_THREAD},
               {"cores", KMPC_UNIT_CORE},
               {"ll_caches", KMPC_UNIT_CACHE},
               {"numa_domains", KMPC_UNIT_NUMA},
               {"sockets", KMPC_UNIT_SOCKET}};
  text = skip(text);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i].word);
    if (strncasecmp(text, words[i].word, n) != 0) continue;
    long most = KMPC_CPUS;
    text = skip(text + n);
    if (accept_mark(&text, '(') &&
        (!number(&text, 1, INT32_MAX, &most) || !accept_mark(&text, ')')))
      return 0;
    if (*text) return 0;
    *out_unit = words[i].unit;
    *out_most = most < KMPC_CPUS ? (int32_t)most : KMPC_CPUS;
    return 1;
  }
  return 0;
}

static int read_numbers(const char **text, kmpc_mask *mask) {
  long first, count, stride;
  if (accept_mark(text, '!')) {
    if (!number(text, 0, KMPC_CPUS - 1, &first)) return 0;
    solo_kmp_mask_remove(mask, (int)first);
    return 1;
  }
  if (!number(text, 0, KMPC_CPUS - 1, &first) || !repeat(text, &count, &stride)) return 0;
  for (long i = 0; i < count; i++) {
    long cpu = first + i * stride;
    if (cpu < 0 || cpu >= KMPC_CPUS) return 0;
    solo_kmp_mask_add(mask, (int)cpu);
  }
  return 1;
}

static int read_place(const char **text, kmpc_mask *mask) {
  long cpu;
  memset(mask, 0, sizeof *mask);
  if (!accept_mark(text, '{')) {
    if (!number(text, 0, KMPC_CPUS - 1, &cpu)) return 0;
    solo_kmp_mask_add(mask, (int)cpu);
    return 1;
  }
  do {
    if (!read_numbers(text, mask)) return 0;
  } while (accept_mark(text, ','));
  return accept_mark(text, '}');
}

static int shifted(const kmpc_mask *from, long by, kmpc_mask *to) {
  memset(to, 0, sizeof *to);
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
    if (!solo_kmp_mask_has(from, cpu)) continue;
    if (cpu + by < 0 || cpu + by >= KMPC_CPUS) return 0;
    solo_kmp_mask_add(to, (int)(cpu + by));
  }
  return 1;
}

static kmpc_mask *append(kmpc_place_list *list) {
  if (list->count == list->capacity) {
    int32_t capacity = list->capacity ? 2 * list->capacity : 16;
    if (capacity > PLACES_MAX) return NULL;
    kmpc_mask *longer = realloc(list->place, (size_t)capacity * sizeof *longer);
    if (!longer) return NULL;
    list->place = longer;
    list->capacity = capacity;
  }
  return &list->place[list->count++];
}

static void exclude(kmpc_place_list *list, const kmpc_mask *mask) {
  int32_t kept = 0;
  for (int32_t i = 0; i < list->count; i++)
    if (memcmp(&list->place[i], mask, sizeof *mask) != 0) list->place[kept++] = list->place[i];
  list->count = kept;
}

int solo_kmp_places_list(const char *text, kmpc_place_list *out_list) {
  text = skip(text);
  do {
    kmpc_mask mask;
    long count, stride;
    if (accept_mark(&text, '!')) {
      if (!read_place(&text, &mask)) return 0;
      exclude(out_list, &mask);
      continue;
    }
    if (!read_place(&text, &mask) || !repeat(&text, &count, &stride)) return 0;
    for (long i = 0; i < count; i++) {
      kmpc_mask *place = append(out_list);
      if (!place || !shifted(&mask, i * stride, place)) return 0;
    }
  } while (accept_mark(&text, ','));
  return !*text;
}
