/* Description: checks tasks inside target regions, target tasks with host dependences, and chains
 * of nowait constructs. */
#include "check.h"
#include <omp.h>

enum { N = 1000, CELLS = 64 };

#pragma omp declare target
static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
#pragma omp end declare target

static void on_device(void) {
  int value = 0;
#pragma omp target map(from : value)
  {
#pragma omp parallel num_threads(4)
#pragma omp single
    value = fib(15);
  }
  CHECK_INT(value, 610);
#pragma omp target map(from : value)
  value = fib(10);
  CHECK_INT(value, 55);
  int sum = 0;
#pragma omp target map(tofrom : sum)
#pragma omp taskgroup
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
    {
#pragma omp atomic
      sum += i;
    }
  }
  CHECK_INT(sum, 45);
}

static void chain(void) {
  int x[N], wrong = 0;
  for (int i = 0; i < N; i++) x[i] = i;
  for (int round = 0; round < 50; round++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    for (int i = 0; i < N; i++) x[i] += 1;
  }
#pragma omp taskwait
  for (int i = 0; i < N; i++) wrong += x[i] != i + 50;
  CHECK_INT(wrong, 0);
#pragma omp target enter data map(to : x) nowait depend(out : x)
#pragma omp target nowait depend(inout : x)
  for (int i = 0; i < N; i++) x[i] *= 2;
#pragma omp target exit data map(from : x) nowait depend(inout : x)
#pragma omp taskwait depend(in : x)
  for (int i = 0; i < N; i++) wrong += x[i] != 2 * (i + 50);
  CHECK_INT(wrong, 0);
#pragma omp target depend(inout : x) map(tofrom : x)
  x[0] = -1;
  CHECK_INT(x[0], -1);
}

static void among_tasks(void) {
  int cell[CELLS] = {0}, wrong = 0, last = 0;
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < CELLS; k++) {
#pragma omp target nowait map(tofrom : cell [k:1]) depend(out : cell[k])
    cell[k] = k + 1;
#pragma omp task depend(inout : cell[k]) shared(wrong, cell)
    {
      if (cell[k] != k + 1) {
#pragma omp atomic
        wrong++;
      }
      cell[k]++;
    }
/* clang-format off */
#pragma omp target nowait map(to : cell [k:1]) map(tofrom : last) depend(in : cell[k]) \
    depend(inout : last)
    /* clang-format on */
    last += cell[k];
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(last, CELLS * (CELLS + 1) / 2 + CELLS);
}

int main(void) {
  on_device();
  chain();
  among_tasks();
  return result();
}
