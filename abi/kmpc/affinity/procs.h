#ifndef SOLO_KMPC_PROCS_H
#define SOLO_KMPC_PROCS_H

#include <stdint.h>

/* Returns the number of processors in the affinity mask, or the cgroup quota if the quota is
 * smaller. */
int32_t solo_kmp_procs(void);

#endif
