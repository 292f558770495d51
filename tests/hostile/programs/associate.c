/* Repeated, overlapping and missing associations. */
#include "tests/hostile/programs/hostile.h"
int main(void) {
  int w = 0;
  static int a[100];
  int *d = omp_target_alloc(800, 0);
  w += omp_target_associate_ptr(a, d, 400, 0, 0) != 0;
  w += omp_target_associate_ptr(a, d, 400, 0, 0) != 0;
  w += omp_target_associate_ptr(a, d, 400, 4, 0) == 0;
  w += omp_target_associate_ptr(a + 10, d, 40, 0, 0) == 0;
  w += omp_target_associate_ptr(a, d, 404, 0, 0) == 0;
  w += !omp_target_is_present(a + 99, 0);
#pragma omp target map(always, tofrom : a [0:100])
  a[5] = 7;
  w += a[5] != 7;
#pragma omp target exit data map(delete : a)
  /* an association has an infinite reference count, so delete removes nothing */
  w += !omp_target_is_present(a, 0);
  w += omp_target_disassociate_ptr(a, 0) != 0;
  w += omp_target_is_present(a, 0);
  w += omp_target_disassociate_ptr(a, 0) == 0;
  omp_target_free(d, 0);
  printf("%d\n", w);
  return w;
}
