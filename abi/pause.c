/* Replaces libomp's omp_pause_resource(), which would reject the initial device: libomp does not
 * find the omp_get_initial_device() of libomptarget.a. docs/design/abi.md. */
#include "abi/include/omp.h"
#include "runtime/base/platform.h"

/* libomp's; NULL with another runtime of host threads */
extern int __kmpc_pause_resource(omp_pause_resource_t kind) __attribute__((weak));

/* Returns 1 (failure) for a device, as with LLVM's libomptarget. */
SOLO_EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device_num) {
  int is_host = device_num == omp_initial_device || device_num == omp_get_initial_device();
  return is_host && __kmpc_pause_resource ? __kmpc_pause_resource(kind) : 1;
}

/* for Fortran */
SOLO_EXPORT int omp_pause_resource_(const omp_pause_resource_t *kind, const int *device);
SOLO_EXPORT int omp_pause_resource_(const omp_pause_resource_t *kind, const int *device) {
  return omp_pause_resource(*kind, *device);
}
