/* Description: checks that a detachable task completes only when its event is fulfilled.
 * Flags: -fopenmp-version=51 */
#include "tests/kmpc/task_test.h"
#include <pthread.h>

static omp_event_handle_t handles[64];
static int posted, stop;

/* A native thread (no OpenMP thread) fulfils the posted events after a delay. */
static void *outsider(void *unused) {
  (void)unused;
  for (int taken = 0;;) {
    int now, last;
#pragma omp atomic read seq_cst
    last = stop;
#pragma omp atomic read seq_cst
    now = posted;
    if (taken < now) {
      for (int i = 0; i < 50; i++) sched_yield();
      omp_fulfill_event(handles[taken++]);
    } else if (last) {
      return NULL;
    } else {
      sched_yield();
    }
  }
}

static void post(omp_event_handle_t event) {
  handles[posted] = event;
#pragma omp atomic update seq_cst
  posted++;
}

static void from_outside(void) {
  pthread_t thread;
  posted = stop = 0;
  pthread_create(&thread, NULL, outsider, NULL);
  int order = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
      omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(inout : order) shared(order, wrong)
      {
        if (order != 2 * i) wrong++;
        order++;
        post(event);
      }
#pragma omp task depend(inout : order) shared(order, wrong)
      {
        int open;
#pragma omp atomic read seq_cst
        open = posted;
        if (order != 2 * i + 1 || open < i + 1) wrong++;
        order++;
      }
    }
#pragma omp taskwait
    if (order != 40) wrong++;
  }
#pragma omp atomic write seq_cst
  stop = 1;
  pthread_join(thread, NULL);
  CHECK_INT(wrong, 0);
  CHECK_INT(posted, 20);
}

static void serial(void) {
  pthread_t thread;
  posted = stop = 0;
  pthread_create(&thread, NULL, outsider, NULL);
  int after = 0, x = 0;
  for (int i = 0; i < 5; i++) {
    omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : x)
    post(event);
#pragma omp task depend(in : x) shared(after)
    after++;
    if (i < 3) CHECK(after <= i + 1);
#pragma omp taskwait
    CHECK_INT(after, i + 1);
  }
#pragma omp taskgroup
  {
    omp_event_handle_t event = 0;
#pragma omp task detach(event)
    post(event);
  }
  omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(out : x)
  post(event);
#pragma omp taskwait depend(in : x)
#pragma omp atomic write seq_cst
  stop = 1;
  pthread_join(thread, NULL);
  CHECK_INT(posted, 7);
}

/* Another task fulfils the event. */
static void by_task(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    int fulfilled = 0;
    omp_event_handle_t event = 0;
#pragma omp task detach(event)
    {}
#pragma omp task firstprivate(event) shared(fulfilled)
    {
      spend_time();
      fulfilled = 1;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    if (!fulfilled) wrong++;
  }
  CHECK_INT(wrong, 0);
}

/* A task fulfils its event before its body ends. */
static void early(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    omp_event_handle_t event = 0;
#pragma omp task detach(event) shared(ran)
    {
      omp_fulfill_event(event);
      spend_time();
#pragma omp atomic
      ran++;
    }
  }
  CHECK_INT(ran, 50);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++) {
    omp_event_handle_t event = 0;
#pragma omp task detach(event) shared(ran)
    {
#pragma omp atomic
      ran++;
    }
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  CHECK_INT(ran, 100);
}

static void with_children(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    omp_event_handle_t event = 0;
#pragma omp task detach(event) shared(ran)
    {
      for (int k = 0; k < 3; k++) {
#pragma omp task shared(ran)
        {
          spend_time();
#pragma omp atomic
          ran++;
        }
      }
    }
    omp_fulfill_event(event);
  }
  CHECK_INT(ran, 60);
}

int main(void) {
  from_outside();
  serial();
  by_task();
  early();
  with_children();
  return TEST_RESULT();
}
