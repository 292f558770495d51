/* LIBOMPTARGET_INFO: struct with pointer member. */
#include <stdio.h>
#include <stdlib.h>
struct s {
  int n;
  double *p;
  struct s *next;
};
int main(void) {
  double d[8] = {0};
  struct s v = {8, d, 0};
#pragma omp target map(tofrom : v.p [0:8]) map(to : v.n)
  v.p[1] = v.n;
#pragma omp target map(tofrom : v)
  v.n++;
#pragma omp target data map(v) map(v.p [0:4])
  {
#pragma omp target map(v.p [0:4])
    v.p[2] = 1;
#pragma omp target map(alloc : v.n)
    v.n++;
  }
  printf("%g %d\n", d[1], v.n);
}
