/* LIBOMPTARGET_INFO: reductions, scalars, implicit. */
#include <stdio.h>
int main(void) {
  double sum = 0, a[100];
  int m = 3;
  char c = 'a';
  long long l = 4;
  _Complex double z = 1;
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += a[i] * m;
#pragma omp target defaultmap(tofrom : scalar)
  {
    m++;
    c++;
    l++;
  }
#pragma omp target map(z)
  z += 1;
  printf("%g %d\n", sum, m);
}
