/* Description: checks tasks together with nested and serialized regions, taskgroups around regions,
 * native threads, many tasks, and deep recursion.
 * Env: OMP_MAX_ACTIVE_LEVELS=3 */
#include "tests/kmpc/task_test.h"
#include <pthread.h>

static int count;

static void region_in_task(void) {
  int wrong = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(wrong)
    {
      int here = 0;
#pragma omp parallel num_threads(3) shared(here)
      {
#pragma omp task shared(here)
        {
          spend_time();
#pragma omp atomic
          here += 10;
        }
#pragma omp barrier
#pragma omp single
        if (here != 10 * omp_get_num_threads()) wrong++;
#pragma omp task shared(here)
        {
          spend_time();
#pragma omp atomic
          here++;
        }
      }
      if (here % 10 == 0 || here % 11 != 0) {
#pragma omp atomic
        wrong++;
      }
#pragma omp parallel num_threads(1)
      {
#pragma omp task shared(here)
        here = -1;
        if (here != -1 && omp_get_num_threads() == 1) wrong++;
      }
    }
  }
  CHECK_INT(wrong, 0);
}

/* Tasks generated in the inner region belong to that region. */
static void group_around_region(void) {
  int done = 0, wrong = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task shared(done)
    {
      spend_time();
#pragma omp atomic
      done++;
    }
    int inner = 0;
#pragma omp parallel num_threads(2) shared(inner)
    {
#pragma omp task shared(inner)
      {
        spend_time();
#pragma omp atomic
        inner++;
      }
    }
    if (inner < 1) wrong++;
  }
  CHECK_INT(done, 1);
  CHECK_INT(wrong, 0);
}

static void *own_thread(void *argument) {
  long *sum = argument;
  for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task
      {
#pragma omp atomic
        *sum += i;
      }
    }
  }
  return NULL;
}

static void threads(void) {
  pthread_t thread[3];
  long sum[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) pthread_create(&thread[i], NULL, own_thread, &sum[i]);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 3; i++) CHECK_INT(sum[i], 5 * 49 * 25);
}

static void many(void) {
  count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100000; i++) {
#pragma omp task
    {
#pragma omp atomic
      count++;
    }
  }
  CHECK_INT(count, 100000);
}

/* Each task generates the next one and ends. The completion of a task must not call itself
 * recursively. */
static void relay(int left) {
#pragma omp atomic
  count++;
  if (left > 0) {
#pragma omp task
    relay(left - 1);
  }
}

/* Each task waits for the task that it generates, so the stack holds all tasks. */
static int deep(int left) {
  int below = 0;
  if (left > 0) {
#pragma omp task shared(below)
    below = deep(left - 1) + 1;
#pragma omp taskwait
  }
  return below;
}

int main(void) {
  region_in_task();
  group_around_region();
  threads();
  many();
  count = 0;
  int depth = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    relay(omp_get_num_threads() == 1 ? 1000 : 20000);
#pragma omp taskwait
    depth = deep(500);
  }
  CHECK(count == 1001 || count == 20001);
  CHECK_INT(depth, 500);
  return TEST_RESULT();
}
