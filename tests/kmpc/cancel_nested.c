/* Description: checks that cancellation affects only the innermost region, loop or taskgroup.
 * Env: OMP_CANCELLATION=true */
#include "tests/unit/test.h"
#include <omp.h>
#include <sched.h>

static int threads;

/* Cancels inner regions. Barriers of the outer region still wait for all threads. */
static void inner_regions(void) {
  int before = 0, after = 0, outer = 0, missed = 0, size = 0, inner_size = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    size = omp_get_num_threads();
#pragma omp parallel num_threads(threads)
    {
      if (omp_get_thread_num() == 0) {
#pragma omp atomic
        inner_size += omp_get_num_threads();
      }
#pragma omp atomic
      before++;
#pragma omp cancel parallel
#pragma omp atomic
      after++;
    }
#pragma omp atomic
    outer++;
#pragma omp barrier
    if (outer != size) {
#pragma omp atomic
      missed++;
    }
#pragma omp cancellation point parallel
#pragma omp barrier
  }
  CHECK_INT(before, inner_size);
  CHECK_INT(after, 0);
  CHECK_INT(missed, 0);
}

static void loops(void) {
  enum { N = 40 };
  int done[N] = {0}, wrong = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int i = 0; i < N; i++) {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp for
      for (int k = 0; k < 1000; k++) {
        sum++;
#pragma omp cancel for if (k % 100 == 3)
      }
#pragma omp for
      for (int k = 0; k < 10; k++) sum += 1000;
    }
    if (sum < 10000 || sum >= 11000) {
#pragma omp atomic
      wrong++;
    }
    done[i]++;
  }
  for (int i = 0; i < N; i++) wrong += done[i] != 1;
  CHECK_INT(wrong, 0);
}

/* Cancels an inner taskgroup. Tasks of the outer taskgroup are not discarded. */
static void groups(void) {
  int inner = 0, outer = 0, late = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 10; i++) {
#pragma omp task
        {
#pragma omp atomic
          outer++;
        }
      }
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp cancel taskgroup
          late++;
        }
#pragma omp taskwait
        for (int i = 0; i < 10; i++) {
#pragma omp task
          {
#pragma omp atomic
            inner++;
          }
        }
      }
      for (int i = 0; i < 10; i++) {
#pragma omp task
        {
#pragma omp atomic
          outer++;
        }
      }
    }
    CHECK_INT(outer, 20);
  }
  CHECK_INT(inner, 0);
  CHECK_INT(late, 0);
}

/* Cancels a region. The next region must not run tasks that the cancelled region discarded. */
static void tasks(void) {
  int ran = 0, again = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
      {for (int i = 0; i < 50; i++){
#pragma omp task
          {
#pragma omp atomic
              ran++;
}
}
}
#pragma omp cancel parallel
}
CHECK_INT(ran, 50); /* the barrier of the single construct completed the tasks before the cancel */
#pragma omp parallel num_threads(threads)
#pragma omp single
{
  for (int i = 0; i < 50; i++) {
#pragma omp task
    {
#pragma omp atomic
      again++;
    }
  }
}
CHECK_INT(again, 50);
}

static void sections(void) {
  int left = 0, total = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task
    {
#pragma omp parallel num_threads(2)
      {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                left++;
      }
#pragma omp section
      {
#pragma omp cancellation point sections
      }
    }
#pragma omp single
    {
#pragma omp atomic
      total++;
    }
  }
}
}
CHECK_INT(left, 0);
CHECK_INT(total, 8);
}

/* Cancels every second loop. The other loops execute all iterations, and the slots of dynamic loops
 * are reused. */
static void alternating(void) {
  int whole = 0, left = 0;
#pragma omp parallel
  {
    for (int k = 0; k < 20; k++) {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 32; i++) {
        if (k & 1 && i % 8 == 3) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        if (!(k & 1)) {
#pragma omp atomic
          whole++;
        }
      }
#pragma omp for schedule(static)
      for (int i = 0; i < 32; i++) {
        if (!(k & 1) && i % 8 == 3) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        if (k & 1) {
#pragma omp atomic
          whole++;
        }
      }
    }
#pragma omp atomic
    left++;
  }
  CHECK_INT(whole, 20 * 32);
  CHECK_INT(left, threads);
}

/* One thread has left the cancelled region. The other threads execute more nowait loops than there
 * are slots. No slot may depend on the thread that left. */
static void left_behind(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    for (int k = 0; k < 10; k++) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 8; i++) {
      }
    }
  }
}

/* Cancels a region with a task reduction. The reduction of the next region must not contain data of
 * the cancelled region. */
static void reductions(void) {
  int lost = 0, sum = 0;
#pragma omp parallel reduction(task, + : lost)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
#pragma omp task in_reduction(+ : lost)
    lost++;
  }
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  CHECK_INT(sum, threads);
}

/* Cancellation of the outer taskgroup also cancels tasks of an inner taskgroup. */
static void outer_group(void) {
  int ready = 0, ended = 0, size = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    size = omp_get_num_threads();
    if (size == 2) {
#pragma omp taskgroup
      {
#pragma omp task shared(ready, ended)
        {
#pragma omp taskgroup
            {
#pragma omp atomic write
                ready = 1;
        for (int i = 0; i < 200000 && !ended; i++) {
          int ran = 0;
#pragma omp task shared(ran)
          ran = 1;
#pragma omp taskwait
          ended = !ran;
          sched_yield();
        }
      }
    }
#pragma omp task shared(ready)
    {
      for (int now = 0; !now; sched_yield()) {
#pragma omp atomic read
        now = ready;
      }
#pragma omp cancel taskgroup
    }
  }
}
}
CHECK_INT(ended, size == 2);
}

int main(void) {
  threads = atoi(getenv("OMP_NUM_THREADS"));
  omp_set_max_active_levels(4);
  for (int round = 0; round < 10; round++) {
    inner_regions();
    loops();
    groups();
    outer_group();
    tasks();
    sections();
    alternating();
    left_behind();
    reductions();
  }
  return TEST_RESULT();
}
