/* Each schedule executes each iteration once. */
#include "app.h"

enum { N = 250 };

#define LOOP(schedule)                                                                             \
  {                                                                                                \
    static int count[N];                                                                           \
    _Pragma("omp target teams num_teams(2) thread_limit(64) map(tofrom : count)") {                \
      _Pragma(schedule) for (int i = 0; i < N; i++) {                                              \
        _Pragma("omp atomic") count[i]++;                                                          \
      }                                                                                            \
    }                                                                                              \
    for (int i = 0; i < N; i++) wrong += count[i] != 2;                                            \
  }

APP(schedules) {
  int wrong = 0;
  LOOP("omp parallel for schedule(static)")
  LOOP("omp parallel for schedule(static, 5)")
  LOOP("omp parallel for schedule(dynamic)")
  LOOP("omp parallel for schedule(dynamic, 7)")
  LOOP("omp parallel for schedule(guided)")
  LOOP("omp parallel for schedule(guided, 4)")
  LOOP("omp parallel for schedule(nonmonotonic : dynamic, 2)")
  return wrong;
}
