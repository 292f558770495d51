/* Description: checks the scope of omp_set_ routines and initial ICVs.
 * Env: OMP_NUM_THREADS=4,3,2 OMP_SCHEDULE=guided,5 OMP_THREAD_LIMIT=1000 OMP_DEFAULT_DEVICE=3 */
#include "tests/unit/test.h"
#include <omp.h>
#include <time.h>

int main(void) {
  CHECK_INT(omp_get_max_threads(), 4);
  CHECK(omp_get_max_active_levels() > 2); /* a list in OMP_NUM_THREADS enables nesting */
  CHECK_INT(omp_get_thread_limit(), 1000);
  CHECK_INT(omp_get_default_device(), 3);
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_INT(kind, omp_sched_guided);
  CHECK_INT(chunk, 5);
  int sizes[3] = {0};
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) sizes[0] = omp_get_num_threads();
#pragma omp parallel
    {
      if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0)
        sizes[1] = omp_get_num_threads();
#pragma omp parallel
      if (omp_get_ancestor_thread_num(1) == 0 && omp_get_ancestor_thread_num(2) == 0 &&
          omp_get_thread_num() == 0)
        sizes[2] = omp_get_num_threads();
    }
  }
  CHECK_INT(sizes[0], 4);
  CHECK_INT(sizes[1], 3);
  CHECK_INT(sizes[2], 2);
  int wrong = 0;
#pragma omp parallel num_threads(3)
  {
    omp_set_num_threads(10 + omp_get_thread_num());
    omp_set_default_device(omp_get_thread_num());
#pragma omp barrier
    if (omp_get_max_threads() != 10 + omp_get_thread_num() ||
        omp_get_default_device() != omp_get_thread_num()) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(omp_get_max_threads(), 4);
  CHECK_INT(omp_get_default_device(), 3);
  omp_set_dynamic(1);
  CHECK_INT(omp_get_dynamic(), 1);
  omp_set_dynamic(0);
  CHECK_INT(omp_get_dynamic(), 0);
  omp_set_num_teams(5);
  CHECK_INT(omp_get_max_teams(), 5);
  omp_set_teams_thread_limit(7);
  CHECK_INT(omp_get_teams_thread_limit(), 7);
  CHECK_INT(omp_in_final(), 0);
  CHECK_INT(omp_get_team_size(5), -1);
  CHECK_INT(omp_get_ancestor_thread_num(-1), -1);
  CHECK_INT(omp_get_ancestor_thread_num(0), 0);
  clock_t begin = clock(); /* CPU time does not depend on other processes */
  for (int i = 1; i <= 20000; i++) omp_set_schedule(omp_sched_dynamic, i);
  CHECK((double)(clock() - begin) < 5.0 * CLOCKS_PER_SEC);
  omp_get_schedule(&kind, &chunk);
  CHECK_INT(chunk, 20000);
  omp_set_schedule(omp_sched_guided, 0);
  omp_get_schedule(&kind, &chunk);
  CHECK_INT(kind, omp_sched_guided);
  CHECK_INT(chunk, 1);
  omp_set_schedule(omp_sched_static, 0);
  omp_get_schedule(&kind, &chunk);
  CHECK_INT(chunk, 0);
  return TEST_RESULT();
}
