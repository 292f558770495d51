/* Which place of a partition a thread of a team gets (OpenMP 5.2, 10.1.3): numbers only.
 *
 * A partition is a run of consecutive places of the list. The subpartitions of spread are runs of
 * it, too: they never wrap around its end, only their order among the threads does.
 */
#ifndef SOLO_KMPC_PARTITION_H
#define SOLO_KMPC_PARTITION_H

#include "abi/kmpc/env/icv.h"

typedef struct kmpc_place_assignment {
  int32_t place;
  kmpc_partition partition; /* the place-partition-var of the thread's implicit task */
} kmpc_place_assignment;

/* Of thread tid of size; whole: the parent thread's partition, not empty; place: the parent's, in
 * it; bind: the policy, not KMPC_BIND_FALSE (KMPC_BIND_TRUE is close). */
kmpc_place_assignment solo_kmp_place_assignment(kmpc_partition whole, int32_t place, int32_t bind,
                                                int32_t tid, int32_t size);

#endif
