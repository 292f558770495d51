/* Description: checks that ready tasks of higher priority run first.
 * Env: OMP_MAX_TASK_PRIORITY=10 */
#include "tests/kmpc/task_test.h"

enum { TASKS = 30 };

int main(void) {
  CHECK_INT(omp_get_max_task_priority(), 10);
  int order[TASKS], next = 0, over = 0, threads = 1;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      threads = omp_get_num_threads();
      for (int i = 0; i < TASKS; i++) {
#pragma omp task priority(i % 10 + 1) shared(order, next)
        order[next++] = i % 10 + 1;
      }
#pragma omp taskwait
#pragma omp atomic write seq_cst
      over = 1;
    } else { /* polls without a task scheduling point, so that thread 0 executes all tasks */
      for (int now = 0; !now; sched_yield()) {
#pragma omp atomic read seq_cst
        now = over;
      }
    }
  }
  CHECK_INT(next, TASKS);
  int inversions = 0;
  for (int i = 0; i + 1 < TASKS; i++) inversions += order[i + 1] > order[i];
  /* a single thread runs each task when it is generated */
  if (threads > 1) CHECK_INT(inversions, 0);
  return TEST_RESULT();
}
