/* Description: checks that workers which wait for the primary thread do not stall it. After each
 * barrier, the workers wait in user code until the primary thread has stored a flag. All threads
 * share one processor. A worker that arrives last at a barrier begins the next phase, continues,
 * waits in vain, and sleeps: the program then progresses once in a time slice. After such stalls
 * the primary thread therefore begins the phases (team/barrier.c), and workers find the flag
 * stored. Also checks tasks and cancellation in these phases.
 * Env: OMP_CANCELLATION=true */
#define _GNU_SOURCE
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 2000, LOOKS = 500000, SLEEP_US = 10, TASKS = 8, TRIES = 8 };

static _Atomic int is_stored;
static int naps; /* rounds in which a worker sleeps */

static int rounds_in_user_code(void) {
  naps = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : naps)
  for (int i = 0; i < ROUNDS; i++) {
    if (omp_get_thread_num() == 0) {
      solo_store_relaxed(&is_stored, 1);
    } else {
      for (int looks = 0; looks < LOOKS && !solo_load_relaxed(&is_stored); looks++) continue;
      naps += !solo_load_relaxed(&is_stored);
      while (!solo_load_relaxed(&is_stored)) usleep(SLEEP_US);
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) solo_store_relaxed(&is_stored, 0);
#pragma omp barrier
  }
  return naps;
}

/* The primary thread calls this function. It then begins the phases after the next phase. */
static void begin_phases(void) {
  solo_kmp_self()->context.team->worker_team->primary_turns = 2;
}

static int wrong_cells(void) {
  int cell[THREADS] = {0}, ran = 0, wrong = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  for (int i = 1; i <= ROUNDS; i++) {
    if (omp_get_thread_num() == 0) begin_phases();
    cell[omp_get_thread_num()] = i;
    for (int k = 0; k < TASKS; k++) {
#pragma omp task shared(ran)
#pragma omp atomic
      ran++;
    }
#pragma omp barrier
    for (int k = 0; k < THREADS; k++) wrong += cell[k] != i;
    wrong += ran != i * THREADS * TASKS;
#pragma omp barrier
  }
  return wrong;
}

/* Returns the number of regions that ended. */
static int cancelled_regions(void) {
  int ended = 0;
  for (int i = 0; i < ROUNDS / 10; i++, ended++) {
#pragma omp parallel num_threads(THREADS)
    {
      if (omp_get_thread_num() == 0) begin_phases();
#pragma omp barrier
      if (omp_get_thread_num() == i % THREADS) {
#pragma omp cancel parallel
      }
#pragma omp barrier
    }
  }
  return ended;
}

int main(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) return perror("sched_setaffinity"), 1;
  int count = ROUNDS;
  for (int i = 0; i < TRIES && count > ROUNDS / 4; i++) count = rounds_in_user_code();
  int wrong = wrong_cells(), ended = cancelled_regions();
  if (getenv("STALL_VERBOSE"))
    printf("%d naps in %d rounds of %d workers\n", count, ROUNDS, THREADS - 1);
  if (count > ROUNDS / 4) return printf("workers slept %d times in %d rounds\n", count, ROUNDS), 1;
  if (wrong) return printf("%d wrong values after a barrier\n", wrong), 1;
  return ended != ROUNDS / 10;
}
