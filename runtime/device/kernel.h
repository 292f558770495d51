/* Kernels of a device by host key, in an open-addressing table that readers search without a lock
 * (resolve.h). Slots and records of unloaded kernels are reused. Therefore a reader compares the
 * record's key last; if it differs, the reader retries with the lock. Replaced tables remain until
 * the device closes. */
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

/* A freed record is reused only as a record, because a reader may still access it. */
typedef struct solo_kernel {
  solo_bkernel *handle;
  _Atomic uintptr_t key;
  solo_library *library;
  solo_kernel_attributes attributes;
  /* from the kernel environment (abi-facts 7.2); zero if the kernel has none */
  uint8_t mode;
  int32_t min_threads, max_threads, min_teams, max_teams;
  uint32_t reduction_bytes, reduction_length;
  char name[128]; /* for messages; may be truncated */
  struct solo_kernel *next;
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

/* The following functions need the device's lock. */

/* allocate: NULL without memory. free: only for an unpublished record. */
solo_kernel *solo_kernel_allocate(solo_device *device);
void solo_kernel_free(solo_device *device, solo_kernel *kernel);

/* Returns 0 without memory; then nothing has changed. */
int solo_kernel_publish(solo_device *device, solo_kernel *kernel, const void *key);

/* NULL: not in the table; solo_kernel_resolve() adds the kernel. */
solo_kernel *solo_kernel_find_resolved(const solo_device *device, const void *key);

/* free_all frees the kernels and tables of a closing device. */
void solo_kernel_remove_library(solo_device *device, const solo_library *library);
void solo_kernel_free_all(solo_device *device);

#endif
