/* LIBOMPTARGET_INFO: sections. */
#include <stdio.h>
int main(void) {
  double a[100], b[100];
  int n = 50;
  for (int i = 0; i < 100; i++) a[i] = i, b[i] = 0;
#pragma omp target teams distribute parallel for map(to : a [10:n]) map(from : b [10:n])
  for (int i = 10; i < 60; i++) b[i] = a[i];
#pragma omp target data map(to : a[:n]) map(alloc : b [0:100])
  {
#pragma omp target teams distribute parallel for map(from : b [0:n])
    for (int i = 0; i < 50; i++) b[i] = a[i];
#pragma omp target update from(b [20:10])
#pragma omp target update to(a [20:10])
  }
  printf("%g\n", b[30]);
}
