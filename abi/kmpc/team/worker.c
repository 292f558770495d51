/* Workers: wait for regions, run their parts, help with tasks and leagues. */
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"
#include "runtime/base/assert.h"

enum { LEAGUE_PATIENCE_MOST = 16 * KMPC_LEAGUE_PATIENCE };

/* Relaxed, because the fork word publishes the region.
 * Invariant: `claimed` only increases, so a part runs once, on the worker or the primary thread.
 * Otherwise: a delayed worker could run a part of a joined region.
 */
int solo_kmp_claim(kmpc_worker *worker, uint64_t sequence) {
  uint64_t claimed = solo_load_relaxed(&worker->claimed);
  do {
    if (claimed >= sequence) return 0;
  } while (!solo_cas_relaxed(&worker->claimed, &claimed, sequence));
  return 1;
}

/* Returns the newer of two fork words: the common word of flat regions, and the word of the
 * worker's tree node. */
static uint64_t newest_fork(const kmpc_worker *worker, kmpc_worker_team *worker_team) {
  uint64_t common = solo_load_acquire(&worker_team->work.fork); /* pairs with publish */
  /* pairs with solo_kmp_tree_forward_work and solo_kmp_tree_fork */
  uint64_t own = solo_load_acquire(&worker->node.work.fork);
  return common > own ? common : own;
}

static int has_region(const kmpc_worker *worker, kmpc_worker_team *worker_team) {
  return newest_fork(worker, worker_team) != worker->seen;
}

/* Returns whether the worker's last region or a later one is joined. Sequence numbers wrap around. */
static int is_joined(const kmpc_worker *worker, uint32_t joined) {
  return (int32_t)(joined - (uint32_t)(worker->seen >> 16)) >= 0;
}

/* Runs tasks of the worker's last region.
 * Invariant: a worker that runs tasks has set `helping` before it read `joined`.
 * Ordering:  the seq_cst store and load pair with has_no_helpers() and end_helping().
 * Otherwise: the worker could run tasks of the next region without being a member of that region.
 */
static int worker_help(kmpc_thread *self, kmpc_search search) {
  kmpc_worker *worker = self->worker;
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  int ran = 0;
  solo_store_seq_cst(&worker->node.helping, KMPC_HELPING_TASKS);
  if (!has_region(worker, worker_team) &&
      !is_joined(worker, solo_load_seq_cst(&worker_team->joined)))
    ran = solo_kmp_help(self, search);
  /* pairs with has_no_helpers */
  solo_store_release(&worker->node.helping, KMPC_HELPING_NOT);
  return ran;
}

static int has_region_or_tasks(void *what) {
  kmpc_thread *self = what;
  kmpc_team *team = self->context.team;
  if (has_region(self->worker, team->worker_team)) return 1;
  /* pairs with solo_kmp_task_team_make */
  return self->worker->is_member_of_region && solo_load_acquire(&team->task_team) != NULL;
}

static int has_region_or_is_joined(void *what) {
  kmpc_thread *self = what;
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  /* pairs with end_helping */
  return is_joined(self->worker, solo_load_acquire(&worker_team->joined)) ||
         has_region(self->worker, worker_team);
}

/* Helps with tasks of the last region until that region is joined. */
static uint64_t await_fork(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team) {
  for (;;) {
    solo_kmp_wait(self, &worker->node.eventcount, has_region_or_tasks, solo_kmp_no_help, self);
    if (SOLO_LIKELY(has_region(worker, worker_team))) break;
    /* Waits on two event counts: the worker's own, for the next region, and the team's, for tasks. With
     * a tree, a worker can see a task of the next region before the fork word of that region. */
    solo_kmp_await(self, &worker->node.eventcount, &worker_team->team.eventcount,
                   has_region_or_is_joined, worker_help, self);
    worker->is_member_of_region = 0;
  }
  return newest_fork(worker, worker_team);
}

SOLO_NOINLINE void solo_kmp_run_work(kmpc_thread *self, kmpc_work *work, int32_t tid) {
  if (SOLO_UNLIKELY(work->teams != 0))
    self->context.team->worker_team->league.run(self, work, tid, KMPC_OWN_TEAMS);
  else
    solo_kmp_invoke(work->micro, &self->gtid, &tid, work->arg_count, solo_kmp_args_of(work));
}

static void run_own_part(kmpc_thread *self, kmpc_worker_team *worker_team, kmpc_work *work,
                         kmpc_frame *frame) {
  int32_t tid = self->worker->tid;
  solo_kmp_set_context(self, frame, &worker_team->team, worker_team->parent_task, tid);
  if (SOLO_UNLIKELY(self->shown != KMPC_NOT_SHOWN)) solo_kmp_display_affinity_if_changed(self);
  solo_kmp_run_work(self, work, tid);
  if (SOLO_UNLIKELY(frame->task.depends != NULL))
    solo_load_acquire(&solo_kmp_task_ops)
        ->implicit_end(&frame->task); /* pairs with solo_kmp_tasks_begin */
}

/* Runs teams that other threads have not begun.
 * Invariant: a worker that removes teams from a range has set `helping` and `helped` before it read
 *            `joined`.
 * Ordering:  the seq_cst stores and the load pair with end_league().
 * Otherwise: the worker could run teams of the next league.
 */
static void help_league(kmpc_thread *self, kmpc_worker_team *worker_team) {
  kmpc_worker *worker = self->worker;
  solo_store_seq_cst(&worker->node.helping, KMPC_HELPING_LEAGUE);
  if (!solo_load_seq_cst(&worker_team->helped)) solo_store_seq_cst(&worker_team->helped, 1);
  if (!is_joined(worker, solo_load_seq_cst(&worker_team->joined)))
    worker_team->league.run(self, &worker->node.work, worker->tid, KMPC_TEAMS_OF_OTHERS);
  /* pairs with league_has_no_helpers */
  solo_store_seq_cst(&worker->node.helping, KMPC_HELPING_NOT);
  solo_kmp_notify(&worker_team->root.eventcount);
}

static SOLO_COLD void search_teams_after_arrival(kmpc_thread *self, kmpc_worker_team *worker_team) {
  for (int pauses = KMPC_LEAGUE_PATIENCE; pauses <= LEAGUE_PATIENCE_MOST; pauses *= 2) {
    for (int i = 0; i < pauses; i++) {
      if (has_region(self->worker, worker_team)) return;
      solo_cpu_relax();
    }
    /* pairs with end_league */
    if (is_joined(self->worker, solo_load_acquire(&worker_team->joined))) return;
    help_league(self, worker_team);
  }
}

static void run_in_tree(kmpc_thread *self, kmpc_worker_team *worker_team, kmpc_frame *frame) {
  kmpc_node *node = &self->worker->node;
  solo_kmp_tree_forward_work(node);
  run_own_part(self, worker_team, &node->work, frame);
  /* read before the arrival, because the next region may overwrite node->work */
  int32_t is_league = node->work.teams != 0;
  solo_kmp_tree_arrive(self, worker_team);
  if (SOLO_UNLIKELY(is_league)) search_teams_after_arrival(self, worker_team);
}

static void run_flat(kmpc_thread *self, kmpc_worker_team *worker_team, kmpc_frame *frame) {
  run_own_part(self, worker_team, &worker_team->work, frame);
  /* tested before the arrival, because the next region may begin after it; relaxed: only a check */
  SOLO_ASSERT(solo_load_relaxed(&worker_team->arrived) + 1 < (uint32_t)worker_team->team.size,
              "a thread arrives twice at the end of a region");
  /* Invariant: an arrived worker accesses the region's data only as a helper.
   * Ordering:  this operation pairs with the acquire load in is_over().
   * Otherwise: results could be invisible after the join.
   */
  solo_add_seq_cst(&worker_team->arrived, 1);
  solo_kmp_notify(&worker_team->team.eventcount);
}

void solo_kmp_worker_run(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team) {
  kmpc_frame frame;
  int32_t tid = worker->tid;
  worker->is_member_of_region = 0;
  self->context.team = &worker_team->team;
  self->context.size = 1;
  self->context.around = 1;
  for (;;) {
    uint64_t fork = await_fork(self, worker, worker_team);
    worker->seen = fork;
    if (SOLO_UNLIKELY((fork & KMPC_DISBAND) == KMPC_DISBAND)) break;
    worker->is_member_of_region = tid < (int32_t)(fork & KMPC_SIZE_MASK) &&
                                  (!(fork & KMPC_STEALABLE) || solo_kmp_claim(worker, fork >> 16));
    if (!worker->is_member_of_region) continue;
    if (SOLO_UNLIKELY(worker->place_version != self->place_version))
      solo_kmp_worker_apply_place(self, worker);
    /* relaxed: acquired in await_fork */
    if (SOLO_UNLIKELY(solo_load_relaxed(&worker->node.work.fork) == fork))
      run_in_tree(self, worker_team, &frame);
    else
      run_flat(self, worker_team, &frame);
  }
}

void solo_kmp_wake_worker_team(kmpc_team *team) {
  kmpc_worker_team *worker_team = team->worker_team;
  if (!worker_team) return;
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  for (int32_t i = 0; i < team->size - 1; i++)
    solo_kmp_notify(&worker_team->worker[i]->node.eventcount);
}

/* A thread that sleeps on its own event count is counted in the team's event count, too. `sleepers`
 * includes a woken thread until this thread runs. Therefore with count 1 the loop ends only after a
 * futex call has woken a thread. */
void solo_kmp_wake_team(kmpc_team *team, int count) {
  kmpc_worker_team *worker_team = team->worker_team;
  int woken = solo_kmp_eventcount_wake(&team->eventcount, count);
  if (!worker_team || (count == 1 && woken)) return;
  for (int32_t tid = 0; tid < team->size; tid++) {
    kmpc_eventcount *event = &solo_kmp_node(worker_team, tid)->eventcount;
    if (!solo_load_seq_cst(&event->sleepers)) continue;
    woken = solo_kmp_eventcount_wake(event, 1);
    if (count == 1 && woken) return;
  }
}
