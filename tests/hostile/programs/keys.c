/* Regions, tasks and errors work after other code has allocated all PTHREAD_KEYS_MAX
 * thread-specific keys. The values and destructors of these keys are unaffected. */
#include "tests/unit/test.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

enum { N = 64, ROUNDS = 100, THREADS = 4, TURNS = 20 };
static pthread_key_t first;
static _Atomic int strange, ended;

static void end(void *value) {
  if ((uintptr_t)value != 4711) strange++;
  ended++;
}

static void *work(void *sum) {
  pthread_setspecific(first, (void *)(uintptr_t)4711);
  int data[N] = {0}, threads = 0;
  for (int turn = 0; turn < TURNS; turn++) {
#pragma omp target teams distribute parallel for map(tofrom : data)
    for (int i = 0; i < N; i++) data[i] += i;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    {
#pragma omp task shared(threads)
      (void)threads;
      threads++;
    }
  }
  CHECK(omp_target_memcpy(data, NULL, 1, 0, 0, 99, 99) != 0);
  for (int i = 0; i < N; i++) *(int *)sum += data[i];
  if ((uintptr_t)pthread_getspecific(first) != 4711) strange++;
  return NULL;
}

int main(void) {
  (void)omp_get_max_threads(); /* with libomp, this call makes libomp create its key */
  CHECK_INT(pthread_key_create(&first, end), 0);
  pthread_key_t key;
  for (int i = 0; i < PTHREAD_KEYS_MAX; i++)
    if (pthread_key_create(&key, NULL) != 0) break;
  CHECK(pthread_key_create(&key, NULL) != 0);
  /* Short rounds: a thread ends while its workers still search for work. */
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t t[THREADS];
    int sum[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) CHECK_INT(pthread_create(&t[i], NULL, work, &sum[i]), 0);
    for (int i = 0; i < THREADS; i++) {
      CHECK_INT(pthread_join(t[i], NULL), 0);
      CHECK_INT(sum[i], TURNS * N * (N - 1) / 2);
    }
  }
  CHECK_INT(strange, 0);
  CHECK_INT(ended, ROUNDS * THREADS);
  return TEST_RESULT();
}
