/* Description: checks use_device_ptr, use_device_addr, is_device_ptr, has_device_addr, zero-length
 * sections, unmapped pointers. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>

int main(void) {
  enum { N = 16 };
  int d = omp_get_default_device();
  int *p = malloc(N * sizeof *p), a[N];
  for (int i = 0; i < N; i++) p[i] = a[i] = i;
#pragma omp target data map(tofrom : p [0:N], a)
  {
    int *host = p, *dev = NULL;
#pragma omp target data use_device_ptr(p)
    dev = p;
    CHECK_INT(dev == omp_get_mapped_ptr(host, d), 1);
    CHECK_INT(dev != host, 1);
    int *da = NULL;
#pragma omp target data use_device_addr(a)
    da = a;
    CHECK_INT(da == omp_get_mapped_ptr(a, d), 1);
#pragma omp target is_device_ptr(dev)
    dev[3] = 33;
#pragma omp target data use_device_addr(a)
#pragma omp target has_device_addr(a)
    a[4] = 44;
  }
  CHECK_INT(p[3], 33);
  CHECK_INT(a[4], 44);
  int *q = p, *kept = NULL;
#pragma omp target data map(a) use_device_ptr(q)
  kept = q;
  CHECK_INT(kept == p, 1);

  int *other = (int *)omp_target_alloc(N * sizeof(int), d);
  CHECK_INT(other != NULL, 1);
#pragma omp target is_device_ptr(other)
  for (int i = 0; i < N; i++) other[i] = 7 * i;
  CHECK_INT(omp_target_memcpy(p, other, N * sizeof(int), 0, 0, omp_get_initial_device(), d), 0);
  CHECK_INT(p[5], 35);
  omp_target_free(other, d);

  int seen = 0;
#pragma omp target map(tofrom : seen) map(p [0:0])
  seen = p != NULL;
  CHECK_INT(seen, 1); /* no mapping: the region receives the host address */
#pragma omp target enter data map(to : p [0:N])
  p[0] = -1;
  seen = 0;
#pragma omp target map(tofrom : seen) map(p [0:0])
  seen = p[0];
  CHECK_INT(seen, 0);
  seen = 0;
#pragma omp target map(tofrom : seen)
  seen = p[5];
  CHECK_INT(seen, 35);
#pragma omp target exit data map(delete : p [0:N])
  free(p);
  return result();
}
