/* Orphaned constructs of target regions with libomp. */
#ifndef SOLO_HOST_ORPHANS_H
#define SOLO_HOST_ORPHANS_H

#include "runtime/base/platform.h"

extern int omp_get_level(void) SOLO_WEAK;

/* Wrapper that first serializes the region, or 0. */
uintptr_t solo_host_orphan(const char *name);

#endif
