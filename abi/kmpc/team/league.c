/* Teams regions on the host. Teams do not synchronise with each other, so a thread can execute many
 * teams in sequence. A league has exactly num_teams(n) teams (OpenMP 5.2, 10.2). The size of a team is
 * T = processors / teams, at least 1 and at most nthreads-var. The width of the league is the number of
 * threads that execute its teams: processors / T. Each thread begins with the same block of teams in
 * every region, and then steals halves of other blocks (docs/design/host-threads.md). */
#include "abi/kmpc/team/league.h"
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/group.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/tree_sync.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"

enum { GRAINS = 8 };

static void enter_teams(kmpc_thread *self, const kmpc_league_run *run, kmpc_team_frame *frame) {
  kmpc_team *team = &frame->solo.team;
  solo_kmp_team_of_one(team, self);
  team->level = 0;
  team->active_level = 0;
  team->flags = KMPC_TEAM_LEAGUE;
  team->parent = NULL;
  team->league = &frame->league;
  team->group = &frame->solo.group;
  /* relaxed: not shared yet */
  solo_store_relaxed(&frame->solo.group.used, 1);
  frame->run = run;
  solo_kmp_enter_team(self, &frame->solo.frame, team, 0);
}

static void run_team(kmpc_thread *self, kmpc_team_frame *frame, int32_t number) {
  const kmpc_league_run *run = frame->run;
  kmpc_task *task = &frame->solo.frame.task;
  int32_t tid = 0;
  frame->league = run->shape;
  frame->league.team = number;
  frame->solo.group.limit = run->group_limit;
  frame->solo.group.strict_limit = run->strict_limit;
  task->icvs = frame->solo.team.icvs;
  task->spawned = 0;
  task->ended = 0;
  /* relaxed: own words; the previous team has ended */
  solo_store_relaxed(&task->remote_count, 0);
  solo_store_relaxed(&frame->solo.team.cancel, 0);
  self->context.singles = 0;
  self->context.loops = 0;
  self->context.crosses = 0;
  self->context.works = 0;
  solo_kmp_invoke(frame->micro, &self->gtid, &tid, frame->arg_count, frame->args);
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->solo.team.task_team) != NULL))
    solo_kmp_finish_tasks(self);
  if (SOLO_UNLIKELY(task->depends)) {
    solo_load_acquire(&solo_kmp_task_ops)->implicit_end(task); /* pairs with solo_kmp_tasks_begin */
    task->depends = NULL;
  }
}

void solo_kmp_league_own_teams(kmpc_thread *self, kmpc_team_frame *frame) {
  uint64_t begin = frame->next, end = frame->end;
  do {
    frame->next = begin;
    frame->end = end;
    while (frame->next < frame->end) run_team(self, frame, (int32_t)frame->next++);
  } while (solo_kmp_range_reserve(frame->own, frame->run->grain, &begin, &end));
}

/* Runs the thread's own teams. With a tree, each thread first initialises its own range. Returns
 * nonzero if the thread should steal teams before it arrives at the join: always without a tree, and
 * with a tree if a child is late or another thread has already searched for teams. */
static int run_own_teams(kmpc_thread *self, kmpc_team_frame *frame, int32_t tid, int32_t teams) {
  kmpc_worker_team *worker_team = frame->solo.frame.saved.team->worker_team;
  if (!worker_team->has_tree) {
    solo_kmp_league_own_teams(self, frame);
    return 1;
  }
  kmpc_node *node = solo_kmp_node(worker_team, tid);
  solo_kmp_range_fill_own(worker_team->ranges[0], worker_team->team.size, tid, (uint32_t)teams);
  solo_kmp_league_own_teams(self, frame);
  /* relaxed: a hint */
  return (node->children && solo_kmp_tree_has_late_child(node)) ||
         (!tid && solo_load_relaxed(&worker_team->helped));
}

static SOLO_COLD void run_teams(kmpc_thread *self, kmpc_work *work, int32_t tid, kmpc_turn turn) {
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  kmpc_loop_range *ranges = worker_team->ranges[0];
  int32_t size = self->context.size;
  kmpc_team_frame frame;
  enter_teams(self, &worker_team->league, &frame);
  frame.micro = work->micro;
  frame.args = solo_kmp_args_of(work);
  frame.arg_count = work->arg_count;
  frame.own = &ranges[tid];
  frame.next = frame.end = 0;
  frame.collect = NULL;
  if (turn == KMPC_TEAMS_OF_OTHERS || run_own_teams(self, &frame, tid, work->teams))
    while (solo_kmp_ranges_steal(ranges, size, tid)) solo_kmp_league_own_teams(self, &frame);
  solo_kmp_leave_team(self, &frame.solo.frame);
}

static int32_t positive_or(int32_t value, int32_t otherwise) {
  return value > 0 ? value : otherwise;
}

static int32_t lesser(int32_t a, int32_t b) {
  return a < b ? a : b;
}

static int32_t default_team_count(const kmpc_thread *self, const kmpc_config *config) {
  const solo_target_call *call = solo_kmp_target_call(self->context.team);
  int32_t requested = call ? (int32_t)call->launch->teams[0] : 0;
  /* relaxed: a setting */
  return positive_or(requested, positive_or(solo_load_relaxed(&config->teams), 1));
}

static SOLO_COLD void shape_league(kmpc_thread *self, kmpc_league_run *run) {
  kmpc_config *config = solo_kmp_config();
  const kmpc_icvs *icvs = self->context.task->icvs;
  kmpc_league *shape = &run->shape;
  shape->teams = self->push_teams > 0 ? self->push_teams : default_team_count(self, config);
  /* relaxed: a setting */
  shape->thread_limit = positive_or(self->push_thread_limit,
                                    positive_or(solo_load_relaxed(&config->teams_threads), 0));
  self->push_teams = 0;
  self->push_thread_limit = 0;
  int32_t left = solo_kmp_threads_available(self->context.team);
  int32_t most = config->thread_limit;
  int32_t budget = lesser(solo_kmp_league_budget(left), most);
  /* OMP_NUM_THREADS applies to each team, so it does not raise the limit of the league */
  if (shape->teams > 1 && left != INT32_MAX) left = budget;
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
}

static void set_league(kmpc_league_run *league, const kmpc_league_run *run) {
  const kmpc_league *was = &league->shape, *is = &run->shape;
  uint32_t changes = league->grain ^ run->grain;
  changes |= (uint32_t)((league->group_limit ^ run->group_limit) |
                        (league->strict_limit ^ run->strict_limit));
  changes |= (uint32_t)((was->teams ^ is->teams) | (was->thread_limit ^ is->thread_limit));
  changes |= (uint32_t)((was->threads ^ is->threads) | (was->width ^ is->width) |
                        (was->shared ^ is->shared));
  if (changes) *league = *run;
}

void solo_kmp_league_run(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                         int32_t shared) {
  kmpc_league_run run;
  kmpc_worker_team *worker_team;
  shape_league(self, &run);
  run.shape.shared = shared;
  self->push_threads = 0;
  int32_t width = run.shape.width;
  if (width > 1) width = solo_kmp_worker_team_ready(self, &worker_team, width);
  if (width > 1) {
    kmpc_region region = {
        .micro = micro, .args = args, .arg_count = count, .size = width, .teams = run.shape.teams};
    run.run = run_teams;
    run.grain = (uint32_t)(run.shape.teams / (width * GRAINS) + 1);
    set_league(&worker_team->league, &run);
    solo_kmp_region_run(self, &region);
    return;
  }
  kmpc_team_frame frame;
  /* with width 1, reductions do not use frame.own, which is not set */
  run.shape.width = 1;
  enter_teams(self, &run, &frame);
  frame.micro = micro;
  frame.args = args;
  frame.arg_count = count;
  for (int32_t i = 0; i < run.shape.teams; i++) run_team(self, &frame, i);
  solo_kmp_leave_team(self, &frame.solo.frame);
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

/* num_teams(lower : upper): requests as many teams as processors, within these bounds. */
void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower, int32_t upper,
                              int32_t thread_limit);
SOLO_EXPORT void __kmpc_push_num_teams_51(kmpc_ident *loc, int32_t gtid, int32_t lower,
                                          int32_t upper, int32_t thread_limit) {
  int32_t teams = solo_kmp_procs();
  if (lower <= 0) lower = upper;
  if (teams > upper) teams = upper;
  if (teams < lower) teams = lower;
  __kmpc_push_num_teams(loc, gtid, teams, thread_limit);
}

/* The thread_limit clause of a target construct that the host executes, inside its target task. */
void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit);
SOLO_EXPORT void __kmpc_set_thread_limit(kmpc_ident *loc, int32_t gtid, int32_t thread_limit) {
  (void)loc, (void)gtid;
  kmpc_task *task = solo_kmp_self()->context.task;
  kmpc_icvs value = *task->icvs;
  if (thread_limit <= 0) return;
  value.thread_limit = thread_limit;
  task->icvs = solo_kmp_icvs_intern(&value);
}
