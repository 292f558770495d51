/* Orphaned constructs of target regions in programs with libomp (host_orphans.c). */
#ifndef SOLO_HOST_ORPHANS_H
#define SOLO_HOST_ORPHANS_H

#include "runtime/base/platform.h"

extern int omp_get_level(void) SOLO_WEAK;

/* Returns the wrapper of a function, which first serializes the region; 0: none. */
uintptr_t solo_host_orphan(const char *name);

#endif
