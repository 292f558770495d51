/* Description: the kmp_* settings change in one thread while others wait and ask; memory of kmp_*; the functions
 * that do nothing answer. */
#include "tests/unit/test.h"
#include <omp.h>
#include <stdint.h>

/* The workers of the regions wait, by the block time, while the master changes it. */
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
  kmp_set_blocktime(-1); /* ignored */
  CHECK_INT(kmp_get_blocktime(), 0);
  CHECK_INT(sum, 300);
  CHECK_INT(wrong, 0);
}

/* A worker's. Each thread has its own: they run on from region to region. */
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
  kmp_set_stacksize_s(0); /* ignored, and the next */
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

int main(void) {
  stack_sizes();
  block_times();
  memory();
  return TEST_RESULT();
}
