/* Description: checks that each barrier separates its phases. */
#include "tests/unit/test.h"
#include <omp.h>

enum { PHASES = 100 };
static int cells[64];

int main(void) {
  int wrong = 0;
  for (int round = 0; round < 5; round++) {
#pragma omp parallel
    {
      int me = omp_get_thread_num(), n = omp_get_num_threads();
      cells[me] = 0;
#pragma omp barrier
      for (int phase = 1; phase <= PHASES; phase++) {
        cells[me] = phase; /* not atomic: the barrier orders the accesses of the threads */
#pragma omp barrier
        for (int i = 0; i < n; i++)
          if (cells[i] != phase) {
#pragma omp atomic
            wrong++;
          }
#pragma omp barrier
      }
    }
  }
  CHECK_INT(wrong, 0);
  return TEST_RESULT();
}
