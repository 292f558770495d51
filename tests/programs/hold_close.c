/* Description: checks ompx_hold (protects from delete), close (allocates) and present. */
#include "check.h"
#include <omp.h>

int main(void) {
  int d = omp_get_default_device();
  int a[8] = {1};
#pragma omp target data map(ompx_hold, tofrom : a)
  {
#pragma omp target exit data map(delete : a)
    CHECK_INT(omp_target_is_present(a, d), 1);
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(delete : a)
    CHECK_INT(omp_target_is_present(a, d), 1);
#pragma omp target map(present, alloc : a)
    a[0] = 12;
  }
  CHECK_INT(omp_target_is_present(a, d), 0);
  CHECK_INT(a[0], 12);
#pragma omp target map(close, tofrom : a)
  a[1] = 13;
  CHECK_INT(a[1], 13);
#pragma omp target enter data map(to : a)
#pragma omp target data map(ompx_hold, alloc : a)
  {
#pragma omp target
    a[2] = 14;
  }
  CHECK_INT(omp_target_is_present(a, d), 1);
  CHECK_INT(a[2], 0);
#pragma omp target exit data map(from : a)
  CHECK_INT(a[2], 14);
  return result();
}
