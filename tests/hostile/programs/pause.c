/* omp_pause_resource_all between regions. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int w = 0;
  static int g[10];
  for (int i = 0; i < 50; i++) {
    w += region(i) != i + 1 || team() < 1;
    if (i % 5 == 0) (void)omp_pause_resource_all(i % 2 ? omp_pause_soft : omp_pause_hard);
#pragma omp target data map(tofrom : g)
    {
#pragma omp target
      g[1]++;
    }
  }
  printf("%d %d\n", w, g[1]);
  return w || g[1] != 50;
}
