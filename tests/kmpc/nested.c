/* Description: checks nested parallel regions with several active levels. */
#include "tests/unit/test.h"
#include <omp.h>

int main(void) {
  omp_set_max_active_levels(3);
  CHECK_INT(omp_get_max_active_levels(), 3);
  for (int round = 0; round < 20; round++) {
    int count = 0, wrong = 0;
#pragma omp parallel num_threads(3)
    {
      int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      {
        int middle = omp_get_thread_num();
        if (omp_get_ancestor_thread_num(1) != outer || omp_get_team_size(1) != 3 ||
            omp_get_team_size(2) != 2 || omp_get_active_level() != 2) {
#pragma omp atomic
          wrong++;
        }
#pragma omp barrier
#pragma omp parallel num_threads(2)
        {
          if (omp_get_ancestor_thread_num(2) != middle || omp_get_level() != 3) {
#pragma omp atomic
            wrong++;
          }
#pragma omp parallel num_threads(4) /* a region of one thread is not active */
#pragma omp atomic
          count++;
        }
#pragma omp barrier
      }
      if (omp_get_thread_num() != outer) wrong++;
#pragma omp barrier
    }
    CHECK_INT(count, 12);
    CHECK_INT(wrong, 0);
  }
  return TEST_RESULT();
}
