/* Host threads on many processors: fork and join, barriers, reductions, dynamic loops and tasks
 * with 2, 4, 8 ... threads, up to the number of processors. */
#define _GNU_SOURCE
#include "bench/bench.h"
#include "bench/fib.h"

#include <omp.h>
#include <sched.h>

enum { MOST = 512, BARRIERS = 100, CHUNKS = 1000 };

static double cells[1024], sum;

static void fork_join(long n, long threads) {
  omp_set_num_threads((int)threads);
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(static)
    for (int j = 0; j < 1024; j++) cells[j] += 1.0;
    BENCH_KEEP(cells);
  }
}

static void barriers(long n, long threads) {
  omp_set_num_threads((int)threads);
  for (long i = 0; i < n; i++) {
#pragma omp parallel
    for (int k = 0; k < BARRIERS; k++) {
#pragma omp barrier
    }
  }
}

static void reduce(long n, long threads) {
  omp_set_num_threads((int)threads);
  for (long i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : sum)
    sum += 1;
  }
}

static void chunks(long n, long threads) {
  omp_set_num_threads((int)threads);
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(dynamic, 1)
    for (long j = 0; j < CHUNKS; j++) cells[j & 1023] += 1.0;
    BENCH_KEEP(cells);
  }
}

static void tasks(long n, long threads) {
  omp_set_num_threads((int)threads);
  for (long i = 0; i < n; i++) run_fib();
}

static const bench_case kinds[] = {
    {.name = "fork_join", .loop = fork_join},
    {.name = "barrier", .loop = barriers, .scale = 1. / BARRIERS},
    {.name = "reduce", .loop = reduce},
    {.name = "dynamic_1", .loop = chunks, .scale = 1. / CHUNKS},
    {.name = "task", .loop = tasks, .scale = 1. / FIB_TASKS},
};

int main(int argc, char **argv) {
  enum { KINDS = sizeof kinds / sizeof *kinds, SIZES = 9 };
  static bench_case cases[KINDS * SIZES];
  static char names[KINDS * SIZES][32];
  int count = 0;
  cpu_set_t mine;
  int processors = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
  for (int kind = 0; kind < KINDS; kind++)
    for (int threads = 2; threads <= processors && threads <= MOST; threads *= 2, count++) {
      cases[count] = kinds[kind];
      cases[count].argument = threads;
      snprintf(names[count], sizeof *names, "many/%s_%d", kinds[kind].name, threads);
      cases[count].name = names[count];
    }
  return bench_cases(argc, argv, cases, (size_t)count);
}
