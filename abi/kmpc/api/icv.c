/* Internal control variables. A setter replaces the set of the current task. Regions and tasks that
 * the task creates later inherit the new set. */
#include "abi/include/omp.h"
#include "abi/kmpc/env/display.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

static const kmpc_icvs *icvs_now(void) {
  return solo_kmp_self()->context.task->icvs;
}

static void set(const kmpc_icvs *value) {
  solo_kmp_self()->context.task->icvs = solo_kmp_icvs_intern(value);
}

SOLO_EXPORT void omp_set_num_threads(int threads) {
  if (threads <= 0) {
    solo_kmp_warn("omp_set_num_threads(%d): not positive, 1 is used", threads);
    threads = 1;
  }
  kmpc_thread *self = solo_kmp_self();
  const kmpc_icvs *icvs = self->context.task->icvs;
  if (!icvs->nthreads_count || icvs->nthreads[0] != threads) {
    kmpc_icvs value = *icvs;
    value.nthreads[0] = threads;
    if (!value.nthreads_count) value.nthreads_count = 1;
    set(&value);
  }
  /* an explicit number replaces the size that the league has computed for its teams' regions */
  if (self->context.team->league) {
    kmpc_league *league = self->context.team->league;
    int32_t limit = league->thread_limit;
    if (self->context.team->flags & KMPC_TEAM_LEAGUE)
      league->threads = limit > 0 && limit < threads ? limit : threads;
  }
}

SOLO_EXPORT void omp_set_dynamic(int dynamic) {
  kmpc_icvs value = *icvs_now();
  value.dynamic = dynamic != 0;
  set(&value);
}

SOLO_EXPORT int omp_get_dynamic(void) {
  return icvs_now()->dynamic;
}

SOLO_EXPORT void omp_set_max_active_levels(int levels) {
  if (levels < 0) return;
  kmpc_icvs value = *icvs_now();
  value.max_active_levels = levels;
  set(&value);
}

SOLO_EXPORT int omp_get_max_active_levels(void) {
  return icvs_now()->max_active_levels;
}

SOLO_EXPORT void omp_set_nested(int nested) {
  kmpc_icvs value = *icvs_now();
  value.max_active_levels = nested ? INT32_MAX : 1;
  set(&value);
}

SOLO_EXPORT int omp_get_nested(void) {
  return icvs_now()->max_active_levels > 1;
}

SOLO_EXPORT void omp_set_schedule(omp_sched_t kind, int chunk) {
  uint32_t plain = (uint32_t)kind & ~(uint32_t)omp_sched_monotonic;
  if (plain < omp_sched_static || plain > omp_sched_auto) {
    solo_kmp_warn("omp_set_schedule(%#x): no such schedule, ignored", (unsigned)kind);
    return;
  }
  kmpc_icvs value = *icvs_now();
  value.schedule = (int32_t)kind;
  int32_t least = plain == omp_sched_dynamic || plain == omp_sched_guided;
  value.chunk = chunk > 0 && plain != omp_sched_auto ? chunk : least;
  set(&value);
}

SOLO_EXPORT void omp_get_schedule(omp_sched_t *kind, int *chunk) {
  const kmpc_icvs *icvs = icvs_now();
  *kind = (omp_sched_t)icvs->schedule;
  *chunk = icvs->chunk;
}

SOLO_EXPORT omp_proc_bind_t omp_get_proc_bind(void) {
  const kmpc_icvs *icvs = icvs_now();
  return icvs->proc_bind_count ? (omp_proc_bind_t)icvs->proc_bind[0] : omp_proc_bind_false;
}

/* nteams-var and teams-thread-limit-var have one value per device, not per task. Therefore they are
 * members of kmpc_config. relaxed, all: settings order no other memory. */
SOLO_EXPORT void omp_set_num_teams(int teams) {
  if (teams > 0) solo_store_relaxed(&solo_kmp_config()->teams, teams);
}

SOLO_EXPORT int omp_get_max_teams(void) {
  return solo_load_relaxed(&solo_kmp_config()->teams);
}

SOLO_EXPORT void omp_set_teams_thread_limit(int threads) {
  /* relaxed: a setting */
  if (threads > 0) solo_store_relaxed(&solo_kmp_config()->teams_threads, threads);
}

SOLO_EXPORT int omp_get_teams_thread_limit(void) {
  return solo_load_relaxed(&solo_kmp_config()->teams_threads); /* relaxed: a setting; 0: not set */
}

SOLO_EXPORT void omp_display_env(int verbose) {
  solo_kmp_display(solo_kmp_config(), verbose);
}
