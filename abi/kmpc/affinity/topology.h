#ifndef SOLO_KMPC_TOPOLOGY_H
#define SOLO_KMPC_TOPOLOGY_H

#include "abi/kmpc/affinity/mask.h"

/* Sets key[cpu] for each processor of `cpus`. Processors of the same unit have equal keys. root:
 * the folder that contains cpu0 (/sys/devices/system/cpu). If sysfs has no data, each processor is
 * a core, caches and NUMA domains are sockets, and one socket exists. */
void solo_kmp_topology(const char *root, kmpc_unit unit, const kmpc_mask *cpus,
                       int32_t key[KMPC_CPUS]);

#endif
