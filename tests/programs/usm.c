/* Description: requires unified_shared_memory: no copies, host pointers are good on the device. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory

#pragma omp declare target
int shared_global = 4;
#pragma omp end declare target

int main(void) {
  int *p = malloc(10 * sizeof *p), a[4] = {1, 2, 3, 4};
  int same = 0;
  int *host = a;
#pragma omp target map(tofrom : a) map(from : same)
  {
    same = (void *)a == (void *)host;
    p[5] = 55;
    a[1] = 22;
    shared_global += 1;
  }
  CHECK(same, 1);
  CHECK(p[5], 55);
  CHECK(a[1], 22);
  CHECK(shared_global, 5);
  CHECK(omp_target_is_present(p, omp_get_default_device()), 1);
  free(p);
  return result();
}
