/* Description: checks that a woken worker leaves the processor of the primary thread if the team has
 * at most as many threads as processors. The kernel often places a woken thread on the processor of
 * the thread that wakes it, and balances the load 20 to 40 ms later.
 * Env: KMP_BLOCKTIME=0 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 40, NAP_US = 2000 };

static cpu_set_t all;

/* Moves the calling worker to a processor and restores its mask. */
static void move_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
  sched_setaffinity(0, sizeof all, &all);
}

/* Returns the number of regions in which the worker executes on the processor of the primary
 * thread. Before each region it slept there. */
static int shared_regions(void) {
  int stays = 0;
  for (int i = 0; i < ROUNDS; i++) {
    int cpu[2] = {-1, -1};
#pragma omp parallel num_threads(2)
    {
      int me = omp_get_thread_num();
      cpu[me] = sched_getcpu();
#pragma omp barrier
      if (me) move_to(cpu[0]);
    }
    stays += cpu[0] == cpu[1];
    usleep(NAP_US);
  }
  return stays;
}

int main(void) {
  if (sched_getaffinity(0, sizeof all, &all) != 0) return perror("sched_getaffinity"), 1;
  if (omp_get_num_procs() < 2) return puts("skipped: one processor"), 77;
  int shared = shared_regions();
  if (getenv("PLACEMENT_VERBOSE")) printf("%d of %d regions share a processor\n", shared, ROUNDS);
  if (shared > ROUNDS / 2) return printf("%d of %d regions share a processor\n", shared, ROUNDS), 1;
  return 0;
}
