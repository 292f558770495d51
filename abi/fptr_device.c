/* What device code calls to turn a host function pointer into its own, for code that runs on a CPU
 * device: linked images reach it by name, embedded ones through the loader (abi/exports.h).
 * Sources: the seed declare_target_indirect.md; abi-facts 10. */
#include "runtime/fptr.h"
#include "runtime/threads.h"

SOLO_EXPORT void *__kmpc_target_translate_fptr(void *host);
SOLO_EXPORT void *__llvm_omp_indirect_call_lookup(void *host);

void *__kmpc_target_translate_fptr(void *host) {
  int number = solo_threads_device ? solo_threads_device() : solo_current_device;
  /* on the host itself a function pointer is what it is; a kernel's device is open */
  if (!host || number < 0 || number >= solo_load_acquire(&solo_devices_known)) /* device.c */
    return host;
  return solo_fptr_translate(solo_devices[number], host);
}

void *__llvm_omp_indirect_call_lookup(void *host) {
  return __kmpc_target_translate_fptr(host);
}
