/* Measures the range index of the mapping table (runtime/table/index.h) for bench/mapping_index.sh.
 * Output: design, ranges, operation, ns per operation (median, lowest, highest of REPEATS). In a
 * "chain", each look-up depends on the previous one (latency). */
#include "runtime/base/atomic.h"
#include "runtime/table/index.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7, PROBES = 1 << 16 };
static const char *design;
static solo_index *table;
static uintptr_t *begins; /* in random order */
static size_t range_count;
static uintptr_t probes[PROBES];
static _Atomic int stop;
static _Atomic uint64_t sink;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 8;
}

/* Makes addresses like those of a heap: small gaps, rare large jumps. */
static void make_ranges(size_t n) {
  uint64_t state = 12345;
  uintptr_t at = 0x7f1200000000;
  range_count = n;
  begins = malloc((n + 1) * sizeof *begins);
  for (size_t i = 0; i <= n; i++) {
    begins[i] = at;
    at += 64 + (16u << next_random(&state) % 9) + next_random(&state) % 64 * 16;
    if (next_random(&state) % 1000 == 0) at += next_random(&state) % (1u << 30);
  }
  /* begins[n] is not shuffled */
  for (size_t i = n; i > 1; i--) {
    size_t j = next_random(&state) % i;
    uintptr_t t = begins[i - 1];
    begins[i - 1] = begins[j];
    begins[j] = t;
  }
  for (size_t i = 0; i < PROBES; i++)
    probes[i] = begins[next_random(&state) % n] + (next_random(&state) & 1 ? 0 : 8);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *what, double *ns) {
  qsort(ns, REPEATS, sizeof *ns, compare);
  printf("%-6s %8zu %-24s %8.1f %8.1f %8.1f\n", design, range_count, what, ns[REPEATS / 2], ns[0],
         ns[REPEATS - 1]);
  fflush(stdout);
}

static uint64_t find_all(size_t rounds) {
  uint64_t sum = 0;
  for (size_t r = 0; r < rounds; r++)
    for (size_t i = 0; i < PROBES; i++) sum += (uintptr_t)solo_index_find(table, probes[i]);
  return sum;
}

static uint64_t find_chain(void) {
  uint64_t found = 0;
  for (size_t i = 0; i < PROBES; i++) /* adds 0, because values are even */
    found = (uintptr_t)solo_index_find(table, probes[i] + (found & 1));
  return found;
}

static void *finder(void *out_ns) {
  double start = now_ns();
  solo_add_relaxed(&sink, find_all(4));
  *(double *)out_ns = (now_ns() - start) / (4.0 * PROBES);
  return NULL;
}

static void *changer(void *unused) {
  (void)unused;
  uint64_t state = 99;
  while (!solo_load_relaxed(&stop)) {
    /* in the gap behind a range */
    uintptr_t begin = begins[next_random(&state) % range_count] + 24;
    solo_index_range clash;
    if (solo_index_insert(table, begin, begin + 8, &stop, &clash) == SOLO_OK)
      solo_index_remove(table, begin);
    for (int i = 0; i < 2000; i++) solo_cpu_relax(); /* about the time of a launch */
  }
  return NULL;
}

static void threads_find(int readers, int writer, const char *what) {
  double ns[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    pthread_t threads[3];
    double each[2] = {0, 0};
    solo_store_relaxed(&stop, 0);
    if (writer) pthread_create(&threads[2], NULL, changer, NULL);
    for (int i = 0; i < readers; i++) pthread_create(&threads[i], NULL, finder, &each[i]);
    for (int i = 0; i < readers; i++) pthread_join(threads[i], NULL);
    solo_store_relaxed(&stop, 1);
    if (writer) pthread_join(threads[2], NULL);
    ns[k] = readers == 2 ? (each[0] + each[1]) / 2 : each[0];
  }
  report(what, ns);
}

static void single(void) {
  double ns[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    double start = now_ns();
    solo_add_relaxed(&sink, find_all(2));
    ns[k] = (now_ns() - start) / (2.0 * PROBES);
  }
  report("find", ns);
  for (int k = 0; k < REPEATS; k++) {
    double start = now_ns();
    solo_add_relaxed(&sink, find_chain());
    ns[k] = (now_ns() - start) / PROBES;
  }
  report("find, chain", ns);
}

static void in_and_out(void) {
  double ns[REPEATS];
  enum { TIMES = 200000 };
  for (int k = 0; k < REPEATS; k++) {
    uintptr_t begin = begins[(size_t)k * 7919 % range_count] + 24;
    double start = now_ns();
    for (int i = 0; i < TIMES; i++) {
      if (solo_index_insert(table, begin, begin + 8, &stop, NULL) != SOLO_OK) abort();
      solo_index_remove(table, begin);
    }
    ns[k] = (now_ns() - start) / TIMES;
  }
  report("insert+remove, one place", ns);
  for (int k = 0; k < REPEATS; k++) {
    size_t at = (size_t)k;
    double start = now_ns();
    for (int i = 0; i < TIMES / 4; i++) {
      at = (at + 7919) % range_count;
      uintptr_t begin = begins[at] + 24;
      if (solo_index_insert(table, begin, begin + 8, &stop, NULL) != SOLO_OK) abort();
      solo_index_remove(table, begin);
    }
    ns[k] = (now_ns() - start) / (TIMES / 4);
  }
  report("insert+remove, random", ns);
}

static void size(size_t n) {
  make_ranges(n);
  double build[REPEATS], clear[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    if (solo_index_create(&table) != SOLO_OK) abort();
    double start = now_ns();
    for (size_t i = 0; i < n; i++)
      if (solo_index_insert(table, begins[i], begins[i] + 16, (void *)begins[i], NULL)) abort();
    build[k] = (now_ns() - start) / (double)n;
    start = now_ns();
    if (k == REPEATS - 1) break; /* keeps the last table */
    for (size_t i = 0; i < n; i++) solo_index_remove(table, begins[n - 1 - i]);
    clear[k] = (now_ns() - start) / (double)n;
    solo_index_destroy(table);
  }
  clear[REPEATS - 1] = clear[0];
  report("insert, growing", build);
  report("remove, shrinking", clear);
  single();
  in_and_out();
  threads_find(1, 1, "find, with a writer");
  threads_find(2, 0, "find, 2 threads");
  threads_find(2, 1, "find, 2 threads + writer");
  solo_index_destroy(table);
  free(begins);
}

int main(int argc, char **argv) {
  design = strrchr(argv[0], '_') ? strrchr(argv[0], '_') + 1 : argv[0];
  size_t largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
  static const size_t sizes[] = {1, 10, 100, 1000, 100000, 1000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i] <= largest) size(sizes[i]);
  return 0;
}
