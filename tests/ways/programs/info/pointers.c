/* LIBOMPTARGET_INFO: pointers, zero-length, firstprivate, private. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int n = 30;
  double *p = calloc(n, 8), *q = calloc(n, 8);
  float f = 2;
  struct {
    int a, b;
  } st = {1, 2};
  int arr[5] = {1};
  int priv[10];
#pragma omp target data map(to : p [0:n])
  {
#pragma omp target firstprivate(n, st, arr) private(priv)
    {
      for (int i = 0; i < n; i++) p[i] = st.b * arr[0];
      priv[0] = 1;
    }
#pragma omp target map(q [0:n])
    q[0] = p[0] + f;
#pragma omp target map(q [0:0])
    {
      if (q == 0) p[0] = 1;
    }
#pragma omp target data use_device_ptr(p)
    { n++; }
#pragma omp target is_device_ptr(p)
    { f = 1; }
  }
  printf("%g\n", q[0]);
}
