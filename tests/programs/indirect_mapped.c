/* Description: checks that a kernel argument is translated if it points to a declare target
 * indirect function, and otherwise stays unchanged.
 *   Options: -fopenmp-version=52
 */
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
int where = 0; /* written only on the device */
#pragma omp end declare target

#pragma omp begin declare target indirect
int get(void) {
  return where;
}
int twice(int x) {
  return 2 * x + where;
}
#pragma omp end declare target

int plain(void) {
  return 5;
}

int main(void) {
  int (*fp)(void) = get, (*fn)(int) = twice, (*other)(void) = plain;
  int got = 0, two = 0, same = 0;
  void *back = NULL;
#pragma omp target
  where = 7;
#pragma omp target map(from : got, two)
  {
    got = fp();
    two = fn(10);
  }
  CHECK_INT(got, 7);
  CHECK_INT(two, 27);
#if __clang_major__ < 20 /* Clang 22 passes firstprivate pointers by value */
  got = 0;
#pragma omp target map(from : got) firstprivate(fp)
  got = fp();
  CHECK_INT(got, 7);
#endif
  const void *host = (const void *)(size_t)other;
#pragma omp target map(from : same, back)
  {
    same = (const void *)(size_t)other == host;
    back = (void *)(size_t)fp;
  }
  CHECK_INT(same, 1);
  CHECK_INT((size_t)back,
            (size_t)omp_get_mapped_ptr((void *)(size_t)get, omp_get_default_device()));
  CHECK_INT(back != NULL, 1);
  CHECK_INT(where, 0); /* the kernels did not change the host's variable */
  CHECK_INT(fp(), 0);
  CHECK_INT(fn(10), 20);
  return result();
}
