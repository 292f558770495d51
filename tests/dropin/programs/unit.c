/* A kernel, a declare target function and a table that other units use. */
#include "unit.h"

#pragma omp declare target
int shared_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
int device_square(int x) {
  return x * x;
}
#pragma omp end declare target

long unit_sum(const int *values, int count) {
  long sum = 0;
#pragma omp target teams distribute parallel for map(to : values [0:count]) reduction(+ : sum)
  for (int i = 0; i < count; i++) sum += device_square(values[i]) + shared_table[i & 15];
  return sum;
}
