/* LIBOMPTARGET_INFO: hold, several arguments per variable, several functions. */
#include <stdio.h>
static void axpy(int n, double a, double *x, double *y) {
#pragma omp target teams distribute parallel for map(to : x [0:n]) map(tofrom : y [0:n])
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}
int main(void) {
  double x[32], y[32];
  for (int i = 0; i < 32; i++) x[i] = i, y[i] = 1;
  axpy(32, 2, x, y);
#pragma omp target data map(ompx_hold, to : x) map(ompx_hold, tofrom : y)
  {
    axpy(32, 2, x, y);
    axpy(16, 2, x, y);
#pragma omp target exit data map(delete : x)
#pragma omp target map(ompx_hold, tofrom : y)
    y[0] = 4;
  }
#pragma omp target map(ompx_hold, tofrom : y) map(tofrom : x)
  y[0] = x[0];
#pragma omp target enter data map(to : x)
#pragma omp target data map(tofrom : x, y)
  axpy(32, 1, x, y);
#pragma omp target exit data map(from : x)
  printf("%g\n", y[1]);
}
