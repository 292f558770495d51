/* A counter of changes to the list of libraries. It is separate from the registry because mapping
 * tables use it, too. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Starts at 1. Only the registry increments it, whenever it adds or removes a library; data derived
 * from the list at another value is stale. */
extern _Atomic uint64_t solo_registry_generation;

#endif
