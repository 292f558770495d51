/* Program of mixed.sh that shares data with a Fortran library. */
#include <stdio.h>

void add_index(double *a, int n);

int main(void) {
  enum { N = 100 };
  double a[N] = {0};
  int early = 0;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < N; i++) a[i] = 1;
    add_index(a, N);
    early = a[0] != 0;
  }
  for (int i = 0; i < N; i++)
    if (a[i] != 2 + i) return 2;
  if (early) puts("the host has results before they were fetched");
  return early;
}
