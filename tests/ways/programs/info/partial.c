/* LIBOMPTARGET_INFO: partially present sections. */
#include <stdio.h>
int main(void) {
  int a[40] = {0};
#pragma omp target data map(tofrom : a [10:10])
  {
#pragma omp target map(a [12:4])
    a[12] = 1;
#pragma omp target map(a [10:10])
    a[13] = 1;
#pragma omp target map(a [10:0])
    a[14] = 1;
#pragma omp target data map(a [11:2])
    { a[0] = 1; }
  }
  printf("%d\n", a[12]);
}
