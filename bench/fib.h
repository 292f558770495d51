/* Tasks to count: fib(FIB_OF) makes FIB_TASKS of them. Of questions about host threads. */
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

/* In a parallel region of the threads that are set; a wrong sum ends the program. */
static inline void run_fib(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(FIB_OF);
  if (result != FIB_IS) exit(1);
}

#endif
