#include "abi/gomp/internal.h"
#include "abi/gomp/presence.h"
#include "abi/include/omp.h"
#include "abi/kmpc/env/icv.h"

enum { DEVICE_ICV = -1, DEVICE_HOST = -2 }; /* no device clause; if(0) */

static int is_mandatory(void) {
  return solo_kmp_config()->target_offload == 2;
}

static int is_disabled(void) {
  return solo_kmp_config()->target_offload == 0;
}

static _Noreturn void fail(void) {
  solo_kmp_fatal("OMP_TARGET_OFFLOAD=MANDATORY: GCC made no device code of this target region for "
                 "solo's devices\n  hint: compile it with solo-cc");
}

int32_t solo_gomp_device(kmpc_thread *self, int device) {
  const kmpc_icvs *icvs = self->context.task->icvs;
  int count = omp_get_num_devices(), number = device;
  if (device == DEVICE_HOST || self->context.team->device >= 0) return GOMP_ON_HOST;
  if (device == DEVICE_ICV) {
    if (!count && !icvs->default_device_is_set && is_mandatory()) fail();
    number = icvs->default_device;
  }
  if (number == count || number == omp_initial_device) return GOMP_ON_HOST;
  if (number >= 0 && number < count && !is_disabled() && solo_device_is_cpu(number)) return number;
  if (is_mandatory()) fail();
  return GOMP_ON_HOST;
}
