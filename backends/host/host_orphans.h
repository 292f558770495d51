/* What a target region says outside of parallel regions of its own, beside libomp (host_libomp.h).
 *
 * Threads: enter and leave on the same thread, properly nested. Errors: none.
 */
#ifndef SOLO_HOST_ORPHANS_H
#define SOLO_HOST_ORPHANS_H

#include "runtime/base/platform.h"

extern int omp_get_level(void) SOLO_WEAK;

/* Around a kernel that is launched from inside a parallel region. Weak: not in static programs. */
void solo_host_enter_plain(void) SOLO_WEAK;
void solo_host_leave_plain(void) SOLO_WEAK;

/* A wrapper that calls solo_host_serialize (runtime/exports.h) first, for a name that an image refers to, or 0. */
uintptr_t solo_host_orphan(const char *name);

#endif
