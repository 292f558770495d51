/* How long do two threads of a team share one processor while another processor is free?
 *   shared_processor WORK PAUSE_US SECONDS     loop iterations per thread and region; sleep between regions
 * An episode is a sequence of regions in which both threads had the same processor. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 2, LINE = 64 };
static volatile double sink[THREADS][LINE];
static int processor[THREADS][LINE];

static void work(int thread, long iterations) {
  double x = 1;
  for (long i = 0; i < iterations; i++) x = x * 1.0000001 + 1e-9;
  sink[thread][0] = x;
}

int main(int argc, char **argv) {
  long iterations = argc > 1 ? atol(argv[1]) : 20000, regions = 0, slow = 0;
  useconds_t pause = argc > 2 ? (useconds_t)atol(argv[2]) : 0;
  double seconds = argc > 3 ? atof(argv[3]) : 3, start = omp_get_wtime();
  double least = 1, since = 0, longest = 0, total = 0;
  while (omp_get_wtime() - start < seconds) {
    double begin = omp_get_wtime();
#pragma omp parallel num_threads(THREADS)
    {
      int self = omp_get_thread_num();
      work(self, iterations);
      processor[self][0] = sched_getcpu();
    }
    double end = omp_get_wtime();
    if (end - begin < least) least = end - begin;
    regions++;
    slow += end - begin > 1.5 * least;
    if (processor[0][0] == processor[1][0]) {
      if (since == 0) since = begin;
      total += end - begin;
      if (end - since > longest) longest = end - since;
    } else {
      since = 0;
    }
    if (pause) usleep(pause);
  }
  printf("%8ld regions of %7.1f us, %5.1f %% slower than 1.5 times; shared: longest %7.1f ms, "
         "total %7.1f ms\n",
         regions, least * 1e6, 100.0 * (double)slow / (double)regions, longest * 1e3, total * 1e3);
  return 0;
}
