/* The component list that user-defined mappers fill (abi-facts 5.3).
 *
 * It is laid out as a std::vector of components, because programs may call
 * __tgt_push_mapper_component with such a handle of their own (LLVM's test of the interface does).
 *
 * Ownership: first is the handle's owner's to free. Threads: one at a time.
 */
#ifndef SOLO_MAPPER_H
#define SOLO_MAPPER_H

#include "runtime/base/platform.h"

typedef struct solo_component {
  void *base, *begin;
  int64_t size, type;
  void *name;
} solo_component;

/* [first, last) are there, [first, end) is memory. last above end: there was no memory. */
typedef struct solo_components {
  solo_component *first, *last, *end;
} solo_components;

int64_t solo_components_count(const solo_components *components);

/* A mapper as Clang generates it. */
typedef void solo_mapper_function(void *components, void *base, void *begin, int64_t size,
                                  int64_t type, void *name);

void solo_components_push(solo_components *components, void *base, void *begin, int64_t size,
                          int64_t type, void *name);

#endif
