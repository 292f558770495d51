/* A member of a static library. */
#include "unit.h"
#include <omp.h>

long library_sum(const int *values, int count) {
  long sum = 0;
#pragma omp target map(to : values [0:count]) map(tofrom : sum)
  for (int i = 0; i < count; i++) sum += values[i] * shared_table[i % 16];
  return sum;
}

int library_threads(void) {
  int threads = 0;
#pragma omp target map(from : threads)
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
  return threads;
}
