/* Description: while a region runs on data that it found present, another thread ends that mapping:
 * the region's reference has become the last, and its end brings the data home. (A kernel that
 * waits for a host thread: only for devices that run it at once.)
 */
#include "check.h"
#include <omp.h>
#include <stdint.h>

enum { N = 256 };

int main(void) {
  static int data[N];
  static volatile int step;
  uintptr_t at = (uintptr_t)&step; /* a literal: the host's word itself */
#pragma omp target enter data map(to : data)
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp target map(tofrom : data)
      {
        *(volatile int *)at = 1;
        while (*(volatile int *)at != 2) {
        }
        data[N - 1] = 42;
      }
    } else {
      while (step != 1) {
      }
#pragma omp target exit data map(release : data)
      step = 2;
    }
  }
  CHECK_INT(data[N - 1], 42);
  CHECK_INT(omp_target_is_present(data, omp_get_default_device()), 0);
  return result();
}
