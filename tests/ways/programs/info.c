#include <stdio.h>
int g = 7;
#pragma omp declare target(g)
struct s {
  int n;
  double *p;
};
int main(void) {
  int arr[4] = {1, 2, 3, 4}, scalar = 3;
  double d[8] = {0};
  struct s v = {8, d};
#pragma omp target teams map(tofrom : arr [0:4])
  arr[0] = 5;
#pragma omp target data map(to : d [0:8])
  {
#pragma omp target map(from : scalar) map(d [0:8])
    scalar = (int)d[0] + 1;
#pragma omp target update from(d [0:4])
  }
#pragma omp target map(v) map(v.p [0:8])
  v.p[1] = v.n;
#pragma omp target enter data map(to : arr)
#pragma omp target firstprivate(scalar)
  g += scalar + arr[1];
#pragma omp target exit data map(from : arr)
  printf("%d\n", arr[0]);
  return 0;
}
