/* Description: checks named critical constructs, hints, locks and nestable locks. */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 2000 };
static long a, b, c, d, e;

int main(void) {
  int n = atoi(getenv("OMP_NUM_THREADS"));
  omp_lock_t lock, hinted;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_lock_with_hint(&hinted, omp_sync_hint_contended);
  omp_init_nest_lock(&nest);
  int tested = 0;
#pragma omp parallel
  for (int i = 0; i < N; i++) {
#pragma omp critical
    a++;
#pragma omp critical(named)
    b++;
#pragma omp critical(hinted_one) hint(omp_sync_hint_contended)
    c++;
    omp_set_lock(&lock);
    d++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    e++;
    omp_unset_nest_lock(&nest);
    e++;
    omp_unset_nest_lock(&nest);
    if (omp_test_lock(&hinted)) {
      tested++;
      omp_unset_lock(&hinted);
    }
  }
  CHECK_INT(a, (long)n * N);
  CHECK_INT(b, (long)n * N);
  CHECK_INT(c, (long)n * N);
  CHECK_INT(d, (long)n * N);
  CHECK_INT(e, 2L * n * N);
  CHECK(tested > 0);
  CHECK_INT(omp_test_nest_lock(&nest), 1);
  CHECK_INT(omp_test_nest_lock(&nest), 2);
  int other = -1;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) other = omp_test_nest_lock(&nest);
  CHECK_INT(other, 0);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_set_lock(&lock);
  CHECK_INT(omp_test_lock(&lock), 0);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  omp_destroy_lock(&hinted);
  omp_destroy_nest_lock(&nest);
  return TEST_RESULT();
}
