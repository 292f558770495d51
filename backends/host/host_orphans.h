/* What a target region says outside of parallel regions of its own, beside libomp (host_libomp.h). Entering and
 * leaving such a region is the seam solo_host_orphans (runtime/exports.h). */
#ifndef SOLO_HOST_ORPHANS_H
#define SOLO_HOST_ORPHANS_H

#include "runtime/base/platform.h"

extern int omp_get_level(void) SOLO_WEAK;

/* A wrapper that calls solo_host_serialize first, for a name that an image refers to, or 0. */
uintptr_t solo_host_orphan(const char *name);

#endif
