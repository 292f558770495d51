/* LIBOMPTARGET_INFO: declare target, to and link. */
#include <stdio.h>
#pragma omp declare target
int g[16];
double scale = 2;
int twice(int x) {
  return 2 * x;
}
#pragma omp end declare target
int big[64];
#pragma omp declare target link(big)
int main(void) {
  for (int i = 0; i < 64; i++) big[i] = i;
#pragma omp target update to(g, scale)
#pragma omp target
  g[0] = twice(4) * (int)scale;
#pragma omp target map(g)
  g[1] = 5;
#pragma omp target update from(g)
#pragma omp target map(tofrom : big)
  big[3] = twice(big[3]);
#pragma omp target enter data map(to : big)
#pragma omp target
  big[4] = twice(big[4]);
#pragma omp target exit data map(from : big)
  printf("%d %d %d\n", g[0], big[3], big[4]);
}
