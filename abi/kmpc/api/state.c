#include "abi/include/omp.h"
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/group.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

SOLO_EXPORT int omp_get_thread_num(void) {
  return solo_kmp_self()->context.tid;
}

SOLO_EXPORT int omp_get_num_threads(void) {
  return solo_kmp_self()->context.team->size;
}

SOLO_EXPORT int omp_get_max_threads(void) {
  const kmpc_thread *self = solo_kmp_self();
  const kmpc_icvs *icvs = self->context.task->icvs;
  const kmpc_league *league = self->context.team->league;
  if (league && league->threads) return league->threads;
  return icvs->nthreads_count ? icvs->nthreads[0] : solo_kmp_procs();
}

SOLO_EXPORT int omp_get_num_procs(void) {
  return solo_kmp_procs();
}

SOLO_EXPORT int omp_in_parallel(void) {
  return solo_kmp_self()->context.team->active_level > 0;
}

SOLO_EXPORT int omp_get_level(void) {
  return solo_kmp_self()->context.team->level;
}

SOLO_EXPORT int omp_get_active_level(void) {
  return solo_kmp_self()->context.team->active_level;
}

/* Returns the team at a nesting level, or NULL. *out_tid: number in that team of the calling thread
 * or its ancestor. */
static const kmpc_team *team_at(int level, int *out_tid) {
  const kmpc_thread *self = solo_kmp_self();
  const kmpc_team *team = self->context.team;
  int tid = self->context.tid;
  if (level < 0 || level > team->level) return NULL;
  while (team->level > level) {
    tid = team->parent_tid;
    team = team->parent;
  }
  *out_tid = tid;
  return team;
}

SOLO_EXPORT int omp_get_ancestor_thread_num(int level) {
  int tid;
  return team_at(level, &tid) ? tid : -1;
}

SOLO_EXPORT int omp_get_team_size(int level) {
  int tid;
  const kmpc_team *team = team_at(level, &tid);
  return team ? team->size : -1;
}

SOLO_EXPORT int omp_get_num_teams(void) {
  const kmpc_league *league = solo_kmp_self()->context.team->league;
  return league ? league->teams : 1;
}

SOLO_EXPORT int omp_get_team_num(void) {
  const kmpc_league *league = solo_kmp_self()->context.team->league;
  return league ? league->team : 0;
}

SOLO_EXPORT int omp_get_thread_limit(void) {
  const kmpc_context *context = &solo_kmp_self()->context;
  int32_t own = context->task->icvs->thread_limit;
  int32_t group = solo_kmp_group_limit(context->team->group);
  return own && own < group ? own : group;
}

SOLO_EXPORT int omp_get_cancellation(void) {
  return solo_kmp_config()->cancellation;
}

SOLO_EXPORT int omp_get_supported_active_levels(void) {
  return INT32_MAX;
}

#define KMPC_FORM(name, answer)                                                                    \
  int32_t name(kmpc_ident *loc);                                                                   \
  SOLO_EXPORT int32_t name(kmpc_ident *loc) {                                                      \
    (void)loc;                                                                                     \
    return answer;                                                                                 \
  }
KMPC_FORM(__kmpc_global_num_threads, solo_kmp_gtid_bound())
KMPC_FORM(__kmpc_bound_thread_num, omp_get_thread_num())
KMPC_FORM(__kmpc_bound_num_threads, omp_get_num_threads())
KMPC_FORM(__kmpc_in_parallel, omp_in_parallel())
KMPC_FORM(__kmpc_ok_to_fork, 1)

void __kmpc_begin(kmpc_ident *loc, int32_t flags);
SOLO_EXPORT void __kmpc_begin(kmpc_ident *loc, int32_t flags) {
  (void)loc, (void)flags;
}

void __kmpc_end(kmpc_ident *loc);
SOLO_EXPORT void __kmpc_end(kmpc_ident *loc) {
  (void)loc;
}
