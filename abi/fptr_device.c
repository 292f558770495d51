/* Function-pointer translation for kernels on a CPU device (docs/design/function-pointers.md). */
#include "abi/include/solo_indirect.h"
#include "runtime/device/devices.h"
#include "runtime/device/fptr.h"
#include "runtime/host_threads.h"

SOLO_EXPORT void *__kmpc_target_translate_fptr(void *host);
SOLO_EXPORT void *__llvm_omp_indirect_call_lookup(void *host);
SOLO_EXPORT void *solo_function_in_kernel(void *host);

void *__kmpc_target_translate_fptr(void *host) {
  int number = &solo_host_threads ? solo_host_threads.device() : solo_target_current.device;
  /* pairs with the release store in number_devices(), which follows the initialisation of the device */
  if (!host || number < 0 || number >= solo_load_acquire(&solo_devices_numbered)) return host;
  return solo_fptr_translate(solo_devices[number], host);
}

void *__llvm_omp_indirect_call_lookup(void *host) {
  return __kmpc_target_translate_fptr(host);
}

void *solo_function_in_kernel(void *host) {
  /* Invariant: the table is complete and belongs to the only CPU device.
   * Ordering:  this acquire load pairs with the release store in set_table().
   * Otherwise: the look-up could read unwritten slots.
   */
  const solo_fptr_table *table = solo_load_acquire(&solo_fptr_only);
  if (SOLO_LIKELY(table)) return (void *)solo_fptr_table_find(table, (uintptr_t)host);
  return __kmpc_target_translate_fptr(host);
}

_Static_assert(sizeof(solo_indirect_pair) == sizeof(solo_fptr_pair), "the same pairs");

SOLO_EXPORT int solo_indirect_add(int number, const solo_indirect_pair *pairs,
                                  unsigned long count) {
  solo_device *device;
  if (count && !pairs)
    return (int)solo_fail(SOLO_INVALID, "solo_indirect_add: pairs is NULL, count is %lu", count);
  solo_status status = solo_device_get(number, &device);
  return (int)(status == SOLO_OK ? solo_fptr_add(device, (const solo_fptr_pair *)pairs, count)
                                 : status);
}
