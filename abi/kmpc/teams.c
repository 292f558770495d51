/* Teams regions on the host: a league of teams over the threads at hand.
 *
 * Teams may not wait for one another, so a league needs no thread per team. The budget (processors,
 * or nthreads-var if less) is divided by the number of teams, at least one thread each: T threads
 * per team that does not say otherwise. The league runs on width = budget / T threads (no more than
 * teams), each executing team after team; at width 1 the calling thread runs them
 * all, and each team's parallel regions use its persistent crew. Without num_teams there is one
 * team, as in libomp. Teams are taken from a shared counter, several at a time when they are many.
 */
#include "abi/kmpc/crew.h"

#include <stdarg.h>
#include <stdlib.h>

typedef struct league_run {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic int32_t next; /* team to be taken */
  SOLO_ALIGNED(SOLO_CACHE_LINE) kmpc_micro micro;
  void **args;
  int32_t arg_count;
  int32_t grain; /* teams taken at once */
  int32_t device;
  kmpc_league shape; /* team is filled in per team */
  const kmpc_icvs *icvs;
  int32_t group_limit;
} league_run;

static void run_team(kmpc_thread *self, const league_run *run, int32_t number) {
  kmpc_solo_frame frame;
  kmpc_league league = run->shape;
  int32_t tid = 0;
  league.team = number;
  solo_kmp_team_of_one(&frame.team, self);
  frame.team.level = 0;
  frame.team.active_level = 0;
  frame.team.flags = KMPC_TEAM_LEAGUE;
  frame.team.parent = NULL;
  frame.team.league = &league;
  frame.team.icvs = run->icvs;
  frame.team.device = run->device;
  frame.team.group = &frame.group;
  frame.group.limit = run->group_limit;
  solo_store_relaxed(&frame.group.used, 1); /* not shared yet */
  solo_kmp_enter(self, &frame.frame, &frame.team, 0);
  solo_kmp_invoke(run->micro, &self->gtid, &tid, run->arg_count, run->args);
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame.team.task_team) != NULL)) /* own thread's store */
    solo_kmp_finish_tasks(self);
  solo_kmp_leave(self, &frame.frame);
}

/* What each thread of a league does. */
static void run_teams(int32_t *gtid, int32_t *tid, ...) {
  (void)gtid;
  va_list list;
  va_start(list, tid);
  league_run *run = va_arg(list, league_run *);
  va_end(list);
  kmpc_thread *self = &solo_kmp_thread_record;
  for (;;) {
    int32_t first =
        solo_add_relaxed(&run->next, run->grain); /* numbers only; fork and join order */
    if (first >= run->shape.teams) return;
    int32_t end = first + run->grain;
    if (end > run->shape.teams) end = run->shape.teams;
    for (int32_t i = first; i < end; i++) run_team(self, run, i);
  }
}

static int32_t positive_or(int32_t value, int32_t otherwise) {
  return value > 0 ? value : otherwise;
}

int32_t solo_kmp_league_budget(const kmpc_thread *self) {
  const kmpc_icvs *icvs = self->now.task->icvs;
  int32_t procs = solo_kmp_procs();
  return icvs->nthreads_count && icvs->nthreads[0] < procs ? icvs->nthreads[0] : procs;
}

/* Teams, threads per team and width, from clauses and ICVs. */
static void shape_league(kmpc_thread *self, league_run *run) {
  kmpc_config *config = solo_kmp_config();
  const kmpc_icvs *icvs = self->now.task->icvs;
  kmpc_league *shape = &run->shape;
  /* relaxed: plain settings */
  int32_t most = solo_load_relaxed(&config->teams);
  shape->teams = positive_or(self->push_teams, positive_or(most, 1));
  shape->thread_limit = positive_or(self->push_thread_limit,
                                    positive_or(solo_load_relaxed(&config->teams_threads), 0));
  self->push_teams = 0;
  self->push_thread_limit = 0;
  int32_t budget = solo_kmp_league_budget(self);
  int32_t threads = budget / shape->teams;
  if (threads < 1) threads = 1;
  if (shape->thread_limit && threads > shape->thread_limit) threads = shape->thread_limit;
  shape->threads = threads;
  int32_t width = budget / threads;
  shape->width = width < 1 ? 1 : width > shape->teams ? shape->teams : width;
  run->group_limit = shape->thread_limit ? shape->thread_limit : self->now.team->group->limit;
  run->grain = shape->teams / (shape->width * 8);
  if (run->grain < 1) run->grain = 1;
  run->icvs = icvs;
  run->device = self->now.team->device;
  solo_store_relaxed(&run->next, 0); /* not shared yet */
}

void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared) {
  league_run run = {.micro = micro, .args = args, .arg_count = count};
  shape_league(self, &run);
  run.shape.shared = shared;
  self->push_threads = 0;
  if (run.shape.width == 1) {
    for (int32_t i = 0; i < run.shape.teams; i++) run_team(self, &run, i);
    return;
  }
  void *argument = &run;
  kmpc_region region = {.micro = run_teams,
                        .args = &argument,
                        .arg_count = 1,
                        .size = run.shape.width,
                        .is_league = 1};
  solo_kmp_region_run(self, &region);
}

enum { ARGS_ON_STACK = 64 };

void __kmpc_fork_teams(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...);
SOLO_EXPORT void __kmpc_fork_teams(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...) {
  (void)loc;
  void *few[ARGS_ON_STACK];
  void **args = few;
  if (SOLO_UNLIKELY(count > ARGS_ON_STACK) && !(args = malloc((size_t)count * sizeof *args)))
    solo_kmp_fatal("out of memory for the arguments of a teams region");
  va_list list;
  va_start(list, micro);
  for (int32_t i = 0; i < count; i++) args[i] = va_arg(list, void *);
  va_end(list);
  solo_kmp_league_run(solo_kmp_self(), micro, count, args, 0);
  if (SOLO_UNLIKELY(args != few)) free(args);
}

void __kmpc_push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams, int32_t thread_limit);
SOLO_EXPORT void __kmpc_push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams,
                                       int32_t thread_limit) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  self->push_teams = teams;
  self->push_thread_limit = thread_limit;
}

/* num_teams(lower : upper) */
void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower, int32_t upper,
                              int32_t thread_limit);
SOLO_EXPORT void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower,
                                          int32_t upper, int32_t thread_limit) {
  __kmpc_push_num_teams(loc, gtid, lower > 0 ? lower : upper, thread_limit);
}

/* thread_limit on a target construct: of the current contention group. */
void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit);
SOLO_EXPORT void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit) {
  (void)loc, (void)gtid;
  if (thread_limit > 0) solo_kmp_self()->now.team->group->limit = thread_limit;
}
