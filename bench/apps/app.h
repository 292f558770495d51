/* The harness of a benchmark application: time, check, memory. */
#ifndef SOLO_BENCH_APP_H
#define SOLO_BENCH_APP_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double app_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int app_is_quick(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--only")) exit(0);
  return argc > 1 && !strcmp(argv[1], "--quick");
}

/* Ends the program with status 1 if |found - right| is too large. */
static inline void app_check(const char *what, double found, double right, double allowed) {
  if (fabs(found - right) <= allowed * (fabs(right) > 1 ? fabs(right) : 1)) return;
  fprintf(stderr, "wrong result: %s: %.17g, expected %.17g\n", what, found, right);
  exit(1);
}

static inline void *app_allocate(size_t count, size_t size) {
  void *p = aligned_alloc(64, (count * size + 63) / 64 * 64);
  if (!p) exit(1);
  memset(p, 0, count * size);
  return p;
}

#endif
