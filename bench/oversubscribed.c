/* Loops, barriers and regions with as many or more threads than processors. Called by oversubscribed.py.
 *   oversubscribed SHAPE THREADS REPETITIONS
 * held:    thread 0 executes a guided loop alone; the others spin, then sleep for 10 us at a time
 *          until the loop ends; two barriers follow
 * barrier: barriers with a short loop between them
 * region:  parallel regions of one dynamic loop
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITERATIONS = 64, LOOKS = 1000000, SLEEP_US = 10 };

static double cells[ITERATIONS];
static volatile int loop_has_ended;

/* Called by all threads of a team. A worksharing loop with nowait cannot stop a thread before its
 * first chunk, so the first iteration of the other threads waits. */
static void held(long repetitions) {
  const int me = omp_get_thread_num();
  for (long i = 0; i < repetitions; i++) {
    if (me != 0) {
      for (int looks = 0; looks < LOOKS && !loop_has_ended; looks++) continue;
      while (!loop_has_ended) usleep(SLEEP_US);
    }
#pragma omp for schedule(guided, 4) nowait
    for (int k = 0; k < ITERATIONS; k++) cells[k] += 1;
    if (me == 0) loop_has_ended = 1;
#pragma omp barrier
    if (me == 0) loop_has_ended = 0;
#pragma omp barrier
  }
}

static void barriers(long repetitions) {
  volatile double x = 1;
  for (long i = 0; i < repetitions; i++) {
    for (int k = 0; k < ITERATIONS; k++) x = x * 1.0000001;
#pragma omp barrier
  }
}

int main(int count, char **argument) {
  if (count != 4) return 2;
  const int threads = atoi(argument[2]);
  const long repetitions = atol(argument[3]);
  omp_set_num_threads(threads);
  if (!strcmp(argument[1], "held")) {
#pragma omp parallel
    held(repetitions);
  } else if (!strcmp(argument[1], "barrier")) {
#pragma omp parallel
    barriers(repetitions);
  } else if (!strcmp(argument[1], "region")) {
    for (long i = 0; i < repetitions; i++) {
#pragma omp parallel for schedule(dynamic, 4)
      for (int k = 0; k < ITERATIONS; k++) cells[k] += 1;
    }
  } else {
    return 2;
  }
  const double expected = !strcmp(argument[1], "barrier") ? 0 : (double)repetitions;
  for (int k = 0; k < ITERATIONS; k++)
    if (cells[k] != expected) return printf("cell %d: %g\n", k, cells[k]), 1;
  return 0;
}
