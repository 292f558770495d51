/* Orphaned constructs of target regions in programs with libomp (host_orphans.c). */
#ifndef SOLO_HOST_ORPHANS_H
#define SOLO_HOST_ORPHANS_H

#include "runtime/base/platform.h"

extern int omp_get_level(void) SOLO_WEAK;

/* Returns the wrapper of a libomp function, or 0. Most wrappers first serialize the target region. */
uintptr_t solo_host_orphan(const char *name);

#endif
