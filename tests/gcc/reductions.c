/* Task reductions of all constructs. */
#include "tests/gcc/check.h"

#include <omp.h>

typedef struct pair {
  long a, b;
} pair;
#pragma omp declare reduction(add:pair                                                             \
                              : omp_out.a += omp_in.a, omp_out.b += omp_in.b)                      \
    initializer(omp_priv = {0, 0})
#pragma omp declare reduction(from:long                                                            \
                              : omp_out += omp_in - 100)                                           \
    initializer(omp_priv = omp_orig * 0 + 100)

enum { N = 100 };

static void in_groups(void) {
  long sum = 3, product = 1, custom = 0;
  pair p = {1, 2};
  double array[4] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, array) task_reduction(* : product) task_reduction(add : p) \
    task_reduction(from : custom)
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum, array) in_reduction(add : p) in_reduction(from : custom)
    {
      sum += i;
      array[i % 4] += i;
      p.a += 1;
      p.b += i;
      custom += 2;
#pragma omp task in_reduction(+ : sum)
      sum += 1;
    }
    if (i < 3) {
#pragma omp task in_reduction(* : product)
      product *= 5;
    }
  }
  CHECK(sum == 3 + N * (N - 1) / 2 + N && product == 125);
  CHECK(p.a == 1 + N && p.b == 2 + N * (N - 1) / 2 && custom == 2 * N);
  CHECK(array[0] + array[1] + array[2] + array[3] == N * (N - 1) / 2 && array[1] == 25 * 49);
}

static void nested_groups(void) {
  int outer = 0, inner = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner)
      {
        int own = 0;
#pragma omp taskgroup task_reduction(+ : own)
        for (int k = 0; k < 5; k++) {
#pragma omp task in_reduction(+ : outer, own)
          outer++, own++;
        }
#pragma omp atomic
        inner += own;
        outer++;
      }
    }
  }
  CHECK(outer == 60 && inner == 50);
}

static void in_taskloops(void) {
  long sum = 0, other = 7;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += i;
#pragma omp taskloop reduction(+ : other)
    for (int i = 0; i < 0; i++) other += i;
#pragma omp taskgroup task_reduction(+ : sum)
#pragma omp taskloop in_reduction(+ : sum) grainsize(3)
    for (unsigned long long i = 0; i < N; i++) sum += (long)i;
  }
  CHECK(sum == N * (N - 1) && other == 7);
}

static void in_regions(void) {
  int sum = 0, threads = 0;
#pragma omp parallel reduction(task, + : sum) reduction(+ : threads)
  {
    threads++;
    sum++;
#pragma omp task in_reduction(+ : sum)
    sum += 10;
  }
  CHECK(threads == omp_get_max_threads() && sum == 11 * threads);
  for (int round = 0; round < 10; round++) {
    long loop = 0, inlined = 0, sections = 0;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : loop) schedule(dynamic, 3)
      for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : loop)
        loop += i;
      }
#pragma omp for reduction(task, + : inlined)
      for (unsigned long long i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : inlined)
        inlined += (long)i;
      }
#pragma omp sections reduction(task, + : sections)
      {
#pragma omp section
        {
#pragma omp task in_reduction(+ : sections)
          sections += 1;
        }
#pragma omp section
        {
#pragma omp task in_reduction(+ : sections)
          sections += 2;
        }
      }
    }
    CHECK(loop == N * (N - 1) / 2 && inlined == loop && sections == 3);
  }
#pragma omp parallel for reduction(task, + : sum) schedule(guided)
  for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  CHECK(sum == 11 * threads + N);
}

int gcc_test(void) {
  in_groups();
  nested_groups();
  in_taskloops();
  in_regions();
  return failures;
}
