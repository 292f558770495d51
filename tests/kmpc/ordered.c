/* Description: checks the order of ordered regions, also if some iterations have no ordered region. */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 200 };
static int order[N], at;

#define ORDERED(clause)                                                                            \
  do {                                                                                             \
    at = 0;                                                                                        \
    _Pragma(clause) for (int i = 0; i < N; i++) {                                                  \
      _Pragma("omp ordered") order[at++] = i;                                                      \
    }                                                                                              \
    int wrong = at != N;                                                                           \
    for (int i = 0; i < N; i++) wrong += order[i] != i;                                            \
    if (wrong) printf("%s: ", clause);                                                             \
    CHECK_INT(wrong, 0);                                                                           \
  } while (0)

int main(void) {
  ORDERED("omp parallel for ordered");
  ORDERED("omp parallel for ordered schedule(static, 3)");
  ORDERED("omp parallel for ordered schedule(dynamic)");
  ORDERED("omp parallel for ordered schedule(dynamic, 4)");
  ORDERED("omp parallel for ordered schedule(guided)");
  ORDERED("omp parallel for ordered schedule(runtime)");
  at = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < N; i++) {
    if (i % 3) continue;
#pragma omp ordered
    order[at++] = i;
  }
  CHECK_INT(at, (N + 2) / 3);
  for (int i = 0; i < at; i++) CHECK_INT(order[i], 3 * i);
  return TEST_RESULT();
}
