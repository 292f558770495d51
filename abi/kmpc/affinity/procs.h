/* How many processors this process may use. */
#ifndef SOLO_KMPC_PROCS_H
#define SOLO_KMPC_PROCS_H

#include <stdint.h>

/* The affinity mask's, or the cgroup's quota if smaller. Asked once. Threads: any. */
int32_t solo_kmp_procs(void);

#endif
