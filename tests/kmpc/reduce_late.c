/* Description: checks that a tree reduction adds each part once and never waits for a late thread.
 * Calls abi/kmpc/team/reduce_tree.c directly.
 * Env: KMP_BLOCKTIME=1 */
#include "abi/kmpc/team/worker_team.h"
#include "tests/unit/test.h"
#include <omp.h>

static _Atomic long total;
static _Atomic int flag;

static void combine(void *left, void *right) {
  long **into = left, **from = right;
  *into[0] += *from[0];
  *from[0] = 1L << 40; /* makes the sum wrong if the same part is added a second time */
}

static int reduce(long mine, int punctual) {
  long part = mine;
  long *list[2 * KMPC_REDUCTION_LIST] = {&part};
  /* the runtime copies a list of one variable, but not a list of several variables */
  size_t bytes = mine % 2 ? sizeof list[0] : sizeof list;
  kmpc_thread *self = &solo_kmp_thread_record;
  int is_team = self->context.team->worker_team != NULL;
  const kmpc_part own = {list, bytes, combine};
  if (is_team && solo_kmp_reduce_tree(self, &own, punctual)) return 1;
  total += part;
  return 0;
}

static void spend_time(unsigned *seed, unsigned most) {
  *seed = *seed * 1664525 + 1013904223;
  for (volatile unsigned i = *seed >> 8 & (most - 1); i; i--) continue;
}

static void at_any_time(int threads, int punctual) {
  enum { ROUNDS = 800 };
  for (int region = 0; region < 4; region++) {
    /* threads outside the smaller team have stamps of an older region */
    int size = region & 1 ? threads : threads / 2 + 1;
    total = 0;
#pragma omp parallel num_threads(size)
    {
      unsigned seed = (unsigned)(omp_get_thread_num() * 77 + region);
      for (int i = 0; i < ROUNDS / threads; i++) {
        spend_time(&seed, i % 16 ? 64 : 1 << 14);
        reduce(i + omp_get_thread_num(), punctual);
      }
    }
    long each = ROUNDS / threads, right = size * (each * (each - 1) / 2);
    right += each * (size * (size - 1) / 2);
    CHECK_INT(total, right);
  }
}

/* One thread arrives after the other threads have passed the reduction. If the other threads
 * waited, the region would deadlock. */
static void check_late_thread(int threads, int who) {
  total = 0;
  flag = 0;
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == who)
      while (flag < threads - 1) solo_cpu_relax();
    reduce(1, 1);
    flag++;
  }
  CHECK_INT(total, threads);
}

/* If all threads are punctual, the tree combines all parts, and one thread adds the result to the
 * variable. */
static void is_a_tree(int threads) {
  int best = threads, rounds = threads <= omp_get_num_procs() ? 2000 : 100;
  for (int k = 0; k < rounds && best > 1; k++) {
    int adders = 0;
    total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : adders)
    {
#pragma omp barrier
      adders += !reduce(1, 1);
    }
    CHECK(total == threads);
    if (adders < best) best = adders;
  }
  if (threads <= omp_get_num_procs()) CHECK_INT(best, 1);
}

int main(void) {
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  at_any_time(threads, 1);
  at_any_time(threads, 0);
  check_late_thread(threads, 0);
  check_late_thread(threads, threads - 1);
  is_a_tree(threads);
  return TEST_RESULT();
}
