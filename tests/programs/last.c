/* Description: while a region runs on data that it found present, another thread ends that mapping:
 * the region's reference has become the last, and its end brings the data home, small and large. (A kernel that
 * waits for a host thread: only for devices that run it at once.)
 */
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { N = 256, LARGE = 1 << 16 };

int main(void) {
  static int data[N], large[LARGE];
  static volatile int step;
  uintptr_t at = (uintptr_t)&step; /* a literal: the host's word itself */
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
#pragma omp target map(tofrom : data, large) /* nothing of the old mappings is in the way */
  data[0] = large[0] = large[LARGE - 1] + 1;
  CHECK_INT(data[0], 44);
  CHECK_INT(large[0], 44);
  return result();
}
