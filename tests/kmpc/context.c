/* Description: checks levels, team sizes and results in a target region on the host. In small
 * regions, the primary thread executes the part of a worker that has not started in time.
 * Env: SOLO_HOST_THREADS=exact */
#include "abi/kmpc/team/worker_team.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"
#include "tests/unit/test.h"
#include <omp.h>

static int parts[64], wrong;

/* Not inlined, because Clang reuses the result of an omp_get_...() call within one function. */
static __attribute__((noinline)) int is_inside(int threads) {
  return omp_get_level() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel() &&
         omp_get_max_threads() == threads;
}

static __attribute__((noinline)) int is_outside(void) {
  return omp_get_level() == 1 && omp_get_num_threads() == 2;
}

static void region(void) {
  int n = 0;
  memset(parts, 0, sizeof parts);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
#pragma omp atomic
    parts[me]++;
    if (solo_host_threads.device() != 3 || omp_get_level() != 1) {
#pragma omp atomic
      wrong++;
    }
    if (me == 0) n = omp_get_num_threads();
  }
  for (int i = 0; i < 64; i++) wrong += parts[i] != (i < n);
}

static long loops(void) {
  long sum = 0, singles = 0, ordered = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 100; i++) sum += i;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 100; i++) sum += i;
#pragma omp single nowait
    {
#pragma omp atomic
      singles++;
    }
#pragma omp for ordered schedule(dynamic) nowait
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
      ordered = ordered * 3 % 1000 + i;
    }
  }
  long want = 0;
  for (int i = 0; i < 20; i++) want = want * 3 % 1000 + i;
  wrong += singles != 1 || ordered != want;
  return sum;
}

static long phases(void) {
  long sum = 0, seen = 0;
#pragma omp parallel
  {
#pragma omp atomic
    sum++;
#pragma omp barrier
#pragma omp single
    seen = sum;
#pragma omp atomic
    sum++;
  }
  return 2 * seen - sum;
}

static void linger(long rounds) {
  for (volatile long i = 0; i < rounds; i++) {
  }
}

/* Tasks refer to their generating implicit task also after the end of the implicit task. */
static void children(void) {
  long ran = 0, threads = 0;
#pragma omp parallel shared(ran, threads)
  {
    int x = 0;
#pragma omp atomic
    threads++;
    for (int i = 0; i < 4; i++) {
#pragma omp task shared(ran)
      {
#pragma omp task shared(ran)
        {
          linger(50);
#pragma omp atomic
          ran++;
        }
      }
    }
    if (omp_get_thread_num() % 2) {
#pragma omp task shared(x)
      x = 1;
#pragma omp taskwait
      if (x != 1) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  wrong += ran != 4 * threads;
}

/* Advances the sequence number of regions by 2^31. The next target region must still execute each
 * part once. */
static void many_regions_later(void) {
  kmpc_worker_team *worker_team = solo_kmp_thread_record.worker_team;
  if (!worker_team) return;
  uint64_t sequence = solo_load_relaxed(&worker_team->root.work.fork) >> 16;
  solo_store_seq_cst(&worker_team->root.work.fork,
                     (sequence + ((uint64_t)1 << 31)) << 16 | 1); /* team size 1: wakes no worker */
}

int main(void) {
  solo_target_frame frame;
  const solo_launch_record none = {0}, two = {.threads = {2}};
  const solo_target_call plain = {.launch = &none}, limited = {.launch = &two};
  CHECK_INT(solo_host_threads.device(), -1);
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  omp_set_num_threads(7);
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    solo_host_threads.enter_target(&frame, 3, &plain);
    wrong += !is_inside(threads);
    for (int i = 0; i < 500; i++) {
      if (i == 100) many_regions_later();
      region();
      wrong += loops() != 9900;
      wrong += phases() != 0;
      children();
    }
    solo_host_threads.leave_target(&frame);
    wrong += !is_outside();
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(solo_host_threads.device(), -1);
  CHECK_INT(omp_get_max_threads(), 7);
  solo_host_threads.enter_target(&frame, 3, &limited);
  int size = 0;
#pragma omp parallel num_threads(8)
#pragma omp masked
  size = omp_get_num_threads();
  CHECK_INT(size, 2);
  solo_host_threads.leave_target(&frame);
  return TEST_RESULT();
}
