/* From a region's host key to its kernel on a device: looked up without locks, and its library loaded
 * and the kernel described when it is asked for the first time.
 *
 * Threads: any.
 */
#ifndef SOLO_RESOLVE_H
#define SOLO_RESOLVE_H

#include "runtime/device/kernel.h"

/* Resolves the kernel, loading its library on the device if need be. Every registered library that
 * has an entry with the key is asked, in the order of registration, until one has the kernel: several
 * descriptors may share a table of entries. NOT_FOUND: the key is in no registered library, or no
 * image has such a kernel (the text says which, of the last one asked). */
solo_status solo_kernel_resolve(solo_device *device, const void *key,
                                solo_kernel **out_kernel) SOLO_MUST_CHECK SOLO_COLD;

/* The kernel of this name of one library, whose reader the caller is, under a key of the caller's
 * that nothing else in the process has: launched by that key like any other. Loads the library if need
 * be; a key that is known gives the same kernel again. */
solo_status solo_kernel_of(solo_device *device, solo_library *library, const char *name,
                           const void *key, solo_kernel **out_kernel) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_kernel_get(solo_device *device, const void *key,
                                                        solo_kernel **out_kernel) {
  /* acquire: pairs with the release in grow (kernel.c) */
  const solo_kernel_table *table = solo_load_acquire(&device->kernels);
  if (SOLO_LIKELY(table != NULL)) {
    for (size_t i = solo_kernel_hash(key);; i++) {
      const solo_kernel_slot *slot = &table->slots[i & table->mask];
      uintptr_t found = solo_load_acquire(&slot->key); /* pairs with put (kernel.c) */
      if (SOLO_LIKELY(found == (uintptr_t)key)) {
        solo_kernel *kernel = solo_load_acquire(&slot->value); /* pairs with put */
        /* acquire: pairs with publish (kernel.c) */
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
