/* LIBOMPTARGET_INFO: nested data regions, associated memory. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int a[10] = {1}, b[10] = {2};
  int *d = omp_target_alloc(sizeof b, 0);
  omp_target_associate_ptr(b, d, sizeof b, 0, 0);
#pragma omp target update to(b)
#pragma omp target map(b)
  b[3] = b[0];
#pragma omp target update from(b)
#pragma omp target data map(a)
#pragma omp target data map(to : a) map(from : b)
#pragma omp target data map(a [2:3])
  {
#pragma omp target map(tofrom : a) map(b)
    a[2] = b[3];
  }
  omp_target_disassociate_ptr(b, 0);
  omp_target_free(d, 0);
  printf("%d %d\n", a[2], b[3]);
}
