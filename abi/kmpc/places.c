/* Reads OMP_PLACES: threads, cores, sockets (with a count) or a list of places. */
#define _GNU_SOURCE
#include "abi/kmpc/places.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static kmpc_places places;
static _Atomic int32_t places_ready;
static solo_lock places_lock = SOLO_LOCK_INIT; /* guards the one reading */

int solo_kmp_mask_get(kmpc_mask *mask) {
  memset(mask, 0, sizeof *mask);
  return sched_getaffinity(0, sizeof *mask, (cpu_set_t *)(void *)mask);
}

int solo_kmp_mask_set(const kmpc_mask *mask) {
  return sched_setaffinity(0, sizeof *mask, (const cpu_set_t *)(const void *)mask);
}

int solo_kmp_mask_count(const kmpc_mask *mask) {
  int count = 0;
  for (size_t i = 0; i < KMPC_CPUS / 64; i++) count += __builtin_popcountll(mask->bits[i]);
  return count;
}

size_t solo_kmp_mask_text(const kmpc_mask *mask, char *text, size_t room) {
  size_t used = 0;
  if (room) *text = 0;
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++) {
    if (!solo_kmp_mask_has(mask, cpu)) continue;
    int end = cpu;
    while (solo_kmp_mask_has(mask, end + 1)) end++;
    char part[32];
    int n = end > cpu ? snprintf(part, sizeof part, "%s%d-%d", used ? "," : "", cpu, end)
                      : snprintf(part, sizeof part, "%s%d", used ? "," : "", cpu);
    if (used + (size_t)n < room) memcpy(text + used, part, (size_t)n + 1);
    used += (size_t)n;
    cpu = end;
  }
  return used;
}

static int add(const kmpc_mask *mask) {
  kmpc_mask usable;
  for (size_t i = 0; i < KMPC_CPUS / 64; i++) usable.bits[i] = mask->bits[i] & places.all.bits[i];
  if (!solo_kmp_mask_count(&usable)) return 1; /* nothing of it is ours: no place */
  kmpc_mask *longer = realloc(places.place, (size_t)(places.count + 1) * sizeof *longer);
  if (!longer) return 0;
  places.place = longer;
  places.place[places.count++] = usable;
  return 1;
}

/* --- threads, cores, sockets -------------------------------------------------------------------*/

static int topology(int cpu, const char *what) {
  char path[96];
  char text[16] = "";
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
  int file = open(path, O_RDONLY | O_CLOEXEC); /* stdio's scanning adds 12 KB to static programs */
  if (file < 0) return -1;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  return got > 0 ? (int)strtol(text, NULL, 10) : -1;
}

enum { BY_THREAD, BY_CORE, BY_SOCKET };

static int same(int a, int b, int by) {
  if (by == BY_THREAD) return a == b;
  if (topology(a, "physical_package_id") != topology(b, "physical_package_id")) return 0;
  return by == BY_SOCKET || topology(a, "core_id") == topology(b, "core_id");
}

static void group(int by, int most) {
  kmpc_mask left = places.all;
  for (int cpu = 0; cpu < KMPC_CPUS && places.count < most; cpu++) {
    if (!solo_kmp_mask_has(&left, cpu)) continue;
    kmpc_mask mask = {0};
    for (int other = cpu; other < KMPC_CPUS; other++) {
      if (!solo_kmp_mask_has(&left, other) || (other != cpu && !same(cpu, other, by))) continue;
      solo_kmp_mask_add(&mask, other);
      left.bits[other / 64] &= ~((uint64_t)1 << other % 64);
      if (by == BY_THREAD) break;
    }
    add(&mask);
  }
}

static const char *skip(const char *text) {
  while (*text == ' ') text++;
  return text;
}

static int number(const char **text, long *out) {
  char *end;
  *out = strtol(skip(*text), &end, 10);
  if (end == *text) return 0;
  *text = skip(end);
  return 1;
}

static int read_word(const char *text) {
  static const struct {
    const char *word;
    int by;
  } words[] = {{"threads", BY_THREAD},
               {"cores", BY_CORE},
               {"ll_caches", BY_SOCKET},
               {"numa_domains", BY_SOCKET},
               {"sockets", BY_SOCKET}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i].word);
    if (strncasecmp(text, words[i].word, n) != 0) continue;
    long most = KMPC_CPUS;
    text += n;
    if (*text == '(') {
      text++;
      if (!number(&text, &most) || *text++ != ')') return 0;
    }
    if (*skip(text) || most <= 0) return 0;
    group(words[i].by, most < KMPC_CPUS ? (int)most : KMPC_CPUS);
    return 1;
  }
  return 0;
}

/* --- explicit lists: place[:count[:stride]], ...; place = {first[:count[:stride]], ...}
 * ---------*/

/* [:count[:stride]] behind a number or a place */
static int repeat(const char **text, long *count, long *stride) {
  *count = 1, *stride = 1;
  if (**text != ':') return 1;
  ++*text;
  if (!number(text, count) || *count < 1 || *count > KMPC_CPUS) return 0;
  if (**text != ':') return 1;
  ++*text;
  return number(text, stride);
}

static int read_place(const char **text, kmpc_mask *mask) {
  if (**text != '{') return 0;
  do {
    ++*text;
    long first, count, stride;
    *text = skip(*text);
    if (!number(text, &first) || !repeat(text, &count, &stride)) return 0;
    for (long i = 0; i < count; i++) solo_kmp_mask_add(mask, (int)(first + i * stride));
  } while (**text == ',');
  if (**text != '}') return 0;
  *text = skip(*text + 1);
  return 1;
}

static void shifted(const kmpc_mask *from, long by, kmpc_mask *to) {
  memset(to, 0, sizeof *to);
  for (int cpu = 0; cpu < KMPC_CPUS; cpu++)
    if (solo_kmp_mask_has(from, cpu)) solo_kmp_mask_add(to, (int)(cpu + by));
}

static int read_list(const char *text) {
  for (;;) {
    kmpc_mask mask = {0}, moved;
    long count, stride;
    text = skip(text);
    if (!read_place(&text, &mask) || !repeat(&text, &count, &stride)) return 0;
    for (long i = 0; i < count; i++) {
      shifted(&mask, i * stride, &moved);
      if (!add(&moved)) return 0;
    }
    if (*text != ',') return !*text;
    text++;
  }
}

static void read_places(void) {
  const char *text = solo_kmp_config()->places;
  if (solo_kmp_mask_get(&places.all) < 0) solo_kmp_mask_add(&places.all, 0);
  if (text && !read_word(skip(text)) && !read_list(text)) {
    solo_kmp_warn("OMP_PLACES=\"%s\" is not understood (threads, cores, sockets or {..},..); cores "
                  "are used",
                  text);
    places.count = 0;
  }
  if (places.count == 0) group(BY_CORE, KMPC_CPUS);
}

const kmpc_places *solo_kmp_places(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&places_ready))) { /* pairs with the release below */
    solo_lock_acquire(&places_lock);
    if (!solo_load_relaxed(&places_ready)) { /* the lock orders it */
      read_places();
      solo_store_release(&places_ready, 1); /* pairs with the acquire above */
    }
    solo_lock_release(&places_lock);
  }
  return &places;
}
