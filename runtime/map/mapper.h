/* The component list that user-defined mappers fill (abi-facts 5.3). It has the layout of
 * std::vector, because programs may pass such an object to __tgt_push_mapper_component.
 *
 * Ownership: the caller frees `first`. */
#ifndef SOLO_MAPPER_H
#define SOLO_MAPPER_H

#include "runtime/base/platform.h"

typedef struct solo_component {
  void *base, *begin;
  int64_t size, type;
  void *name;
} solo_component;

/* last > end: out of memory */
typedef struct solo_components {
  solo_component *first, *last, *end;
} solo_components;

int64_t solo_components_count(const solo_components *components);

typedef void solo_mapper_function(void *components, void *base, void *begin, int64_t size,
                                  int64_t type, void *name);

void solo_components_push(solo_components *components, void *base, void *begin, int64_t size,
                          int64_t type, void *name);

#endif
