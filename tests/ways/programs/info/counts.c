/* LIBOMPTARGET_INFO: if, device clauses, delete, release, close. */
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a[4] = {0}, b[4] = {0}, c = 1;
#pragma omp target if (c == 2) map(a)
  a[0] = 1;
#pragma omp target device(0) map(a)
  a[1] = 2;
#pragma omp target device(omp_get_initial_device()) map(a)
  a[2] = 2;
#pragma omp target enter data map(to : a) map(to : b)
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(release : a) map(release : b)
#pragma omp target exit data map(release : a)
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(delete : a)
#pragma omp target exit data map(delete : a)
#pragma omp target exit data map(from : b)
#pragma omp target map(close, tofrom : b)
  b[1] = 3;
#pragma omp target map(always, tofrom : b)
  b[2] = 3;
#pragma omp target parallel map(tofrom : c)
  c = 4;
  printf("%d %d\n", a[1], b[1]);
}
