/* The mapping of an address range, for abi/gomp. */
#ifndef SOLO_ABI_MAPPED_H
#define SOLO_ABI_MAPPED_H

#include "runtime/base/platform.h"

#include <stddef.h>
#include <stdint.h>

typedef struct solo_mapped {
  const void *mapping; /* identifies the mapping; NULL: not mapped */
  char *begin, *end;   /* of the mapping, on the host */
  uintptr_t device;    /* device address of begin */
} solo_mapped;

/* Finds a mapping that contains at least a part of the range. The program must not unmap the range during the call. */
SOLO_EXPORT solo_mapped solo_mapped_part(int number, const void *begin, size_t size);

/* Returns whether the device copy of the pointer has the device address of its pointee. */
SOLO_EXPORT int solo_pointer_is_attached(int number, const void *pointer);

#endif
