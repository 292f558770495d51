/* Measures a cache line transfer and constructs of scale.c on two real processors, for comparison
 * with the model (real.sh).
 *
 *   real tree|flat     with or without trees, prints ns of a transfer, fork and join, a barrier (minima)
 */
#define _GNU_SOURCE
#include "abi/kmpc/env/icv.h"
#include "bench/bench.h"
#include "runtime/base/atomic.h"

#include <pthread.h>
#include <sched.h>

enum { ROUNDS = 300, EACH = 20, THREADS = 2, PATIENCE = 2000 };

static SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint32_t ball;

static cpu_set_t may;

static void pin(int which) {
  cpu_set_t want;
  CPU_ZERO(&want);
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &may) && which-- == 0) CPU_SET(i, &want);
  sched_setaffinity(0, sizeof want, &want);
}

static void await(uint32_t value) {
  for (int i = 1; solo_load_acquire(&ball) != value; i++) { /* pairs with send */
    solo_cpu_relax();
    if (i % PATIENCE == 0) sched_yield(); /* in case the machine is busy */
  }
}

static void send(uint32_t value) {
  solo_store_release(&ball, value); /* pairs with await */
}

static void *answer(void *unused) {
  pin(1);
  for (uint32_t i = 0; i < ROUNDS * EACH; i++) {
    await(2 * i + 1);
    send(2 * i + 2);
  }
  return unused;
}

/* A round trip is two signals of two transfers each: the writer's upgrade and the reader's copy. */
static double transfer_ns(void) {
  pthread_t other;
  double best = 1e9;
  if (pthread_create(&other, NULL, answer, NULL) != 0) exit(1);
  for (uint32_t i = 0, round = 0; round < ROUNDS; round++) {
    double start = bench_now_ns();
    for (int k = 0; k < EACH; k++, i++) {
      send(2 * i + 1);
      await(2 * i + 2);
    }
    double took = (bench_now_ns() - start) / EACH / 4;
    if (took < best) best = took;
  }
  pthread_join(other, NULL);
  return best;
}

static double fork_join_ns(void) {
  double best = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    double start = bench_now_ns();
    for (int i = 0; i < EACH; i++) {
#pragma omp parallel num_threads(THREADS)
      __asm__ volatile("");
    }
    double took = (bench_now_ns() - start) / EACH;
    if (took < best) best = took;
  }
  return best;
}

static double barrier_ns(void) {
  double best = 1e9;
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp barrier
    double start = bench_now_ns();
    for (int i = 0; i < EACH; i++) {
#pragma omp barrier
    }
    double took = (bench_now_ns() - start) / EACH;
#pragma omp masked
    if (took < best) best = took;
  }
  return best;
}

int main(int argc, char **argv) {
  sched_getaffinity(0, sizeof may, &may);
  pin(0);
  double transfer = transfer_ns();
  sched_setaffinity(0, sizeof may, &may);
  if (argc > 1 && !strcmp(argv[1], "tree")) solo_kmp_config()->tree_above = 1;
  double fork_join = fork_join_ns(), barrier = barrier_ns();
  printf("%.1f %.1f %.1f\n", transfer, fork_join, barrier);
  return 0;
}
