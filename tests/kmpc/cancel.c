/* Description: checks that cancel ends parallel regions, loops and sections early.
 * Env: OMP_CANCELLATION=true */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 100000 };

int main(void) {
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  CHECK_INT(omp_get_cancellation(), 1);
  for (int round = 0; round < 20; round++) {
    int after = 0, before = 0;
#pragma omp parallel
    {
#pragma omp atomic
      before++;
      if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
      after++;
    }
    CHECK_INT(before, threads);
    CHECK_INT(after, 0);

    long done = 0, sum = 0;
    int phase = 0;
#pragma omp parallel
    {
      /* each thread cancels after 10 iterations, because the system may not run a particular thread */
      int mine = 0;
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < N; i++) {
#pragma omp atomic
        done++;
        if (mine++ == 10) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
#pragma omp single
      phase++;
#pragma omp for reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
      for (int i = 0; i < 100; i++) sum += i;
    }
    CHECK(done < N);
    CHECK_INT(phase, 1);
    CHECK_INT(sum, 2 * 4950);
    int complete = 0;
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < 64; i++) {
#pragma omp cancel for
      }
#pragma omp for schedule(dynamic, 1) reduction(+ : complete)
      for (int i = 0; i < 64; i++) {
        complete++;
        /* never true: the directive only makes Clang emit cancellation points */
        if (complete > 64) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
    }
    CHECK_INT(complete, 64);
    int left = 0;
#pragma omp parallel
    {
#pragma omp sections
      {
#pragma omp section
        {
#pragma omp cancel sections
          left++;
        }
      }
#pragma omp barrier
    }
    CHECK_INT(left, 0);
  }
  return TEST_RESULT();
}
