/* Description: checks that no task is lost or blocked if threads find tasks that they may not run.
 * Cases: full deques with concurrent steals, and a wait for a lock that a thread in taskwait holds.
 *   Env: OMP_WAIT_POLICY=passive
 */
#include "tests/kmpc/task_test.h"

enum { TASKS = 300, ROUNDS = 60 };

/* The youngest of about 250 tasks yields and finds a sibling that it may not run. */
static void full_deques(void) {
  int ran = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(ran, lock) firstprivate(i)
    {
      for (int k = 0; k < 20 * (i % 3 == 0); k++) {
#pragma omp taskyield
      }
      while (!omp_test_lock(&lock)) {
#pragma omp taskyield
      }
      ran++;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  CHECK_INT(ran, TASKS);
}

/* The first task blocks on the critical section that the waiting thread has entered. A thief that
 * stole the first task together with an inner task must make the inner task available again.
 * Otherwise the waiting thread never continues. */
static void locked_wait(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(ran)
    {
#pragma omp critical
      ran++;
    }
#pragma omp task if (0) shared(ran)
#pragma omp critical
    {
      for (int i = 0; i < 2; i++) {
#pragma omp task shared(ran)
        {
#pragma omp atomic
          ran += 10;
        }
      }
#pragma omp taskwait
    }
  }
  CHECK_INT(ran, 21);
}

int main(void) {
  for (int i = 0; i < ROUNDS; i++) full_deques();
  for (int i = 0; i < 10 * ROUNDS; i++) locked_wait();
  return TEST_RESULT();
}
