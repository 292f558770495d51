/* Kernels of a device by their regions' host keys: a table that is read without locks (resolve.h).
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
  _Atomic uintptr_t key; /* 0: the record is not in use */
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

SOLO_INLINE size_t solo_kernel_hash(const void *key) {
  return (size_t)(((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* --- with the device's lock ------------------------------------------------------------------- */

/* A record to describe a kernel in; NULL: no memory. give: it is not used after all. */
solo_kernel *solo_kernel_take(solo_device *device);
void solo_kernel_give(solo_device *device, solo_kernel *kernel);

/* Makes the described kernel the one of its key. 0: no memory, and nothing done. */
int solo_kernel_publish(solo_device *device, solo_kernel *kernel, const void *key);

/* The kernel of the key, resolved earlier; NULL: none. */
solo_kernel *solo_kernel_known(const solo_device *device, const void *key);

/* Forgets the kernels of a library; frees all at close. */
void solo_kernel_forget(solo_device *device, const solo_library *library);
void solo_kernel_free_all(solo_device *device);

#endif
