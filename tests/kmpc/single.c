/* Description: checks single, nowait, copyprivate, master and masked: executing threads, counts,
 * visible values. */
#include "tests/unit/test.h"
#include <omp.h>

static int count, masters, masked, wrong;
static int private_value;
#pragma omp threadprivate(private_value)

int main(void) {
  int n = atoi(getenv("OMP_NUM_THREADS")), filtered = n > 1 ? 1 : 0;
#pragma omp parallel
  for (int k = 0; k < 100; k++) {
#pragma omp single
    count++; /* not atomic: the barrier orders the accesses of the threads */
    if (count != k + 1) {
#pragma omp atomic
      wrong++;
    }
#pragma omp barrier
#pragma omp master
    {
      if (omp_get_thread_num() != 0) wrong++;
      masters++;
    }
#pragma omp masked filter(filtered)
    {
      if (omp_get_thread_num() != filtered) wrong++;
      masked++;
    }
    int value = -1;
    long other = 0;
#pragma omp single copyprivate(value, private_value, other)
    {
      value = k;
      private_value = 2 * k;
      other = 3 * k;
    }
    if (value != k || private_value != 2 * k || other != 3 * k) {
#pragma omp atomic
      wrong++;
    }
#pragma omp barrier
  }
  CHECK_INT(count, 100);
  CHECK_INT(masters, 100);
  CHECK_INT(masked, 100);
  CHECK_INT(wrong, 0);
  int singles = 0;
#pragma omp parallel
  for (int k = 0; k < 1000; k++) {
#pragma omp single nowait
    {
#pragma omp atomic
      singles++;
    }
  }
  CHECK_INT(singles, 1000);
  return TEST_RESULT();
}
