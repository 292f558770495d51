/* Where device code comes from: the list of registered libraries (descriptors), their entries and images.
 *
 * Registering is all that happens before main: one node is linked into a list; no heap (a static
 * pool of nodes, then mapped chunks), no environment, no driver. Entries are read when a device
 * first needs them.
 *
 * Ownership: descriptors, entries, names and images stay the program's and must live until they are
 * unregistered. Threads: any function from any thread. A library that is being read is pinned; the
 * unregistering thread waits for its readers.
 */
#ifndef SOLO_REGISTRY_H
#define SOLO_REGISTRY_H

#include "runtime/base/generation.h"
#include "runtime/base/lock.h"
#include "runtime/base/status.h"
#include "runtime/image/span.h"

/* Flag bits of an entry, common to both layouts (abi-facts 1.2). */
enum solo_entry_flags {
  SOLO_ENTRY_LINK = 0x01,
  SOLO_ENTRY_CTOR = 0x02, /* old compilers; 0x02 with a size is "declare target enter" */
  SOLO_ENTRY_DTOR = 0x04,
  SOLO_ENTRY_INDIRECT = 0x08,
  SOLO_ENTRY_REQUIRES = 0x10,
  SOLO_ENTRY_VTABLE = 0x20,
};

/* Bits of a requires entry's data. */
enum solo_requirements {
  SOLO_REQUIRES_REVERSE_OFFLOAD = 2,
  SOLO_REQUIRES_UNIFIED_ADDRESS = 4,
  SOLO_REQUIRES_UNIFIED_SHARED_MEMORY = 8,
  SOLO_REQUIRES_DYNAMIC_ALLOCATORS = 16,
};

/* One host symbol paired with a device symbol, whatever layout it was read from. */
typedef struct solo_entry {
  void *address;
  const char *name;
  uint64_t size; /* bytes; 0: code */
  uint64_t data;
  uint32_t flags;
} solo_entry;

/* What a caller registers. key identifies it (its descriptor's address). */
typedef struct solo_library_source {
  const void *key;
  const void *entries;
  size_t entry_count;
  void (*read_entry)(const void *entries, size_t index, solo_entry *out_entry);
  const void *images;
  size_t image_count;
  solo_span (*read_image)(const void *images, size_t index);
} solo_library_source;

typedef struct solo_module solo_module; /* module.h: a library loaded on a device */

typedef struct solo_library {
  solo_library_source source;
  /* guarded by the registry's lock */
  struct solo_library *next;
  uint32_t in_flight; /* readers at work */
  uint32_t leaving;   /* being unregistered: not handed out any more */
  /* written once by the first reader, under the scan lock (registry.c) */
  _Atomic uint32_t scanned;
  uint32_t has_data;         /* globals, indirect functions, constructors: load with the device */
  uint64_t requirements;     /* of its requires entries, one per unit */
  uint64_t missing;          /* of each bit: is it missing in one of them? */
  uintptr_t lowest, highest; /* of its kernels' keys */
  uint32_t *buckets;         /* key -> entry index + 1, open addressing; NULL: scan */
  size_t bucket_mask;
} solo_library;

/* Registering twice is harmless (SOLO_OK); a malformed descriptor is SOLO_INVALID. */
solo_status solo_registry_add(const solo_library_source *source) SOLO_MUST_CHECK;

/* Unlinks the library with this key, waits for its readers, and returns its node for
 * solo_registry_dispose; NULL when there is none. */
solo_library *solo_registry_remove(const void *key);
void solo_registry_dispose(solo_library *library);

/* Iteration in registration order: pass NULL first, then the previous one. The returned library is
 * pinned and the previous one released; solo_registry_release ends early. */
solo_library *solo_registry_next(solo_library *previous);
void solo_registry_release(solo_library *library);

/* The union of requirements of all libraries (scans what is not scanned yet). INVALID: some units of
 * the program have a requires clause that others have not. */
solo_status solo_registry_requirements(uint64_t *out_requirements) SOLO_MUST_CHECK;

/* Reads the entries once: has_data, requirements, key range. For a pinned library. */
void solo_library_scan(solo_library *library);

/* Finds the kernel entry with this key in a pinned library. Nonzero: found. */
int solo_library_find_kernel(solo_library *library, const void *key, solo_entry *out_entry);

#endif
