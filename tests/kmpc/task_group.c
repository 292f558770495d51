/* Description: checks that taskgroup waits for all descendants, nests, and can be cancelled.
 * Env: OMP_CANCELLATION=true */
#include "tests/kmpc/task_test.h"

static int count;

static void spread(int depth) {
  spend_time();
#pragma omp atomic
  count++;
  if (depth == 0) return;
  for (int i = 0; i < 2; i++) {
#pragma omp task
    spread(depth - 1);
  }
}

static void descendants(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; round++) {
    count = 0;
#pragma omp taskgroup
    {
#pragma omp task
      spread(4);
    }
    if (count != 31) wrong++;
  }
  CHECK_INT(wrong, 0);
}

static void nested(void) {
  int wrong = 0, outer_done = 0, go = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      if (omp_get_num_threads() > 1) {
#pragma omp task shared(outer_done, go)
        {
          int now = 0;
          while (!now) {
            sched_yield();
#pragma omp atomic read
            now = go;
          }
#pragma omp atomic write
          outer_done = 1;
        }
        for (int i = 0; i < 20; i++) sched_yield();
      }
      int inner = 0;
#pragma omp taskgroup
      {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(inner)
          {
#pragma omp task shared(inner)
            {
              spend_time();
#pragma omp atomic
              inner++;
            }
          }
        }
      }
      if (inner != 10) wrong++;
#pragma omp atomic write
      go = 1;
    }
    if (omp_get_num_threads() > 1 && !outer_done) wrong++;
  }
  CHECK_INT(wrong, 0);
}

static void many(void) {
  int wrong = 0;
#pragma omp parallel
  for (int round = 0; round < 50; round++) {
    int sum = 0;
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
      {
#pragma omp task shared(sum)
        {
#pragma omp atomic
          sum += 1;
        }
#pragma omp atomic
        sum += 100;
      }
    }
    if (sum != 2020) {
#pragma omp atomic
      wrong++;
    }
  }
  CHECK_INT(wrong, 0);
}

/* Waits until another thread is about to execute the cancel directive. */
static void await(const int *about) {
  for (int is_about = 0; !is_about; sched_yield()) {
#pragma omp atomic read
    is_about = *about;
  }
}

static void cancelled(void) {
  int begun = 0, passed = 0, about = 0, after = 0, wrong = 0;
  CHECK_INT(omp_get_cancellation(), 1);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    begun = passed = about = 0;
#pragma omp taskgroup
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(begun, passed, about)
      {
        int number;
#pragma omp atomic capture
        number = ++begun;
        if (number > 5) await(&about);
        if (number == 5) {
#pragma omp atomic write
          about = 1;
#pragma omp cancel taskgroup
#pragma omp atomic
          passed += 1000;
        }
        spend_time();
#pragma omp cancellation point taskgroup
#pragma omp atomic
        passed++;
      }
    }
    /* most tasks were discarded, but some began */
    if (passed >= 150 || begun < 5) wrong++;
#pragma omp taskgroup
    {
#pragma omp task shared(after)
      after++;
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(after, 10);
}

/* Tasks of a cancelled region that have not begun are discarded. */
static void cancelled_region(void) {
  int wrong = 0, after = 0;
  for (int round = 0; round < 10; round++) {
    int begun = 0, about = 0;
#pragma omp parallel shared(begun, about)
    {
      for (int i = 0; i < 100; i++) {
#pragma omp task shared(begun, about)
        {
          /* in a team of one thread, this task runs before the cancel */
          if (omp_get_num_threads() > 1) await(&about);
          spend_time();
#pragma omp atomic
          begun++;
        }
      }
      if (omp_get_thread_num() == 0) {
#pragma omp atomic write
        about = 1;
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
#pragma omp barrier
    }
    if (omp_get_max_threads() > 1 && begun >= 90 * omp_get_max_threads()) wrong++;
#pragma omp parallel shared(after)
#pragma omp task shared(after)
    {
#pragma omp atomic
      after++;
    }
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(after, 10 * omp_get_max_threads());
}

int main(void) {
  cancelled_region();
  descendants();
  nested();
  many();
  cancelled();
  return TEST_RESULT();
}
