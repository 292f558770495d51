/* Description: checks reductions: operators, many variables, arrays, declared reductions, nowait,
 * nesting. */
#include "tests/unit/test.h"
#include <complex.h>
#include <omp.h>
#include <sched.h>

enum { N = 1000 };
typedef struct pair {
  int low, high;
} pair;
static void merge(pair *a, const pair *b) {
  if (b->low < a->low) a->low = b->low;
  if (b->high > a->high) a->high = b->high;
}
#pragma omp declare reduction(span:pair                                                            \
                              : merge(&omp_out, &omp_in))                                          \
    initializer(omp_priv = {1 << 30, -(1 << 30)})

/* Slow, so that two threads that combine concurrently lose an addition. */
static long slow_add(const volatile long *a, long b) {
  long was = *a;
  sched_yield();
  return was + b;
}
#pragma omp declare reduction(slowly:long : omp_out = slow_add(&omp_out, omp_in))

int main(void) {
  /* a reduction of five variables uses the runtime's lock; a reduction of one variable uses atomics */
  long slow = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0;
  for (int k = 0; k < 30; k++) {
#pragma omp parallel reduction(slowly : slow)
    slow += 1;
#pragma omp parallel reduction(slowly : slow, s2, s3, s4, s5)
    slow++, s2++, s3++, s4++, s5++;
  }
  int threads = atoi(getenv("OMP_NUM_THREADS"));
  CHECK_INT(slow, 60 * threads);
  CHECK_INT(s2 + s3 + s4 + s5, 120 * threads);
  long sum = 5, product = 1, and_bits = -1, or_bits = 0, xor_bits = 0;
  int least = 1 << 30, most = -1, all = 1, any = 0;
  double real = 0;
  float single_precision = 0;
  long double wide = 0;
  double complex z = 0;
#pragma omp parallel for reduction(+ : sum, real, single_precision, wide, z) reduction(* : product) \
    reduction(& : and_bits) reduction(| : or_bits) reduction(^ : xor_bits) reduction(min : least)   \
    reduction(max : most) reduction(&& : all) reduction(|| : any)
  for (int i = 0; i < N; i++) {
    sum += i;
    real += 0.5;
    single_precision += 1;
    wide += 0.25L;
    z += 1 + 2 * I;
    if (i < 10) product *= 2;
    and_bits &= ~(1L << i % 20);
    or_bits |= 1L << i % 20;
    xor_bits ^= i;
    least = i < least ? i : least;
    most = i > most ? i : most;
    all = all && i >= 0;
    any = any || i == 77;
  }
  CHECK_INT(sum, 5 + N * (N - 1) / 2);
  CHECK_INT(product, 1024);
  CHECK_INT(and_bits, ~0xFFFFFL);
  CHECK_INT(or_bits, 0xFFFFF);
  CHECK_INT(xor_bits, 0);
  CHECK_INT(least, 0);
  CHECK_INT(most, N - 1);
  CHECK(all && any && real == N / 2 && single_precision == N && wide == N / 4);
  CHECK(creal(z) == N && cimag(z) == 2 * N);

  int histogram[16] = {0};
#pragma omp parallel for reduction(+ : histogram[:16])
  for (int i = 0; i < N; i++) histogram[i % 16]++;
  for (int i = 0; i < 16; i++) CHECK_INT(histogram[i], N / 16 + (i < N % 16));
  pair p = {1 << 30, -(1 << 30)};
#pragma omp parallel for reduction(span : p)
  for (int i = 0; i < N; i++) merge(&p, &(pair){i - 3, i + 3});
  CHECK_INT(p.low, -3);
  CHECK_INT(p.high, N + 2);

  long total = 0, once = 0;
  int n = 0;
#pragma omp parallel reduction(+ : total)
  {
    total += 1;
    for (int k = 0; k < 50; k++) {
#pragma omp for reduction(+ : once)
      for (int i = 0; i < 100; i++) once++;
#pragma omp for reduction(+ : once) nowait schedule(dynamic, 7)
      for (int i = 0; i < 100; i++) once++;
#pragma omp barrier
    }
#pragma omp master
    n = omp_get_num_threads();
  }
  CHECK_INT(total, n);
  CHECK_INT(once, 10000);
  long scanned[N], running = 0;
#pragma omp parallel for reduction(inscan, + : running)
  for (int i = 0; i < N; i++) {
    running += i;
#pragma omp scan inclusive(running)
    scanned[i] = running;
  }
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += scanned[i] != (long)i * (i + 1) / 2;
  CHECK_INT(wrong, 0);
  return TEST_RESULT();
}
