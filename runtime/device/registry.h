/* Registered libraries. Registration runs before main: it uses no heap, environment or driver.
 * Descriptors, entries and images belong to the program and stay valid until unregistration, which
 * waits for readers. Threads: any. */
#ifndef SOLO_REGISTRY_H
#define SOLO_REGISTRY_H

#include "runtime/base/generation.h"
#include "runtime/base/lock.h"
#include "runtime/base/status.h"
#include "runtime/image/span.h"

enum solo_entry_flags {
  SOLO_ENTRY_LINK = 0x01,
  /* size 0: a constructor (old compilers); else: a variable of declare target enter */
  SOLO_ENTRY_CTOR = 0x02,
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
  uint64_t size; /* bytes of a variable; 0: a kernel or function */
  uint64_t data;
  uint32_t flags;
} solo_entry;

typedef struct solo_library_source {
  const void *key;
  const void *entries;
  size_t entry_count;
  void (*read_entry)(const void *entries, size_t index, solo_entry *out_entry);
  const void *images;
  size_t image_count;
  solo_span (*read_image)(const void *images, size_t index);
} solo_library_source;

typedef struct solo_module solo_module;

typedef struct solo_library {
  solo_library_source source;
  /* guarded by the registry's lock */
  struct solo_library *next;
  uint32_t in_flight;
  uint32_t leaving; /* 1: the library is being unregistered; solo_registry_next() skips it */
  /* written once, under the scan lock */
  _Atomic uint32_t scanned;
  /* 1: the library has globals, indirect functions or constructors; it is loaded when the device is
   * prepared */
  uint32_t has_data;
  uint64_t requirements;
  uint64_t missing; /* requirement bits that some translation unit lacks */
  uintptr_t lowest, highest;
  uint32_t *buckets; /* open-addressing table from key to entry index + 1; or NULL */
  size_t bucket_mask;
} solo_library;

/* Ignores a descriptor that is already registered. INVALID: malformed descriptor. */
solo_status solo_registry_add(const solo_library_source *source) SOLO_MUST_CHECK;

/* remove hides the library, waits for its readers and unlinks it; NULL: unknown key. dispose frees
 * a removed library. */
solo_library *solo_registry_remove(const void *key);
void solo_registry_dispose(solo_library *library);

/* Iterates in registration order; `previous` is NULL at first. Acquires the result and releases
 * `previous`. A caller that stops early calls solo_registry_release(). */
solo_library *solo_registry_next(solo_library *previous);
void solo_registry_release(solo_library *library);

/* Returns the union of all requires clauses. INVALID: the clauses of translation units differ. */
solo_status solo_registry_requirements(uint64_t *out_requirements) SOLO_MUST_CHECK;

/* Reads the entries of an acquired library, at the first call. */
void solo_library_scan(solo_library *library);

int solo_library_find_kernel(solo_library *library, const void *key, solo_entry *out_entry);

#endif
