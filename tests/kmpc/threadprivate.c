/* Description: checks threadprivate through the runtime's caches, and copyin.
 * Flags: -fnoopenmp-use-tls */
#include "tests/unit/test.h"
#include <omp.h>

static int counter = 7;
static double table[100];
#pragma omp threadprivate(counter, table)

int main(void) {
  int wrong = 0;
  void *places[64] = {0};
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me && counter != 7) {
#pragma omp atomic
      wrong++;
    }
    counter = me;
    table[99] = me;
    places[me] = &counter;
#pragma omp barrier
    if (counter != me || table[99] != me) {
#pragma omp atomic
      wrong++;
    }
  }
#pragma omp parallel
  if (counter != omp_get_thread_num()) { /* the value persists between regions */
#pragma omp atomic
    wrong++;
  }
  counter = 42;
#pragma omp parallel copyin(counter)
  if (counter != 42) {
#pragma omp atomic
    wrong++;
  }
  CHECK_INT(wrong, 0);
  int n = atoi(getenv("OMP_NUM_THREADS"));
  for (int i = 1; i < n; i++) CHECK(places[i] && places[i] != places[0]);
  return TEST_RESULT();
}
