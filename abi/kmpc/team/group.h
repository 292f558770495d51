/* Contention groups and thread limits (OpenMP 5.2, 2.1). A contention group begins with each thread
 * of the program, each target region on the CPU and each team of a league. Kernels for GPUs request
 * hundreds of threads, so a target region is limited to the number of processors (unless
 * SOLO_HOST_THREADS=exact).
 *
 * Threads: a group's initial thread writes the limits before other threads join. */
#ifndef SOLO_KMPC_GROUP_H
#define SOLO_KMPC_GROUP_H

#include "abi/kmpc/team/region.h"

#include <limits.h>

void solo_kmp_group_resolve(kmpc_group *group) SOLO_COLD;

SOLO_INLINE int32_t solo_kmp_group_limit(kmpc_group *group) {
  if (SOLO_UNLIKELY(group->limit == 0)) solo_kmp_group_resolve(group);
  return group->limit;
}

/* Returns the maximum number of threads of a target region: at most the number of processors or, if
 * larger, the product of the numbers in OMP_NUM_THREADS. INT32_MAX: unlimited. */
int32_t solo_kmp_threads_available(const kmpc_team *team);

int32_t solo_kmp_league_budget(int32_t left);

/* Returns the total number of threads if all threads of `outer` and of its enclosing teams fork
 * teams of `size` threads. */
SOLO_INLINE int32_t solo_kmp_total_threads(const kmpc_team *outer, int32_t size) {
  int64_t threads = (int64_t)outer->around * size;
  return threads < INT32_MAX ? (int32_t)threads : INT32_MAX;
}

int32_t solo_kmp_reserve_nested(kmpc_group *group, int32_t size, int32_t limit);
void solo_kmp_release_nested(kmpc_group *group, int32_t size);

SOLO_INLINE int32_t solo_kmp_reserve_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return size;
  if (SOLO_UNLIKELY(team->active_level > 0))
    return solo_kmp_reserve_nested(team->group, size, limit);
  if (size > limit) size = limit;
  solo_store_relaxed(&team->group->used, size); /* relaxed: the fork publishes `used` */
  return size;
}

/* Releases the threads of a region. Outside active regions this is not necessary: the next
 * reservation overwrites `used`. */
SOLO_INLINE void solo_kmp_release_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return;
  if (SOLO_UNLIKELY(team->active_level > 0)) solo_kmp_release_nested(team->group, size);
}

#endif
