/* 300,000 mappings exist at the same time. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int n = 300000, w = 0;
  char *p = malloc(n * 16ul);
  for (int i = 0; i < n; i++) {
    char *q = p + i * 16l;
#pragma omp target enter data map(to : q [0:8])
  }
  for (int i = 0; i < n; i += 1000) w += !omp_target_is_present(p + i * 16l, 0);
  for (int i = n - 1; i >= 0; i--) {
    char *q = p + i * 16l;
#pragma omp target exit data map(delete : q [0:8])
  }
  w += omp_target_is_present(p, 0);
  printf("%d\n", w);
  return w;
}
