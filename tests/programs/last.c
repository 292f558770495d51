/* Description: another thread releases a mapping while a region uses it. The end of the region must
 * then copy the data to the host. The kernel waits for a host thread, so the test needs a
 * synchronous device. */
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { N = 256, LARGE = 1 << 16 };

int main(void) {
  static int data[N], large[LARGE];
  static volatile int step;
  uintptr_t at = (uintptr_t)&step; /* as an integer, so that the kernel uses the host's variable */
#pragma omp target enter data map(to : data, large)
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target map(tofrom : data, large)
      {
        *(volatile int *)at = 1;
        while (*(volatile int *)at != 2) {
        }
        data[N - 1] = 42;
        large[LARGE - 1] = 43;
      }
    } else {
      while (step != 1) {
      }
#pragma omp target exit data map(release : data, large)
      step = 2;
    }
  }
  CHECK_INT(data[N - 1], 42);
  CHECK_INT(large[LARGE - 1], 43);
  CHECK_INT(omp_target_is_present(large, omp_get_default_device()), 0);
  CHECK_INT(omp_target_is_present(data, omp_get_default_device()), 0);
#pragma omp target map(tofrom : data, large) /* the old mappings must be gone */
  data[0] = large[0] = large[LARGE - 1] + 1;
  CHECK_INT(data[0], 44);
  CHECK_INT(large[0], 44);
  return result();
}
