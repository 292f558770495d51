/* Teams regions on the host: a league of teams over the threads at hand.
 *
 * Teams may not wait for one another, so a league needs no thread per team. num_teams(n) makes
 * exactly n teams (OpenMP 5.2, 10.2: without a lower bound it is the upper one), however few the
 * processors. The budget (the processors) is divided by the number of teams, at least one thread each
 * and no more than nthreads-var: T threads per team that does not say otherwise. The league runs on
 * width = budget / T threads (no more than teams), each executing team after team; at width 1 the
 * calling thread runs them all, and each team's parallel regions use its persistent worker team. Without
 * num_teams there is one team, as in libomp.
 *
 * Each thread begins with a block of consecutive teams, the same in every region, so that what they
 * touch stays in its caches; a thread that is through takes half of what another has left. A thread enters
 * its teams' context once and only renews between teams what a team can have changed.
 */
#include "abi/kmpc/team/league.h"
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/group.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"

enum { GRAINS = 8 }; /* a thread takes this part of its share at once, so that others find some */

static void enter_teams(kmpc_thread *self, const kmpc_league_run *run, kmpc_team_frame *frame) {
  kmpc_team *team = &frame->solo.team;
  solo_kmp_team_of_one(team, self);
  team->level = 0;
  team->active_level = 0;
  team->flags = KMPC_TEAM_LEAGUE;
  team->parent = NULL;
  team->league = &frame->league;
  team->icvs = run->icvs;
  team->device = run->device;
  team->group = &frame->solo.group;
  solo_store_relaxed(&frame->solo.group.used, 1); /* not shared yet */
  solo_kmp_enter_team(self, &frame->solo.frame, team, 0);
}

static void run_team(kmpc_thread *self, const kmpc_league_run *run, kmpc_team_frame *frame,
                     int32_t number) {
  kmpc_task *task = &frame->solo.frame.task;
  int32_t tid = 0;
  frame->league = run->shape;
  frame->league.team = number;
  frame->solo.group.limit = run->group_limit;
  frame->solo.group.strict_limit = run->strict_limit;
  task->icvs = run->icvs;
  task->spawned = 0;
  task->gone = 0;
  solo_store_relaxed(&task->remote_count, 0); /* both: own, the team before is over */
  solo_store_relaxed(&frame->solo.team.cancel, 0);
  self->context.singles = 0;
  self->context.loops = 0;
  self->context.crosses = 0;
  self->context.works = 0;
  solo_kmp_invoke(run->micro, &self->gtid, &tid, run->arg_count, run->args);
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->solo.team.task_team) != NULL)) /* own store */
    solo_kmp_finish_tasks(self);
  if (SOLO_UNLIKELY(task->depends)) {
    solo_load_acquire(&solo_kmp_task_ops)->implicit_end(task); /* pairs with solo_kmp_tasks_begin */
    task->depends = NULL;
  }
}

void solo_kmp_league_own_teams(kmpc_thread *self, kmpc_team_frame *frame) {
  const kmpc_league_run *run = frame->run;
  uint64_t begin = frame->next, end = frame->end; /* a take that fails leaves them as they come */
  do {
    frame->next = begin;
    frame->end = end;
    while (frame->next < frame->end) run_team(self, run, frame, (int32_t)frame->next++);
  } while (solo_kmp_range_take(frame->own, run->grain, &begin, &end));
}

/* What each thread of a league does: its own teams, then half of somebody else's, and so on. */
static void run_teams(int32_t *gtid, int32_t *tid, ...) {
  (void)gtid;
  va_list list;
  va_start(list, tid);
  const kmpc_league_run *run = va_arg(list, const kmpc_league_run *);
  va_end(list);
  kmpc_thread *self = &solo_kmp_thread_record;
  kmpc_loop_range *ranges = self->context.team->worker_team->ranges[0];
  int32_t size = self->context.size;
  kmpc_team_frame frame;
  enter_teams(self, run, &frame);
  frame.run = run;
  frame.own = &ranges[*tid];
  frame.next = frame.end = 0;
  frame.collect = NULL;
  do solo_kmp_league_own_teams(self, &frame);
  while (solo_kmp_ranges_steal(ranges, size, *tid));
  solo_kmp_leave_team(self, &frame.solo.frame);
}

static int32_t positive_or(int32_t value, int32_t otherwise) {
  return value > 0 ? value : otherwise;
}

static int32_t lesser(int32_t a, int32_t b) {
  return a < b ? a : b;
}

/* Teams where no clause says: what the launch asks for (omp_set_device_num_teams), what the setting says. */
static int32_t teams_unsaid(const kmpc_thread *self, const kmpc_config *config) {
  const solo_target_call *call = solo_kmp_target_call(self->context.team);
  int32_t asked = call ? (int32_t)call->launch->teams[0] : 0;
  return positive_or(asked, positive_or(solo_load_relaxed(&config->teams), 1)); /* a setting */
}

/* Teams, threads per team and width, from clauses and ICVs. */
static void shape_league(kmpc_thread *self, kmpc_league_run *run) {
  kmpc_config *config = solo_kmp_config();
  const kmpc_icvs *icvs = self->context.task->icvs;
  kmpc_league *shape = &run->shape;
  shape->teams = self->push_teams > 0 ? self->push_teams : teams_unsaid(self, config);
  /* relaxed: a plain setting */
  shape->thread_limit = positive_or(self->push_thread_limit,
                                    positive_or(solo_load_relaxed(&config->teams_threads), 0));
  self->push_teams = 0;
  self->push_thread_limit = 0;
  int32_t left = solo_kmp_threads_left(self->context.team);
  int32_t most = config->thread_limit; /* of all teams that run at a time */
  int32_t budget = lesser(solo_kmp_league_budget(left), most);
  if (shape->teams > 1 && left != INT32_MAX) left = budget; /* OMP_NUM_THREADS: one team's */
  int32_t threads = budget / shape->teams;
  if (icvs->nthreads_count) threads = lesser(threads, icvs->nthreads[0]);
  if (threads < 1) threads = 1;
  if (shape->thread_limit && threads > shape->thread_limit) threads = shape->thread_limit;
  shape->threads = threads;
  int32_t width = budget / threads;
  shape->width = width < 1 ? 1 : width > shape->teams ? shape->teams : width;
  int32_t group = self->context.team->group->strict_limit;
  run->strict_limit = lesser(positive_or(shape->thread_limit, group), most / shape->width);
  run->group_limit = left == INT32_MAX
                         ? run->strict_limit
                         : lesser(run->strict_limit, positive_or(left / shape->width, 1));
  run->icvs = icvs;
  run->device = self->context.team->device;
}

/* Deals the teams out to the threads of self's worker team; returns how many threads there are. */
static int32_t deal_teams(kmpc_thread *self, kmpc_league_run *run) {
  kmpc_worker_team *worker_team = NULL;
  int32_t width = run->shape.width;
  if (width > 1) width = solo_kmp_worker_team_ready(self, &worker_team, width);
  if (width <= 1) return 1;
  run->grain = (uint32_t)(run->shape.teams / (width * GRAINS) + 1);
  solo_kmp_ranges_deal(worker_team->ranges[0], width, (uint64_t)run->shape.teams);
  return width;
}

void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared) {
  SOLO_ALIGNED(SOLO_CACHE_LINE) /* all threads read it: nothing that is written beside it */
  kmpc_league_run run = {.micro = micro, .args = args, .arg_count = count};
  shape_league(self, &run);
  run.shape.shared = shared;
  self->push_threads = 0;
  int32_t width = deal_teams(self, &run);
  if (width == 1) {
    kmpc_team_frame frame;
    enter_teams(self, &run, &frame);
    for (int32_t i = 0; i < run.shape.teams; i++) run_team(self, &run, &frame, i);
    solo_kmp_leave_team(self, &frame.solo.frame);
    return;
  }
  void *argument = &run;
  kmpc_region region = {
      .micro = run_teams, .args = &argument, .arg_count = 1, .size = width, .is_league = 1};
  solo_kmp_region_run(self, &region);
}

static void fork_teams(kmpc_micro micro, int32_t count, void **args) {
  solo_kmp_league_run(solo_kmp_self(), micro, count, args, 0);
}

void __kmpc_fork_teams(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...);
SOLO_EXPORT void __kmpc_fork_teams(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...) {
  (void)loc;
  KMPC_WITH_ARGS(fork_teams, micro, count)
}

void __kmpc_push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams, int32_t thread_limit);
SOLO_EXPORT void __kmpc_push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams,
                                       int32_t thread_limit) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  self->push_teams = teams;
  self->push_thread_limit = thread_limit;
}

/* num_teams(lower : upper): as many as there are processors, within the bounds */
void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower, int32_t upper,
                              int32_t thread_limit);
SOLO_EXPORT void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower,
                                          int32_t upper, int32_t thread_limit) {
  int32_t teams = solo_kmp_procs();
  if (lower <= 0) lower = upper; /* not said: the same as the upper bound */
  if (teams > upper) teams = upper;
  if (teams < lower) teams = lower;
  __kmpc_push_num_teams(loc, gtid, teams, thread_limit);
}

/* thread_limit on a target construct that the host runs: of the current task, which is the target
 * task, and of what it contains. */
void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit);
SOLO_EXPORT void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit) {
  (void)loc, (void)gtid;
  kmpc_task *task = solo_kmp_self()->context.task;
  kmpc_icvs value = *task->icvs;
  if (thread_limit <= 0) return;
  value.thread_limit = thread_limit;
  task->icvs = solo_kmp_icvs_intern(&value);
}
