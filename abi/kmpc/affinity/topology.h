/* What Linux says of cores, caches, NUMA domains and sockets. Threads: any. */
#ifndef SOLO_KMPC_TOPOLOGY_H
#define SOLO_KMPC_TOPOLOGY_H

#include "abi/kmpc/affinity/mask.h"

/* key[cpu] of each of the processors: equal for those in the same unit. root: the folder with cpu0
 * (/sys/devices/system/cpu). Where Linux does not say: each processor is its core, caches and NUMA
 * domains are sockets, and there is one socket. */
void solo_kmp_topology(const char *root, kmpc_unit unit, const kmpc_mask *cpus,
                       int32_t key[KMPC_CPUS]);

#endif
