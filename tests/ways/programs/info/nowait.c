/* LIBOMPTARGET_INFO: nowait. */
#include <stdio.h>
int main(void) {
  int a[40] = {0}, b[40] = {0};
#pragma omp target nowait map(tofrom : a) depend(out : a)
  a[12] = 1;
#pragma omp target nowait map(tofrom : a, b) depend(in : a)
  b[13] = a[12];
#pragma omp taskwait
#pragma omp target enter data map(to : a) nowait
#pragma omp taskwait
#pragma omp target update from(a) nowait
#pragma omp taskwait
#pragma omp target exit data map(from : a) nowait
#pragma omp taskwait
  printf("%d\n", b[13]);
}
