/* Zero-length array sections of NULL and of mapped and unmapped memory. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int *p = malloc(40), *z = 0, w = 0, r = 0;
  long n = 0;
#pragma omp target map(tofrom : p [0:n], z [0:n]) map(from : r)
  r = 1;
  w += r != 1;
#pragma omp target enter data map(to : z [0:0], p [0:n])
#pragma omp target exit data map(from : z [0:0], p [0:n])
#pragma omp target update to(p [0:n])
  w += omp_target_is_present(p, 0);
  n = 10;
#pragma omp target enter data map(to : p [0:n])
#pragma omp target map(tofrom : p [5:0]) map(from : r)
  r = 2;
  w += r != 2;
#pragma omp target exit data map(release : p [0:n])
  w += omp_target_is_present(p, 0);
  printf("%d\n", w);
  return w;
}
