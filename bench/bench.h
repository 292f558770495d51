/* The harness of a question program (bench/q_*.c). Each case prints a line "NAME UNIT VALUE VALUE
 * ..." for solo-bench, with one value per batch in ns per operation. Without OpenMP (contestant
 * `limit`), only the work remains.
 *
 *   q_x [--quick] [--only NAME]     measures all cases, or those with the prefix NAME
 *   q_x --ops N --only NAME         runs N operations of one case (--count)
 *   q_x --more --only NAME          prints the cost of one additional operation (mini.py)
 */
#ifndef SOLO_BENCH_H
#define SOLO_BENCH_H

#include "bench/quantiles.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef void (*bench_loop)(long n, long argument);

typedef struct bench_case {
  const char *name;
  bench_loop loop;
  long argument;
  void (*before)(long argument); /* optional; not timed */
  void (*after)(long argument);
  double scale; /* factor of the printed value; 0: 1 */
  double batch; /* factor of the batch length; 0: 1 */
  enum { BENCH_IN_QUICK, BENCH_FULL_ONLY } when;
} bench_case;

static double bench_clock_cost; /* ns of one clock reading */

static inline double bench_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline void bench_calibrate(void) {
  enum { READINGS = 301 };
  static double gap[READINGS];
  for (int i = 0; i < READINGS; i++) {
    double start = bench_now_ns();
    gap[i] = bench_now_ns() - start;
  }
  qsort(gap, READINGS, sizeof gap[0], bench_compare);
  bench_clock_cost = gap[READINGS / 2];
}

static inline double bench_time(const bench_case *it, long n) {
  double start = bench_now_ns();
  it->loop(n, it->argument);
  double took = bench_now_ns() - start - bench_clock_cost;
  return took > 0 ? took : 0;
}

/* A batch takes at least least_ns. */
static inline void bench_measure(const bench_case *it, int batches, double least_ns) {
  double scale = it->scale > 0 ? it->scale : 1;
  long n = 1;
  if (it->before) it->before(it->argument);
  double took = bench_time(it, 1); /* warm-up */
  while ((took = bench_time(it, n)) < least_ns && n < 1 << 24)
    n = took * 8 < least_ns ? n * 8 : n * 2;
  printf("%s ns", it->name);
  double budget = batches * least_ns * 20; /* limits the time of a slow contestant */
  for (int i = 0; i < batches && (i < 3 || budget > 0); i++) {
    took = bench_time(it, n);
    budget -= took;
    printf(" %.4g", took * scale / (double)n);
  }
  printf("\n");
  if (it->after) it->after(it->argument);
  fflush(stdout);
}

/* Prints the cost of one additional operation. The set-up cost of a call varies (page faults), so
 * the operations take at least TIMES as long. */
static inline void bench_one_more(const bench_case *it) {
  enum { LEAST_NS = 10000000, TIMES = 4 };
  long n = 1;
  double once, many;
  do {
    n *= 2;
    once = bench_time(it, 1);
    many = bench_time(it, n + 1);
  } while ((many < LEAST_NS || many < TIMES * once) && n < 1 << 24);
  printf("%s ns %.4g\n", it->name, (many - once) / (double)n);
}

static inline void bench_distribution(const bench_case *it, int operations) {
  double *each = malloc((size_t)operations * sizeof *each);
  if (!each) return;
  if (it->before) it->before(it->argument);
  for (int i = 0; i < operations / 10; i++) it->loop(1, it->argument);
  for (int i = 0; i < operations; i++) each[i] = bench_time(it, 1);
  if (it->after) it->after(it->argument);
  qsort(each, (size_t)operations, sizeof *each, bench_compare);
  printf("%s.p50 ns %.4g\n", it->name, each[operations / 2]);
  printf("%s.p99 ns %.4g\n", it->name, each[(long)operations * 99 / 100]);
  printf("%s.p99.9 ns %.4g\n", it->name, each[(long)operations * 999 / 1000]);
  printf("%s quantiles", it->name);
  for (int q = 0; q < BENCH_QUANTILES; q++)
    printf(" %.4g", each[(long)(operations * bench_fraction[q])]);
  printf("\n");
  free(each);
}

typedef struct bench_options {
  int quick;
  int more;
  long ops; /* > 0: untimed operations of one case */
  const char *only;
} bench_options;

static inline bench_options bench_read_options(int argc, char **argv) {
  bench_options o = {0, 0, 0, ""};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick")) o.quick = 1;
    if (!strcmp(argv[i], "--more")) o.more = 1;
    if (!strcmp(argv[i], "--only") && i + 1 < argc) o.only = argv[++i];
    if (!strcmp(argv[i], "--ops") && i + 1 < argc) o.ops = atol(argv[++i]);
  }
  return o;
}

static inline int bench_cases(int argc, char **argv, const bench_case *cases, size_t count) {
  bench_options o = bench_read_options(argc, argv);
  /* not with --ops: the number of instructions of this call varies */
  if (o.ops == 0) bench_calibrate();
  for (size_t i = 0; i < count; i++) {
    const bench_case *it = &cases[i];
    if (strncmp(it->name, o.only, strlen(o.only)) != 0) continue;
    if (o.ops > 0) {
      if (it->before) it->before(it->argument);
      it->loop(o.ops, it->argument);
      return 0;
    }
    if (o.more) {
      bench_one_more(it);
      return 0;
    }
    if (o.quick && it->when == BENCH_FULL_ONLY) continue;
    bench_measure(it, o.quick ? 20 : 60, (o.quick ? 2e4 : 1e5) * (it->batch > 0 ? it->batch : 1));
  }
  return 0;
}

/* Makes the compiler keep a value and the work before it. */
#define BENCH_KEEP(x) __asm__ volatile("" : : "r"(x) : "memory")

#endif
