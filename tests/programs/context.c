/* Description: checks that a target region is a new initial task: level, team size, nested parallel
 * region. */
#include "check.h"
#include <omp.h>

int main(void) {
  int level = -1, threads = -1, active = -1, inner = -1, num = -1, dev = -1;
  int d = omp_get_default_device();
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp target map(from : level, threads, active, inner, num, dev)
    {
      level = omp_get_level();
      threads = omp_get_num_threads();
      active = omp_in_parallel();
      num = omp_get_thread_num();
      int count = 0, on = 0;
#pragma omp parallel num_threads(2) reduction(+ : count) reduction(max : on)
      {
        count += 1;
        on = omp_get_device_num();
      }
      inner = count;
      dev = on;
    }
  }
  CHECK_INT(level, 0);
  CHECK_INT(threads, 1);
  CHECK_INT(active, 0);
  CHECK_INT(num, 0);
  CHECK_INT(inner >= 1 && inner <= 2, 1);
  CHECK_INT(dev, d);
  CHECK_INT(omp_get_level(), 0);
  return result();
}
