/* 5,000 nested target data constructs. */
#include "tests/hostile/programs/hostile.h"
static int deep(int n) {
  int a[8] = {n};
  int r = 0;
  if (!n) return region(1) != 2;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target
    a[1] = a[0];
    r = deep(n - 1);
  }
  return r + (a[1] != n);
}
int main(void) {
  int w = deep(5000);
  printf("%d\n", w);
  return w;
}
