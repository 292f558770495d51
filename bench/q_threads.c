/* Host threads: fork and join, tasks and dynamic loops. */
#include "bench/bench.h"
#include "bench/fib.h"

static double cells[1024];

static void parallel_for(long n, long threads) {
#ifdef _OPENMP
  omp_set_num_threads((int)threads);
#endif
  (void)threads;
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(static)
    for (int j = 0; j < 1024; j++) cells[j] += 1.0;
    BENCH_KEEP(cells);
  }
}

/* Nested regions: four threads, usually on two processors. */
static void nested(long n, long threads) {
  int most = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(threads)
#pragma omp parallel num_threads(threads)
    {
      if (omp_get_thread_num() > threads) abort();
    }
  }
  omp_set_max_active_levels(most);
}

static void tasks(long n, long unused) {
  (void)unused;
#ifdef _OPENMP
  omp_set_num_threads(2);
#endif
  for (long i = 0; i < n; i++) run_fib();
}

static void dynamic_loop(long n, long count) {
#ifdef _OPENMP
  omp_set_num_threads(2);
#endif
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(dynamic, 1)
    for (long j = 0; j < count; j++) cells[j & 1023] += 1.0;
    BENCH_KEEP(cells);
  }
}

static double sum;

static void reduce(long n, long elements) {
#ifdef _OPENMP
  omp_set_num_threads(2);
#endif
  for (long i = 0; i < n; i++) {
    if (elements == 1) {
#pragma omp parallel reduction(+ : sum)
      sum += 1;
    } else {
#pragma omp parallel reduction(+ : cells)
      cells[i & 1023] += 1;
    }
  }
  BENCH_KEEP(cells);
}

static const bench_case cases[] = {
    {.name = "threads/parallel_1", .loop = parallel_for, .argument = 1},
    {.name = "threads/parallel_2", .loop = parallel_for, .argument = 2},
    {.name = "threads/parallel_4", .loop = parallel_for, .argument = 4},
    {.name = "threads/parallel_8", .loop = parallel_for, .argument = 8},
    {.name = "threads/nested_2x2", .loop = nested, .argument = 2},
    {.name = "threads/task", .loop = tasks, .scale = 1. / FIB_TASKS},
    {.name = "threads/dynamic_1", .loop = dynamic_loop, .argument = 1000, .scale = 1. / 1000},
    {.name = "threads/reduce_1", .loop = reduce, .argument = 1},
    {.name = "threads/reduce_1024", .loop = reduce, .argument = 1024},
};

int main(int argc, char **argv) {
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
