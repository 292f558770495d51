/* Cancels all constructs. Needs OMP_CANCELLATION=true. */
#include "tests/gcc/check.h"

#include <omp.h>

enum { N = 10000 };

static void loops(void) {
  int threads = omp_get_max_threads();
#define CANCELLED(clauses)                                                                         \
  do {                                                                                             \
    int executed = 0, after = 0;                                                                   \
    _Pragma("omp parallel reduction(+ : executed, after)") {                                       \
      PRAGMA(omp for clauses) for (int i = 0; i < N; i++) {                                        \
        executed++;                                                                                \
        _Pragma("omp cancel for if (i % 4 == 0)") _Pragma("omp cancellation point for")            \
      }                                                                                            \
      _Pragma("omp for schedule(static)") for (int i = 0; i < N; i++) {                            \
        after++;                                                                                   \
        _Pragma("omp cancellation point for")                                                      \
      }                                                                                            \
    }                                                                                              \
    CHECK(executed > 0 && executed < N);                                                           \
    CHECK(after == N);                                                                             \
  } while (0)
#define PRAGMA(text) _Pragma(#text)
  CANCELLED(schedule(static));
  CANCELLED(schedule(static, 2));
  CANCELLED(schedule(dynamic));
  CANCELLED(schedule(guided));
  CANCELLED(schedule(runtime));
  (void)threads;
}

static void regions(void) {
  int reached = 0, cancelled = 0, total = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel shared(reached, cancelled)
    {
      if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp atomic
        cancelled++;
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp atomic
      reached++;
    }
#pragma omp parallel reduction(+ : total)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; i++) total++;
#pragma omp single nowait
      total++;
    }
  }
  CHECK(!reached && cancelled == 20 && total == 20 * 101);
}

/* A thread leaves a cancelled region at the end of a construct. */
static void constructs_of_regions(void) {
  int reached = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel shared(reached)
    {
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; i++) (void)i;
#pragma omp atomic
      reached++;
    }
#pragma omp parallel shared(reached)
    {
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp sections
      {
#pragma omp section
        (void)round;
#pragma omp section
        (void)round;
      }
#pragma omp atomic
      reached++;
    }
  }
  CHECK(!reached);
}

static void sections(void) {
  int a = 0, b = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp sections
    {
#pragma omp section
      {
        a++;
#pragma omp cancel sections
        a++;
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        b++;
      }
    }
  }
  CHECK(a == 1 && b == 0);
  int ended = 0;
#pragma omp parallel reduction(+ : ended)
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
      }
#pragma omp section
      {
#pragma omp cancellation point sections
      }
    }
    ended++;
  }
  CHECK(ended == omp_get_max_threads());
}

static void groups(void) {
  int begun = 0, waited = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(begun)
      {
#pragma omp cancel taskgroup
        begun += 100;
      }
#pragma omp taskwait
      for (int i = 0; i < 100; i++) {
#pragma omp task shared(begun)
        begun++;
      }
    }
    waited = begun;
  }
  CHECK(waited == 0);
}

int gcc_test(void) {
  CHECK(omp_get_cancellation());
  loops();
  regions();
  constructs_of_regions();
  sections();
  groups();
  return failures;
}
