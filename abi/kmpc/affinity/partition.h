/* Computes the place of a thread under proc_bind (OpenMP 5.2, 10.1.3). Partitions, and
 * subpartitions of spread, are consecutive places that do not wrap around. */
#ifndef SOLO_KMPC_PARTITION_H
#define SOLO_KMPC_PARTITION_H

#include "abi/kmpc/env/icv.h"

typedef struct kmpc_place_assignment {
  int32_t place;
  kmpc_partition partition;
} kmpc_place_assignment;

/* whole: partition of the primary thread, not empty; place: place of the primary thread, in
 * `whole`; bind: not KMPC_BIND_FALSE (KMPC_BIND_TRUE means close). */
kmpc_place_assignment solo_kmp_place_assignment(kmpc_partition whole, int32_t place, int32_t bind,
                                                int32_t tid, int32_t size);

#endif
