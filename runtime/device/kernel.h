/* From a region's host key to its kernel on a device: looked up without locks.
 *
 * One open-addressing table per device holds the kernels launched so far. A slot's value is stored
 * before its key is published; a kernel whose library left has value NULL. Its slot, and the
 * kernel's memory, serve the next kernel that comes; a reader that was in between sees a kernel
 * with another key and asks again under the lock. A grown table replaces the old one; old ones stay
 * until the device is closed (their sizes sum to less than the last one's), so readers never touch
 * freed memory.
 */
#ifndef SOLO_KERNEL_H
#define SOLO_KERNEL_H

#include "runtime/device/device.h"

typedef enum solo_kernel_mode {
  SOLO_MODE_BARE = 0,
  SOLO_MODE_GENERIC = 1,
  SOLO_MODE_SPMD = 2,
  SOLO_MODE_GENERIC_SPMD = 3,
  SOLO_MODE_SPMD_NO_LOOP = 6,
} solo_kernel_mode;

/* Reused as a kernel only, after its library was unloaded (to launch it then is an error). */
typedef struct solo_kernel {
  solo_bkernel *handle;
  _Atomic uintptr_t key; /* 0: in nobody's use */
  solo_library *library;
  solo_kernel_attributes attributes;
  /* the kernel environment (abi-facts 7.2); zeros on devices without device runtime */
  uint8_t mode;
  int32_t min_threads, max_threads, min_teams, max_teams;
  uint32_t reduction_bytes, reduction_length; /* 0: none */
  char name[128];                             /* for messages; cut when longer */
  struct solo_kernel *next;                   /* all kernels of the device */
} solo_kernel;

typedef struct solo_kernel_slot {
  _Atomic uintptr_t key;
  _Atomic(solo_kernel *) value;
} solo_kernel_slot;

struct solo_kernel_table {
  struct solo_kernel_table *retired;
  size_t mask, used;
  solo_kernel_slot slots[];
};

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

SOLO_INLINE size_t solo_kernel_hash(const void *key) {
  return (size_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

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

/* With the device's lock: forgets the kernels of a library; frees all at close. */
void solo_kernel_forget(solo_device *device, const solo_library *library);
void solo_kernel_free_all(solo_device *device);

#endif
