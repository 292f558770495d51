/* Description: compiles, links and runs constructs; symbols.sh lists their symbols. */
#include "tests/unit/test.h"
#include <omp.h>

static long total;

static void clauses(int n, int yes) {
#pragma omp parallel proc_bind(close) if (yes) num_threads(2)
#pragma omp atomic
  total++;
#pragma omp parallel for schedule(runtime) ordered
  for (long i = 0; i < n; i++) {
#pragma omp ordered
    total++;
  }
#pragma omp parallel for schedule(guided) ordered
  for (unsigned long i = 0; i < (unsigned long)n; i++) {
#pragma omp ordered
    total++;
  }
#pragma omp parallel for schedule(dynamic) ordered
  for (unsigned i = 0; i < (unsigned)n; i++) {
#pragma omp ordered
    total++;
  }
#pragma omp parallel masked
  total++;
#pragma omp parallel loop
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    total++;
  }
#pragma omp flush
#pragma omp flush acquire
#pragma omp error at(execution) severity(warning) message("a message on purpose")
#pragma omp teams loop num_teams(2)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    total++;
  }
#pragma omp teams distribute simd num_teams(2) dist_schedule(static, 3)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    total++;
  }
}

static void atomics(void) {
  static char c;
  static short s;
  static unsigned long u;
  static float f;
  static double d;
  static long double w;
  static _Complex double z;
  long was = 0;
#pragma omp parallel private(was)
  {
    was = 0;
#pragma omp atomic
    c += 1;
#pragma omp atomic
    s *= 3;
#pragma omp atomic seq_cst
    u |= 5;
#pragma omp atomic
    f += 1.5f;
#pragma omp atomic
    d = 2 * d;
#pragma omp atomic
    w += 1;
#pragma omp atomic
    z += 1;
#pragma omp atomic capture
    was = total++;
#pragma omp atomic compare
    if (total < was) total = was;
#pragma omp atomic read acquire
    was = total;
#pragma omp atomic write release
    u = 1;
  }
  CHECK(c >= 1 && f >= 1.5f && s == 0 && d == 0 && w >= 1);
}

int main(void) {
  clauses(10, 1);
  atomics();
  CHECK(total > 50);
  return TEST_RESULT();
}
