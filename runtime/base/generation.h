/* A counter of changes to the list of libraries. Separate from the registry, so that mapping tables
 * do not depend on it. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Starts at 1. Only the registry increments it, when it adds or removes a library. Data that were
 * derived from an older list are stale. */
extern _Atomic uint64_t solo_registry_generation;

#endif
