/* LIBOMPTARGET_INFO: multidimensional and variable-length arrays. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = 4 + argc;
  int m = 6;
  double a[n][m];
  float b[3][4][5];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i + j;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j]++;
#pragma omp target map(a [1:2][:])
  a[1][1] = 5;
#pragma omp target data map(b)
  {
#pragma omp target update to(b [0:2])
#pragma omp target map(from : b[1])
    b[1][1][1] = 7;
#pragma omp target update from(b [1:1])
  }
  printf("%g %g\n", a[1][1], b[1][1][1]);
}
