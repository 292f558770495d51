/* A counter of changes of the registry, in its own file, because mapping tables must not include
 * the registry. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Starts at 1. The registry increments it whenever it adds or removes a library. Data derived
 * from the libraries of an older generation are stale. */
extern _Atomic uint64_t solo_registry_generation;

#endif
