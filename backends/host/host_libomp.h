/* Target regions on the CPU beside libomp, which knows only the host's view.
 *
 * A target region is a new initial task: level 0, one thread, on its device. Where abi/kmpc is the
 * host thread runtime it arranges that (runtime/host_threads.h). libomp cannot be told, but:
 *  - what a region launched from inside a parallel region says outside of parallel regions of its own runs in a
 *    serialized one: a team of one thread, so that orphaned barriers and loops do not meet the host's team
 *    (host_orphans.h);
 *  - an image's queries and forks go through wrappers of ours (elf/resolve.h finds them before
 *    libomp): queries count levels from the region's start, forked threads inherit device and
 * start. What libomp does not allow: new initial values of the ICVs inside a region, and a nested
 * team where the host's levels have used up max-active-levels.
 *
 * Threads: enter and leave on the same thread, properly nested. Errors: none.
 */
#ifndef SOLO_HOST_LIBOMP_H
#define SOLO_HOST_LIBOMP_H

#include "runtime/base/platform.h"

/* The wrapper for a name that an image refers to, or 0. */
uintptr_t solo_host_libomp_wrapper(const char *name);

#endif
