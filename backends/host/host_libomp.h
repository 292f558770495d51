/* Target regions on the CPU in a program with libomp, which does not support them. A target region
 * must be a new initial task: level 0, one thread. Therefore calls in an image are bound to
 * wrappers (elf/resolve.c). Wrappers of queries subtract the host's levels; wrappers of forks pass
 * the target context to the threads. Not supported: new initial ICVs, and nested teams beyond the
 * host's max-active-levels. */
#ifndef SOLO_HOST_LIBOMP_H
#define SOLO_HOST_LIBOMP_H

#include "runtime/base/platform.h"

/* Returns the wrapper of a function, or 0. */
uintptr_t solo_host_libomp_wrapper(const char *name);

#endif
