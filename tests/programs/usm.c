/* Description: checks unified_shared_memory: no copies, valid host pointers. The present modifier
 * accepts unmapped data; the close modifier maps. */
#include "check.h"
#include <omp.h>
#include <stdint.h>
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
  CHECK_INT(same, 1);
  CHECK_INT(p[5], 55);
  CHECK_INT(a[1], 22);
  CHECK_INT(shared_global, 5);
  const int device = omp_get_default_device();
  CHECK_INT(omp_target_is_present(p, device), 0);
  CHECK_INT(omp_get_mapped_ptr(p, device) == NULL, 1);
#pragma omp target data map(alloc : a)
#pragma omp target map(present, alloc : a)
  a[2] = 33;
  CHECK_INT(a[2], 33);
#pragma omp target enter data map(present, to : a)
#pragma omp target exit data map(present, from : a)
#pragma omp target enter data map(close, to : a)
  CHECK_INT(omp_target_is_present(a, device), 1);
  CHECK_INT(omp_get_mapped_ptr(a, device) != (void *)a, 1);
#pragma omp target map(alloc : a)
  a[3] = 44;
  CHECK_INT(a[3], 4);
#pragma omp target exit data map(from : a)
  CHECK_INT(a[3], 44);
  CHECK_INT(omp_target_is_present(a, device), 0);
  uintptr_t number = (uintptr_t)a; /* as an integer, because the runtime translates pointers */
#pragma omp target map(tofrom : a) /* uses the host's memory, because no mapping remains */
  a[0] = (uintptr_t)a == number;
  CHECK_INT(a[0], 1);
  free(p);
  return result();
}
