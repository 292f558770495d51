/* How often libraries came and went: code that keeps what was derived from them compares this number. It is
 * apart from the registry (runtime/device) because mapping tables keep names of libraries, too.
 * Threads: any; changed by the registry alone. */
#ifndef SOLO_BASE_GENERATION_H
#define SOLO_BASE_GENERATION_H

#include "runtime/base/atomic.h"

/* Grows with every add and remove: what was derived from the list is stale when it differs. Starts
 * at 1. */
extern _Atomic uint64_t solo_registry_generation;

#endif
