/* Description: checks explicit tasks, taskwait, barrier, if, final, untied and taskyield. */
#include "tests/kmpc/task_test.h"
#include <unistd.h>

enum { TASKS = 2000 };

static int ran[TASKS];

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void each_once(void) {
  memset(ran, 0, sizeof ran);
  int wrong = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < TASKS; i++) {
      struct {
        int number, big[40];
      } data = {i, {0}};
      data.big[39] = i;
#pragma omp task firstprivate(data)
      {
        if (data.big[39] != i) {
#pragma omp atomic
          wrong++;
        }
#pragma omp atomic
        ran[data.number]++;
      }
    }
    for (int i = omp_get_thread_num(); i < TASKS; i += omp_get_num_threads())
      if (ran[i] != 1) {
#pragma omp atomic
        wrong++;
      }
  }
  CHECK_INT(wrong, 0);
}

static void waits(void) {
  int early = 0, grandchildren = 0, children = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    int here = 0;
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(here, children, grandchildren)
      {
#pragma omp task shared(grandchildren)
        {
          spend_time();
#pragma omp atomic
          grandchildren++;
        }
        spend_time();
#pragma omp atomic
        here++;
#pragma omp atomic
        children++;
      }
    }
#pragma omp taskwait
    if (here != 5) early++;
  }
  CHECK_INT(early, 0);
  CHECK_INT(children, 100);
  CHECK_INT(grandchildren, 100);
}

static void barrier_waits(void) {
  int done = 0, wrong = 0;
#pragma omp parallel
  for (int round = 1; round <= 20; round++) {
#pragma omp task shared(done)
    {
      spend_time();
#pragma omp atomic
      done++;
    }
#pragma omp barrier
    int seen;
#pragma omp atomic read
    seen = done;
    if (seen != round * omp_get_num_threads()) {
#pragma omp atomic
      wrong++;
    }
#pragma omp barrier
  }
  CHECK_INT(wrong, 0);
}

static void undeferred(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
    int value = 0;
#pragma omp task if (i < 0) shared(value)
    {
      spend_time();
      if (!omp_in_explicit_task()) wrong++;
      value = i + 1;
    }
    if (value != i + 1) wrong++;
#pragma omp task final(i >= 0) shared(value, wrong)
    {
      if (!omp_in_final()) wrong++;
      int thread = omp_get_thread_num();
#pragma omp task shared(value, wrong)
      {
        if (!omp_in_final() || omp_get_thread_num() != thread) wrong++;
        value = -1;
      }
      if (value != -1) wrong++;
    }
#pragma omp taskwait
    if (omp_in_final() || omp_in_explicit_task()) wrong++;
  }
  CHECK_INT(wrong, 0);
}

static void untied(void) {
  int parts = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task untied if (i % 3) shared(parts, wrong)
    {
      int inner = 0;
#pragma omp atomic
      parts++;
#pragma omp taskyield
#pragma omp atomic
      parts++;
#pragma omp task shared(inner)
      {
        spend_time();
        inner = 1;
      }
#pragma omp taskwait
      if (!inner) {
#pragma omp atomic
        wrong++;
      }
#pragma omp taskyield
#pragma omp atomic
      parts++;
    }
  }
  CHECK_INT(parts, 300);
  CHECK_INT(wrong, 0);
}

/* A tied task resumes on its thread and finds the threadprivate value that the task wrote: taskwait
 * executes only descendants of the task. */
static int mine;
#pragma omp threadprivate(mine)

static void tree(int depth, int *wrong) {
  static int ids;
  int id;
#pragma omp atomic capture
  id = ++ids;
  int thread = omp_get_thread_num();
  mine = id;
  if (depth > 0) {
    for (int i = 0; i < 2; i++) {
#pragma omp task
      tree(depth - 1, wrong);
    }
    spend_time();
#pragma omp taskwait
  }
  if (omp_get_thread_num() != thread) {
#pragma omp atomic
    (*wrong)++;
  }
}

/* A task waits while it holds a lock. By the task scheduling constraint, its thread must not begin
 * a task of another subtree, which acquires this lock. Otherwise the test deadlocks. */
static void constraint(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int inside = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task shared(inside, wrong)
    {
      omp_set_lock(&lock);
      if (inside++) wrong++;
#pragma omp task shared(inside)
      spend_time();
#pragma omp task shared(inside)
      spend_time();
#pragma omp taskwait
      inside--;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  CHECK_INT(wrong, 0);
}

static void icvs(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_set_num_threads(3);
#pragma omp task shared(wrong)
    {
      if (omp_get_max_threads() != 3) wrong++;
      omp_set_num_threads(2);
#pragma omp task shared(wrong)
      if (omp_get_max_threads() != 2) wrong++;
#pragma omp taskwait
    }
#pragma omp taskwait
    if (omp_get_max_threads() != 3) wrong++;
  }
  CHECK_INT(wrong, 0);
}

/* Generates tasks when all workers already sleep. At least one worker must wake and execute some of
 * the tasks. */
static void late(void) {
  int helped = 0;
#pragma omp parallel
#pragma omp master
  {
    usleep(50000);
    for (int i = 0; i < 40; i++) {
#pragma omp task shared(helped)
      {
        usleep(2000);
        if (omp_get_thread_num()) {
#pragma omp atomic
          helped++;
        }
      }
    }
  }
  if (omp_get_max_threads() > 1) CHECK(helped > 0);
}

int main(void) {
  each_once();
  waits();
  barrier_waits();
  undeferred();
  untied();
  constraint();
  icvs();
  late();
  long result = 0;
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    result = fib(18);
    tree(6, &wrong);
  }
  CHECK_INT(result, 2584);
  CHECK_INT(wrong, 0);
#pragma omp task shared(result)
  result = 7; /* a task that is generated outside a parallel region */
#pragma omp taskwait
  CHECK_INT(result, 7);
  return TEST_RESULT();
}
