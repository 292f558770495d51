/* Target regions on the CPU with libomp, which has no concept of them. A region is a new initial
 * task: level 0, one thread. An image calls wrappers (elf/resolve.c): queries subtract the host's
 * levels, forked threads inherit the target context. Not possible: new initial ICVs, and nested
 * teams beyond the host's max-active-levels. */
#ifndef SOLO_HOST_LIBOMP_H
#define SOLO_HOST_LIBOMP_H

#include "runtime/base/platform.h"

/* Wrapper for a name, or 0. */
uintptr_t solo_host_libomp_wrapper(const char *name);

#endif
