/* Contention groups: how many threads share a thread limit (OpenMP 5.2, 2.1).
 *
 * A program's thread, a target region on the CPU and each team of a league begin one. Inside a target
 * region the limit is, unless SOLO_HOST_THREADS=exact, what the processors leave to it: kernels written
 * for GPUs ask for hundreds of threads per team, and the specification leaves the initial value of
 * thread-limit-var to the implementation. OMP_THREAD_LIMIT bounds every group, and the teams of a league that
 * run at a time in sum.
 *
 * Threads: a group's limits are written by its initial thread while it is alone.
 */
#ifndef SOLO_KMPC_GROUP_H
#define SOLO_KMPC_GROUP_H

#include "abi/kmpc/team/region.h"

#include <limits.h>

/* Finds the limit of a target region's group, which is not asked for before a region needs it: counting
 * processors is a system call. */
void solo_kmp_group_resolve(kmpc_group *group) SOLO_COLD;

SOLO_INLINE int32_t solo_kmp_group_limit(kmpc_group *group) {
  if (SOLO_UNLIKELY(group->limit == 0)) solo_kmp_group_resolve(group);
  return group->limit;
}

/* How many threads are left to what a team's initial task does: of all processors, or of the threads that
 * OMP_NUM_THREADS asks for if these are more (a clause overrides that variable, which so bounds nothing here).
 * INT32_MAX: as many as it asks for. */
int32_t solo_kmp_threads_left(const kmpc_team *team);

/* How many threads a league may have at a time; left: solo_kmp_threads_left. OMP_NUM_THREADS is about parallel regions
 * and does not bound it. */
int32_t solo_kmp_league_budget(int32_t left);

/* How many threads there are when all threads of outer, and of what is around it, begin a region of that size.
 * Leagues and target regions are looked through. */
SOLO_INLINE int32_t solo_kmp_around(const kmpc_team *outer, int32_t size) {
  int64_t threads = (int64_t)outer->around * size;
  return threads < INT32_MAX ? (int32_t)threads : INT32_MAX;
}

int32_t solo_kmp_reserve_nested(kmpc_group *group, int32_t size, int32_t limit);
void solo_kmp_release_nested(kmpc_group *group, int32_t size);

/* Takes size - 1 more threads out of the limit, or fewer; returns the new size. team: the current one. */
SOLO_INLINE int32_t solo_kmp_reserve_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return size;
  if (SOLO_UNLIKELY(team->active_level > 0))
    return solo_kmp_reserve_nested(team->group, size, limit);
  if (size > limit) size = limit;
  solo_store_relaxed(&team->group->used, size); /* published by the fork word */
  return size;
}

/* Gives back what a region of that size has taken with the same limit. Outside active regions the group has one
 * thread, and the next region to take some counts anew. */
SOLO_INLINE void solo_kmp_release_threads(const kmpc_team *team, int32_t size, int32_t limit) {
  if (SOLO_LIKELY(limit == INT32_MAX)) return;
  if (SOLO_UNLIKELY(team->active_level > 0)) solo_kmp_release_nested(team->group, size);
}

#endif
