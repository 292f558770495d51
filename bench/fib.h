/* Tasks for the questions on host threads: fib(FIB_OF) creates FIB_TASKS tasks. */
#ifndef SOLO_BENCH_FIB_H
#define SOLO_BENCH_FIB_H

#include <stdlib.h>

enum { FIB_OF = 20, FIB_IS = 6765, FIB_TASKS = 21890 };

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

/* Ends the program if the result is wrong. */
static inline void run_fib(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(FIB_OF);
  if (result != FIB_IS) exit(1);
}

#endif
