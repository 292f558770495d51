/* A counter of changes to the list of libraries. It is separate from the registry of libraries, so
 * that mapping tables can read it without a dependency on the registry. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Starts at 1. Only the registry increments it, whenever it adds or removes a library. Data that
 * were derived from the list at an earlier value are stale. */
extern _Atomic uint64_t solo_registry_generation;

#endif
