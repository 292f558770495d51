/* A delay that exposes missing waits, and stamps for the order of tasks. */
#ifndef SOLO_TASK_TEST_H
#define SOLO_TASK_TEST_H

#include "tests/unit/test.h"
#include <omp.h>
#include <sched.h>

static inline void spend_time(void) {
  for (int i = 0; i < 20; i++) sched_yield();
}

static inline int next_stamp(void) {
  static int clock;
  int now;
#pragma omp atomic capture seq_cst
  now = ++clock;
  return now;
}

#endif
