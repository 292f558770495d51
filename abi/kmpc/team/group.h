/* Contention groups and their thread limits (OpenMP 5.2, 2.1). A thread of the program, a target
 * region on the CPU and each team of a league begin a group. In a target region the
 * implementation-defined limit is the number of available processors (unless
 * SOLO_HOST_THREADS=exact), because kernels written for GPUs request hundreds of threads.
 * OMP_THREAD_LIMIT also bounds the sum of all concurrent teams of a league.
 *
 * Threads: the initial thread writes the limits while it is alone. */
#ifndef SOLO_KMPC_GROUP_H
#define SOLO_KMPC_GROUP_H

#include "abi/kmpc/team/region.h"

#include <limits.h>

/* Computes the limit of a target region's group. Lazy, because it counts processors with a system
 * call. */
void solo_kmp_group_resolve(kmpc_group *group) SOLO_COLD;

SOLO_INLINE int32_t solo_kmp_group_limit(kmpc_group *group) {
  if (SOLO_UNLIKELY(group->limit == 0)) solo_kmp_group_resolve(group);
  return group->limit;
}

/* The threads available to a team: the processors, or the product of OMP_NUM_THREADS if larger.
 * INT32_MAX: no bound. */
int32_t solo_kmp_threads_left(const kmpc_team *team);

/* The threads available to a league. OMP_NUM_THREADS does not bound leagues. */
int32_t solo_kmp_league_budget(int32_t left);

/* Threads in total if all threads of `outer` and of its enclosing teams fork this size. */
SOLO_INLINE int32_t solo_kmp_around(const kmpc_team *outer, int32_t size) {
  int64_t threads = (int64_t)outer->around * size;
  return threads < INT32_MAX ? (int32_t)threads : INT32_MAX;
}

int32_t solo_kmp_reserve_nested(kmpc_group *group, int32_t size, int32_t limit);
void solo_kmp_release_nested(kmpc_group *group, int32_t size);

/* Reserves size - 1 threads, or fewer; returns the new size. */
SOLO_INLINE int32_t solo_kmp_reserve_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return size;
  if (SOLO_UNLIKELY(team->active_level > 0))
    return solo_kmp_reserve_nested(team->group, size, limit);
  if (size > limit) size = limit;
  solo_store_relaxed(&team->group->used, size); /* relaxed: the fork word publishes it */
  return size;
}

/* Releases the threads of a region. Outside active regions `used` is overwritten at the next
 * reservation. */
SOLO_INLINE void solo_kmp_release_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return;
  if (SOLO_UNLIKELY(team->active_level > 0)) solo_kmp_release_nested(team->group, size);
}

#endif
