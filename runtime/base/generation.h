/* A counter, separate from the registry, so that mapping tables do not depend on the registry. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Starts at 1. The registry increments it whenever it adds or removes a library. Data that were
 * derived from an older list are stale. */
extern _Atomic uint64_t solo_registry_generation;

#endif
