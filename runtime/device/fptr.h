/* Translation of host function addresses, with one immutable table per device (abi-facts 10;
 * docs/design/function-pointers.md). Pairs are from indirect entries, vtable entries and
 * solo_fptr_add().
 *
 * Loading and unloading replace the table. Old tables remain until the device closes, because
 * kernels and threads may read them; an equal table is reused. Device code finds the table in
 * solo_fptr_map (one word) or in two words (Clang's environment; __omp_offloading_fptr_map_p and
 * _size), which a running kernel can read inconsistently. Threads: library_* need the device's
 * lock; translate: any. */
#ifndef SOLO_FPTR_H
#define SOLO_FPTR_H

#include "runtime/device/fptr_table.h"
#include "runtime/device/module.h"

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;
void solo_fptr_library_leaving(solo_device *device, solo_module *module);
void solo_fptr_close(solo_device *device);

/* Replaces the table (__tgt_rtl_set_function_ptr_map) until a library is loaded or unloaded. Locks
 * the device. */
solo_status solo_fptr_set(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* Adds pairs, or replaces pairs with the same host address, until the device closes. Locks the
 * device. */
solo_status solo_fptr_add(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* Device address of a host function; `host` if unknown. */
SOLO_INLINE void *solo_fptr_translate(const solo_device *device, void *host) {
  /* pairs with set_table in fptr.c */
  const solo_fptr_table *table = solo_load_acquire(&device->fptr);
  return table ? (void *)solo_fptr_table_find(table, (uintptr_t)host) : host;
}

/* Table of the only CPU device that has one; NULL: none or several. For solo_function_in_kernel(). */
extern _Atomic(solo_fptr_table *) solo_fptr_only;

#endif
