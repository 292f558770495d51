/* Translation of host function addresses with one immutable table per device (abi-facts 10;
 * docs/design/function-pointers.md). Pairs come from indirect entries, vtable entries and
 * solo_fptr_add().
 *
 * Loading and unloading replace the table. Old tables remain until the device closes, because
 * kernels and threads can still read them. Device code reads the table's address from solo_fptr_map
 * (one word). Clang's device runtime reads two words (its environment, or
 * __omp_offloading_fptr_map_p and _size); a running kernel can read a mix of an old and a new word.
 * Threads: library_* need the device's lock; translate: any. */
#ifndef SOLO_FPTR_H
#define SOLO_FPTR_H

#include "runtime/device/fptr_table.h"
#include "runtime/device/module.h"

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;
void solo_fptr_library_leaving(solo_device *device, solo_module *module);
void solo_fptr_close(solo_device *device);

/* Replaces the table until the next load or unload of a library (__tgt_rtl_set_function_ptr_map).
 * Locks the device. */
solo_status solo_fptr_set(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* Adds pairs until the device closes; replaces a pair with the same host address. Locks the device. */
solo_status solo_fptr_add(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* Returns the device address of a host function, or `host` if it is not in the table. */
SOLO_INLINE void *solo_fptr_translate(const solo_device *device, void *host) {
  /* pairs with set_table in fptr.c */
  const solo_fptr_table *table = solo_load_acquire(&device->fptr);
  return table ? (void *)solo_fptr_table_find(table, (uintptr_t)host) : host;
}

/* The table of the only CPU device with a table; NULL if there is no such device or several. For
 * solo_function_in_kernel(). */
extern _Atomic(solo_fptr_table *) solo_fptr_only;

#endif
