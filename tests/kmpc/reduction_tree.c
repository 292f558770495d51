/* Description: checks tree reductions: bit-identical sums, nowait, nesting, target regions,
 * concurrent tasks.
 * Env: KMP_DETERMINISTIC_REDUCTION=true OMP_MAX_ACTIVE_LEVELS=3 */
#include "tests/unit/test.h"
#include <omp.h>

enum { N = 997, MOST = 64, ELEMENTS = 300 };
static double value[N];

/* Adds in the order of the runtime's tree: thread t combines with t+1, then t+2, t+4 ... */
static double fold(const double *part, int size) {
  double sum[MOST];
  for (int t = 0; t < size; t++) sum[t] = part[t];
  for (int bit = 1; bit < size; bit <<= 1)
    for (int t = 0; t + bit < size; t += 2 * bit) sum[t] += sum[t + bit];
  return sum[0];
}

static int differ(double a, double b) {
  return memcmp(&a, &b, sizeof a) != 0;
}

static double expected(int size) {
  double part[MOST] = {0};
#pragma omp parallel num_threads(size)
  {
    double mine = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) mine += value[i];
    part[omp_get_thread_num()] = mine;
  }
  return fold(part, size);
}

static void sums(int size) {
  double right = expected(size);
  int wrong = 0;
  for (int k = 0; k < 40; k++) {
    double sum = 0, inside = 0, apart = 0;
#pragma omp parallel for num_threads(size) schedule(static) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += value[i];
    wrong += differ(sum, right);
#pragma omp parallel num_threads(size)
    {
#pragma omp for schedule(static) reduction(+ : inside)
      for (int i = 0; i < N; i++) inside += value[i];
      if (differ(inside, right)) {
#pragma omp atomic
        wrong++;
      }
#pragma omp for schedule(static) reduction(+ : apart) nowait
      for (int i = 0; i < N; i++) apart += value[i];
    }
    wrong += differ(apart, right);
  }
  CHECK_INT(wrong, 0);
}

static void in_target(int size) {
  double right = expected(size), sum = 0;
  for (int k = 0; k < 20; k++) {
    sum = 0;
#pragma omp target parallel for num_threads(size) schedule(static) map(tofrom : sum)               \
    map(to : value) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += value[i];
    CHECK(!differ(sum, right));
  }
}

static void among_tasks(int size) {
  long sum = 0, tasks = 0;
#pragma omp parallel num_threads(size)
  for (int k = 0; k < 20; k++) {
#pragma omp single nowait
    for (int i = 0; i < 10; i++) {
#pragma omp task
      {
#pragma omp atomic
        tasks++;
      }
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += 1;
  }
  CHECK_INT(tasks, 200);
  CHECK_INT(sum, 2000);
}

/* A thread that waits in the tree runs tasks, which may contain reductions. */
static void inside_tasks(int size) {
  long sum = 0, inner = 0;
  int serial = 1;
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task
      {
        long mine = 0;
#pragma omp parallel if (!serial) reduction(+ : mine)
        mine += 5;
#pragma omp atomic
        inner += mine;
      }
    }
    sum += 1;
  }
  CHECK_INT(sum, size);
  CHECK_INT(inner, 15 * size);
}

int main(void) {
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  for (int i = 0; i < N; i++) value[i] = 1.0 / (i + 1) * (i % 3 ? 1e-7 : 1e9);
  sums(threads);
  sums(3);
  sums(threads + 1);
  in_target(threads);
  among_tasks(threads);
  for (int i = 0; i < 20; i++) inside_tasks(threads + 2);

  int array[ELEMENTS] = {0};
#pragma omp parallel reduction(+ : array)
  for (int i = 0; i < ELEMENTS; i++) array[i] += i;
  for (int i = 0; i < ELEMENTS; i++) CHECK_INT(array[i], i * threads);

  long outer = 0;
#pragma omp parallel num_threads(3) reduction(+ : outer)
  {
    long inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    inner += 1;
    outer += inner;
  }
  CHECK_INT(outer, 6);
  return TEST_RESULT();
}
