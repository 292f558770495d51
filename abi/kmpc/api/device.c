#include "abi/include/omp.h"
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/thread.h"

SOLO_EXPORT int omp_get_default_device(void) {
  return solo_kmp_self()->context.task->icvs->default_device;
}

SOLO_EXPORT void omp_set_default_device(int device) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_icvs value = *self->context.task->icvs;
  value.default_device = device;
  value.default_device_is_set = 1;
  self->context.task->icvs = solo_kmp_icvs_intern(&value);
}

int __kmpc_get_target_offload(void);
SOLO_EXPORT int __kmpc_get_target_offload(void) {
  return solo_kmp_config()->target_offload;
}
