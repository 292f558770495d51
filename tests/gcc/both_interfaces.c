/* Description: checks with ThreadSanitizer that one team can call both interfaces, GOMP_* and
 * __kmpc_*. */
#include "abi/gomp/gomp.h"
#include "tests/unit/test.h"
#include <omp.h>

bool GOMP_loop_dynamic_start(long first, long last, long step, long chunk, long *start, long *end);
bool GOMP_loop_dynamic_next(long *start, long *end);

/* The program has no core of the library. */
int solo_program_has_images(void) {
  return 0;
}
int __tgt_get_num_devices(void) {
  return 0;
}

enum { N = 200 };
static int hit[N], sum, plain, task_sum;

static void task_body(void *data) {
  int value = *(int *)data;
  GOMP_critical_start();
  task_sum += value;
  GOMP_critical_end();
}

static void body(void *data) {
  long from, to;
  (void)data;
  for (bool more = GOMP_loop_dynamic_start(0, N, 1, 3, &from, &to); more;
       more = GOMP_loop_dynamic_next(&from, &to))
    for (long i = from; i < to; i++) hit[i]++;
  GOMP_loop_end(); /* a barrier: the next loop reads the stores */
#pragma omp for schedule(dynamic, 2) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += hit[N - 1 - i];
  GOMP_critical_start();
  plain++;
  GOMP_critical_end();
  if (GOMP_single_start()) {
    for (int i = 0; i < 20; i++)
      GOMP_task(task_body, &i, NULL, sizeof i, sizeof i, true, 0, NULL, 0, NULL);
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      task_body(&i);
    }
    GOMP_taskwait();
  }
  GOMP_barrier();
}

int main(void) {
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < N; i++) hit[i] = 0;
    sum = plain = task_sum = 0;
    GOMP_parallel(body, NULL, 0, 0);
    CHECK_INT(sum, N);
    CHECK_INT(plain, omp_get_max_threads());
    CHECK_INT(task_sum, 2 * 190);
    sum = plain = task_sum = 0;
    for (int i = 0; i < N; i++) hit[i] = 0;
#pragma omp parallel
    body(NULL);
    CHECK_INT(sum, N);
    CHECK_INT(plain, omp_get_max_threads());
    CHECK_INT(task_sum, 2 * 190);
  }
  return TEST_RESULT();
}
