/* Registered libraries. Registration links a node before main, without heap, environment or driver.
 * Ownership: descriptors, entries and images are the program's until unregistration, which waits
 * for readers. Threads: any. */
#ifndef SOLO_REGISTRY_H
#define SOLO_REGISTRY_H

#include "runtime/base/generation.h"
#include "runtime/base/lock.h"
#include "runtime/base/status.h"
#include "runtime/image/span.h"

/* abi-facts 1.2. */
enum solo_entry_flags {
  SOLO_ENTRY_LINK = 0x01,
  SOLO_ENTRY_CTOR = 0x02, /* old compilers; with a size: declare target enter */
  SOLO_ENTRY_DTOR = 0x04,
  SOLO_ENTRY_INDIRECT = 0x08,
  SOLO_ENTRY_REQUIRES = 0x10,
  SOLO_ENTRY_VTABLE = 0x20,
};

enum solo_requirements {
  SOLO_REQUIRES_REVERSE_OFFLOAD = 2,
  SOLO_REQUIRES_UNIFIED_ADDRESS = 4,
  SOLO_REQUIRES_UNIFIED_SHARED_MEMORY = 8,
  SOLO_REQUIRES_DYNAMIC_ALLOCATORS = 16,
};

typedef struct solo_entry {
  void *address;
  const char *name;
  uint64_t size; /* bytes; 0: code */
  uint64_t data;
  uint32_t flags;
} solo_entry;

/* key: the descriptor's address. */
typedef struct solo_library_source {
  const void *key;
  const void *entries;
  size_t entry_count;
  void (*read_entry)(const void *entries, size_t index, solo_entry *out_entry);
  const void *images;
  size_t image_count;
  solo_span (*read_image)(const void *images, size_t index);
} solo_library_source;

typedef struct solo_module solo_module; /* module.h */

typedef struct solo_library {
  solo_library_source source;
  /* under the registry's lock */
  struct solo_library *next;
  uint32_t in_flight;
  uint32_t leaving; /* hidden from readers */
  /* written once, under the scan lock */
  _Atomic uint32_t scanned;
  uint32_t has_data; /* globals, indirect functions or constructors: load with the device */
  uint64_t requirements;
  uint64_t missing;          /* bits that an entry lacks */
  uintptr_t lowest, highest; /* keys of kernels */
  uint32_t *buckets;         /* key to entry index + 1, open addressing; or NULL */
  size_t bucket_mask;
} solo_library;

/* A second registration is ignored. Malformed: SOLO_INVALID. */
solo_status solo_registry_add(const solo_library_source *source) SOLO_MUST_CHECK;

/* Unlinks the library after its readers; NULL: unknown. */
solo_library *solo_registry_remove(const void *key);
void solo_registry_dispose(solo_library *library);

/* Iterates from NULL in registration order. The result is acquired and previous released;
 * solo_registry_release ends early. */
solo_library *solo_registry_next(solo_library *previous);
void solo_registry_release(solo_library *library);

/* INVALID: units have different requires clauses. */
solo_status solo_registry_requirements(uint64_t *out_requirements) SOLO_MUST_CHECK;

/* Reads the entries of an acquired library once. */
void solo_library_scan(solo_library *library);

/* Nonzero: found in the acquired library. */
int solo_library_find_kernel(solo_library *library, const void *key, solo_entry *out_entry);

#endif
