/* Host threads in objects of GCC: the same object (build.sh) with solo, libgomp and libomp. Each
 * loop uses two threads. */
#include "bench/bench.h"
#include "bench/fib.h"

/* Many iterations per operation, so that the cost of the parallel region is small. */
enum { THREADS = 2, ITERATIONS = 1000 };

static long counter;

static void fork_join(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(THREADS)
    BENCH_KEEP(n);
  }
}

static void barrier(long n, long unused) {
  (void)unused;
#pragma omp parallel num_threads(THREADS)
  for (long i = 0; i < n * ITERATIONS; i++) {
#pragma omp barrier
  }
}

static void dynamic_loop(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(THREADS)
    for (int k = 0; k < ITERATIONS; k++) BENCH_KEEP(k);
  }
}

static void critical(long n, long threads) {
#pragma omp parallel num_threads(threads)
  for (long i = 0; i < n * ITERATIONS; i++) {
#pragma omp critical
    counter++;
  }
}

static void create_tasks(long n, long unused) {
  (void)unused;
  for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int k = 0; k < ITERATIONS; k++) {
#pragma omp task
      BENCH_KEEP(k);
    }
  }
}

static void wait_for_tasks(long n, long unused) {
  (void)unused;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  for (long i = 0; i < n * ITERATIONS; i++) {
#pragma omp task
    BENCH_KEEP(i);
#pragma omp taskwait
  }
}

static void recursive_tasks(long n, long unused) {
  (void)unused;
  omp_set_num_threads(THREADS);
  for (long i = 0; i < n; i++) run_fib();
}

static const bench_case cases[] = {
    {.name = "gomp/fork_join", .loop = fork_join},
    {.name = "gomp/barrier", .loop = barrier, .scale = 1. / ITERATIONS},
    {.name = "gomp/dynamic", .loop = dynamic_loop, .scale = 1. / ITERATIONS},
    {.name = "gomp/critical_1", .loop = critical, .argument = 1, .scale = 1. / ITERATIONS},
    {.name = "gomp/critical_2", .loop = critical, .argument = THREADS, .scale = 1. / ITERATIONS},
    {.name = "gomp/task_list", .loop = create_tasks, .scale = 1. / ITERATIONS},
    {.name = "gomp/taskwait", .loop = wait_for_tasks, .scale = 1. / ITERATIONS},
    {.name = "gomp/task_tree", .loop = recursive_tasks, .scale = 1. / FIB_TASKS},
};

int main(int argc, char **argv) {
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}
