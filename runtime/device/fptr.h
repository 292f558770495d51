/* Function pointers across host and device: one immutable table per device, of everything that its
 * loaded libraries declare indirect (abi-facts 10).
 *
 * Sources: entries with the indirect flag, whose device global holds the device function's address
 * (Clang 19 and 22), or, with size 0 on the CPU, whose name is the device function itself (the
 * document's form; a GPU's driver tells no address of a function, so there it is a global, too, or
 * stands in the image's own entry .omp_offloading.entry.<name>); vtable
 * entries (Clang 22), every slot of which is a pair of addresses; and what the program gave.
 * Published: in the device environment of Clang's device runtime, in the seed's globals
 * __omp_offloading_fptr_map_p and _size and in solo_fptr_map where an image defines them, and to
 * solo_fptr_translate.
 *
 * A table is replaced when a library with indirect functions comes or goes. Old ones stay until the
 * device is closed: a running kernel or a look-up on another thread may still read them; one that
 * would be equal to an old one is that again, so that loading and unloading a plug-in does not
 * grow. solo_fptr_map is one word, so that a running kernel sees the old table or the new one.
 * Clang's environment and the seed's globals are address and count apart: a kernel that searches by
 * them while a library comes or goes can see one of each, and miss.
 *
 * Threads: library_loaded and leaving with the device's lock held; translate from any thread.
 */
#ifndef SOLO_FPTR_H
#define SOLO_FPTR_H

#include "runtime/device/fptr_table.h"
#include "runtime/device/module.h"

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;
void solo_fptr_library_leaving(solo_device *device, solo_module *module);
void solo_fptr_close(solo_device *device);

/* Replaces what the libraries declare by a table of the caller's (the seed's
 * __tgt_rtl_set_function_ptr_map), until the next library comes or goes. Takes the device's lock.
 */
solo_status solo_fptr_set(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* Adds pairs to what the libraries declare, until the device is closed; a pair of the same host
 * address given earlier is replaced. Takes the device's lock. */
solo_status solo_fptr_add(solo_device *device, const solo_fptr_pair *pairs,
                          size_t count) SOLO_MUST_CHECK;

/* The device's address of a host function; unchanged when there is none. */
SOLO_INLINE void *solo_fptr_translate(const solo_device *device, void *host) {
  const solo_fptr_table *table = solo_load_acquire(&device->fptr); /* pairs with publish (fptr.c) */
  return table ? (void *)solo_fptr_table_find(table, (uintptr_t)host) : host;
}

/* The table of the only device that runs its kernels here, on the CPU; NULL: there is none, or
 * there are several and the caller must say which. */
extern _Atomic(solo_fptr_table *) solo_fptr_only;

#endif
