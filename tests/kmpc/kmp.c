/* Description: checks kmp_* settings, memory and masks, and rarely used omp_* queries. */
#define _GNU_SOURCE
#include "tests/unit/test.h"
#include <omp.h>
#include <sched.h>
#include <stdint.h>

/* Workers wait for the block time while the primary thread changes the block time. */
static void block_times(void) {
  static const int times[] = {0, 1, 200, 1, INT32_MAX};
  int sum = 0, wrong = 0;
  for (int i = 0; i < 50; i++) {
    kmp_set_blocktime(times[i % 5]);
    CHECK_INT(kmp_get_blocktime(), times[i % 5]);
#pragma omp parallel num_threads(3) reduction(+ : sum, wrong)
    {
      sum++;
      if (omp_get_thread_num() == 0) kmp_set_blocktime(times[(i + 1) % 5]);
      int now = kmp_get_blocktime();
      wrong += now != times[i % 5] && now != times[(i + 1) % 5];
#pragma omp barrier
      sum++;
    }
  }
  kmp_set_blocktime(-1);
  CHECK_INT(kmp_get_blocktime(), 0);
  CHECK_INT(sum, 300);
  CHECK_INT(wrong, 0);
}

/* Not inlined: uses the stack of a worker. */
static __attribute__((noinline)) int has_stack(size_t bytes) {
  volatile char array[bytes];
  for (size_t i = 0; i < bytes; i += 4096) array[i] = 1;
  return array[0];
}

static void stack_sizes(void) {
  enum { LARGE = 48 << 20 };
  int had = 0;
  kmp_set_stacksize(5 << 20);
  CHECK_INT(kmp_get_stacksize(), 5 << 20);
  kmp_set_stacksize_s(LARGE + (1 << 20));
  CHECK(kmp_get_stacksize_s() == LARGE + (1 << 20));
  kmp_set_stacksize_s(0); /* the runtime must ignore 0 and -3 */
  kmp_set_stacksize(-3);
  CHECK(kmp_get_stacksize_s() == LARGE + (1 << 20));
#pragma omp parallel num_threads(2) reduction(+ : had)
  if (omp_get_thread_num() == 1) had += has_stack(LARGE);
  CHECK_INT(had, 1);
}

static void memory(void) {
  char *m = kmp_malloc(100);
  CHECK(m != NULL);
  memset(m, 7, 100);
  m = kmp_realloc(m, 100000);
  CHECK(m && m[99] == 7);
  kmp_free(m);
  int *z = kmp_calloc(1000, sizeof *z), sum = 0;
  for (int i = 0; z && i < 1000; i++) sum += z[i];
  CHECK(z && sum == 0);
  kmp_free(z);
  m = kmp_aligned_malloc(1000, 4096);
  CHECK(m && (uintptr_t)m % 4096 == 0);
  kmp_free(m);
}

static void masks(void) {
  kmp_affinity_mask_t mask, was;
  int last = -1;
  kmp_create_affinity_mask(&mask);
  kmp_create_affinity_mask(&was);
  CHECK_INT(kmp_get_affinity(&was), 0);
  for (int cpu = 0; cpu < kmp_get_affinity_max_proc(); cpu++)
    if (kmp_get_affinity_mask_proc(cpu, &was) == 1) last = cpu;
  CHECK_INT(kmp_set_affinity_mask_proc(last, &mask), 0);
  CHECK_INT(kmp_get_affinity_mask_proc(last, &mask), 1);
  CHECK_INT(kmp_set_affinity(&mask), 0);
  CHECK_INT(sched_getcpu(), last);
  CHECK_INT(kmp_unset_affinity_mask_proc(last, &mask), 0);
  CHECK_INT(kmp_get_affinity_mask_proc(last, &mask), 0);
  CHECK(kmp_set_affinity(&mask) != 0); /* the mask is empty */
  CHECK(kmp_set_affinity_mask_proc(1 << 30, &mask) != 0);
  CHECK(kmp_set_affinity_mask_proc(-1, &mask) != 0);
  CHECK_INT(kmp_set_affinity(&was), 0);
  kmp_destroy_affinity_mask(&mask);
  kmp_destroy_affinity_mask(&was);
}

static void questions(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock_with_hint(&lock, omp_sync_hint_contended);
  omp_set_nest_lock(&lock);
  CHECK_INT(omp_test_nest_lock(&lock), 2);
  omp_unset_nest_lock(&lock);
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
  double tick = omp_get_wtick(), begin = omp_get_wtime();
  CHECK(tick > 0 && tick < 1e-3);
  CHECK(omp_get_wtime() >= begin);
  CHECK(omp_get_supported_active_levels() >= 8);
  omp_set_max_active_levels(1);
  CHECK_INT(omp_get_nested(), 0);
  omp_set_nested(1);
  CHECK(omp_get_nested() == 1 && omp_get_max_active_levels() > 1);
  omp_set_nested(0);
  CHECK_INT(omp_get_max_active_levels(), 1);
  kmp_set_library_turnaround();
  CHECK_INT(kmp_get_library(), 2);
  kmp_set_library(17);
  CHECK_INT(kmp_get_library(), 2);
  kmp_set_library_throughput();
  CHECK_INT(kmp_get_library(), 3);
  int threads = omp_get_max_threads();
  kmp_set_library_serial();
  CHECK(kmp_get_library() == 1 && omp_get_max_threads() == 1);
  omp_set_num_threads(threads);
  /* rejected twice: first with a warning, then with warnings off */
  omp_set_schedule((omp_sched_t)0x7777, 1);
  kmp_set_warnings_off();
  omp_set_schedule((omp_sched_t)0x7777, 1);
  kmp_set_warnings_on();
  kmp_set_disp_num_buffers(7);
}

int main(void) {
  /* must be called before the runtime reads the environment */
  kmp_set_defaults("OMP_MAX_TASK_PRIORITY=7");
  CHECK_INT(omp_get_max_task_priority(), 7);
  stack_sizes();
  block_times();
  memory();
  masks();
  questions();
  return TEST_RESULT();
}
