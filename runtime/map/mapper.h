/* The component list that user-defined mappers fill (abi-facts 5.3).
 *
 * Ownership: in the calling thread's scratch memory, for the time of one mapper call. Threads: one.
 */
#ifndef SOLO_MAPPER_H
#define SOLO_MAPPER_H

#include "runtime/base/platform.h"

typedef struct solo_components {
  int64_t count, capacity;
  int out_of_memory;
  void **bases, **begins;
  int64_t *sizes, *types;
  void **names;
} solo_components;

/* A mapper as Clang generates it. */
typedef void solo_mapper_function(void *components, void *base, void *begin, int64_t size,
                                  int64_t type, void *name);

void solo_components_push(solo_components *components, void *base, void *begin, int64_t size,
                          int64_t type, void *name);

#endif
