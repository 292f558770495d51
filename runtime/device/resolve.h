/* Finds the kernel for the host key of a region, without locks after the first launch. Threads:
 * any. */
#ifndef SOLO_RESOLVE_H
#define SOLO_RESOLVE_H

#include "runtime/device/kernel.h"

/* Loads the libraries that have the key, in registration order, until one has the kernel.
 * NOT_FOUND: no library has the key, or no image has the kernel. */
solo_status solo_kernel_resolve(solo_device *device, const void *key,
                                solo_kernel **out_kernel) SOLO_MUST_CHECK SOLO_COLD;

/* Finds kernel `name` in one acquired library, and loads the library. key: chosen by the caller,
 * unique in the process; the same key returns the same kernel. */
solo_status solo_kernel_of(solo_device *device, solo_library *library, const char *name,
                           const void *key, solo_kernel **out_kernel) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_kernel_get(solo_device *device, const void *key,
                                                        solo_kernel **out_kernel) {
  /* pairs with grow in kernel.c */
  const solo_kernel_table *table = solo_load_acquire(&device->kernels);
  if (SOLO_LIKELY(table != NULL)) {
    for (size_t i = solo_kernel_hash(key);; i++) {
      const solo_kernel_slot *slot = &table->slots[i & table->mask];
      uintptr_t found = solo_load_acquire(&slot->key); /* pairs with put in kernel.c */
      if (SOLO_LIKELY(found == (uintptr_t)key)) {
        solo_kernel *kernel = solo_load_acquire(&slot->value); /* pairs with put in kernel.c */
        /* pairs with solo_kernel_publish */
        if (SOLO_UNLIKELY(!kernel || solo_load_acquire(&kernel->key) != found)) break;
        *out_kernel = kernel;
        return SOLO_OK;
      }
      if (!found) break;
    }
  }
  return solo_kernel_resolve(device, key, out_kernel);
}

#endif
