/* Device functions of a program of which GCC compiled a part. */
#include "abi/gomp/presence.h"
#include "abi/include/omp.h"
#include "runtime/base/settings.h"

int __tgt_get_num_devices(void);

const char solo_gomp_is_linked = 1;

/* Replaces the weak definition of the core. Without images of Clang, the host executes all target
 * regions unless SOLO_GOMP_DEVICE is on. */
SOLO_EXPORT int omp_get_num_devices(void) {
  int has_device = solo_program_has_images() || solo_gomp_settings()->device;
  return has_device ? __tgt_get_num_devices() : 0;
}
