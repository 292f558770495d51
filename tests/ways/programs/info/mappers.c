/* LIBOMPTARGET_INFO: mappers. */
#include <stdio.h>
typedef struct {
  int n;
  int *p;
} vec;
#pragma omp declare mapper(id : vec v) map(v, v.p [0:v.n])
int main(void) {
  int d[10] = {1, 2, 3};
  vec v = {10, d};
#pragma omp target map(mapper(id), tofrom : v)
  v.p[0] = 7;
#pragma omp target data map(mapper(id), tofrom : v)
  {
#pragma omp target map(mapper(id), tofrom : v)
    v.p[1] = 8;
#pragma omp target update from(mapper(id) : v)
  }
  vec w[2] = {{10, d}, {0, 0}};
#pragma omp target enter data map(mapper(id), to : w [0:1])
#pragma omp target exit data map(mapper(id), from : w [0:1])
  printf("%d %d\n", d[0], d[1]);
}
