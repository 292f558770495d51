#include "abi/include/omp.h"
#include "runtime/base/platform.h"

SOLO_EXPORT double omp_get_wtime(void) {
  return (double)solo_now_ns() * 1e-9;
}

SOLO_EXPORT double omp_get_wtick(void) {
  return 1e-9;
}
