#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/team/group.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"
#include "runtime/base/assert.h"
#include "runtime/base/fewer_threads.h"

#include <limits.h>
#include <stdlib.h>

/* Stores only a changed value, so that the cache line of the team record stays shared. */
#define UPDATE(field, value)                                                                       \
  do {                                                                                             \
    if ((field) != (value)) (field) = (value);                                                     \
  } while (0)

/* Number of pauses before the primary thread runs parts that no worker has begun. A spinning worker
 * reads the fork word within this time. */
enum { PATIENCE = 20 };

int32_t solo_kmp_region_size(kmpc_thread *self, int32_t wanted) {
  const kmpc_icvs *icvs = self->context.task->icvs;
  const kmpc_team *team = self->context.team;
  if (wanted <= 0) {
    if (team->league && team->league->threads)
      wanted = team->league->threads;
    else
      wanted = icvs->nthreads_count ? icvs->nthreads[0] : solo_kmp_procs();
  }
  if (SOLO_UNLIKELY(icvs->thread_limit && wanted > icvs->thread_limit)) {
    if (team->flags) solo_report_fewer_threads(wanted, icvs->thread_limit);
    wanted = icvs->thread_limit;
  }
  if (wanted > 1 && team->active_level >= icvs->max_active_levels) return 1;
  if (icvs->dynamic && wanted > solo_kmp_procs()) wanted = solo_kmp_procs();
  int32_t most =
      self->push_strict.threads ? team->group->strict_limit : solo_kmp_group_limit(team->group);
  if (most > KMPC_THREADS_MAX) most = KMPC_THREADS_MAX;
  if (wanted <= most) return wanted;
  if (SOLO_UNLIKELY(team->flags)) solo_report_fewer_threads(wanted, most);
  return most;
}

static void begin_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  solo_kmp_team_of_one(&frame->team, self);
  frame->team.icvs = solo_kmp_icvs_child(frame->team.icvs);
  solo_kmp_push_context(self, &frame->frame, &frame->team, 0);
  if (SOLO_UNLIKELY(self->shown != KMPC_NOT_SHOWN)) solo_kmp_display_affinity_if_changed(self);
}

static void end_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  /* relaxed: own store */
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->team.task_team) != NULL)) solo_kmp_finish_tasks(self);
  solo_kmp_pop_context(self, &frame->frame);
}

SOLO_NOINLINE void solo_kmp_region_serial(kmpc_thread *self, const kmpc_region *region) {
  kmpc_solo_frame frame;
  int32_t tid = 0;
  begin_serial(self, &frame);
  solo_kmp_invoke(region->micro, &self->gtid, &tid, region->arg_count, region->args);
  end_serial(self, &frame);
}

static void clear_announced_clauses(kmpc_thread *self) {
  self->push_threads = 0;
  self->push_bind = 0;
  self->push_strict.threads = 0;
}

void __kmpc_serialized_parallel(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_serialized_parallel(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_serial *serial = self->serial_free;
  if (serial)
    self->serial_free = serial->outer;
  else if (!(serial = malloc(sizeof *serial)))
    solo_kmp_fatal("out of memory for a region");
  else
    solo_kmp_register_thread_end(self);
  serial->outer = self->serial_used;
  self->serial_used = serial;
  clear_announced_clauses(self);
  begin_serial(self, &serial->solo);
}

void __kmpc_end_serialized_parallel(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_serialized_parallel(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = &solo_kmp_thread_record;
  kmpc_serial *serial = self->serial_used;
  end_serial(self, &serial->solo);
  self->serial_used = serial->outer;
  serial->outer = self->serial_free;
  self->serial_free = serial;
}

SOLO_INLINE void describe(kmpc_worker_team *worker_team, kmpc_thread *self,
                          const kmpc_region *region, int32_t size) {
  kmpc_team *team = &worker_team->team;
  kmpc_team *parent = self->context.team;
  UPDATE(team->size, size);
  UPDATE(team->around, solo_kmp_total_threads(parent, size));
  UPDATE(team->level, parent->level + !region->teams);
  UPDATE(team->active_level, parent->active_level + !region->teams);
  UPDATE(team->parent, parent);
  UPDATE(team->parent_tid, self->context.tid);
  UPDATE(team->device, parent->device);
  UPDATE(team->group, parent->group);
  UPDATE(team->league, parent->league);
  const kmpc_icvs *icvs = self->context.task->icvs;
  UPDATE(team->icvs, region->teams ? icvs : solo_kmp_icvs_child(icvs));
  UPDATE(team->proc_bind, region->bind);
  UPDATE(worker_team->parent_task, self->context.task);
  /* relaxed: the fork word publishes */
  if (solo_load_relaxed(&team->cancel)) solo_store_relaxed(&team->cancel, 0);
  if (solo_load_relaxed(&team->task_team)) solo_store_relaxed(&team->task_team, NULL);
  if (solo_load_relaxed(&worker_team->singles)) solo_store_relaxed(&worker_team->singles, 0);
}

/* Returns whether the primary thread may run parts that workers have not begun. Exceptions: host
 * regions, because of threadprivate variables; deterministic reductions; large teams with a processor
 * per thread, because their workers begin soon enough. */
static int is_stealable(const kmpc_worker_team *worker_team, const kmpc_region *region,
                        int32_t size) {
  const kmpc_team *team = &worker_team->team;
  if (!region->teams && (team->device < 0 || worker_team->reduces_in_order)) return 0;
  return SOLO_LIKELY(size <= worker_team->tree.above) || team->around > solo_kmp_procs();
}

static SOLO_NOINLINE void divide_teams(kmpc_worker_team *worker_team, int32_t teams) {
  solo_kmp_ranges_divide(worker_team->ranges[0], worker_team->team.size, (uint64_t)teams);
}

SOLO_INLINE kmpc_work *publish(kmpc_worker_team *worker_team, const kmpc_region *region,
                               int32_t size) {
  uint64_t stealable = is_stealable(worker_team, region, size) ? KMPC_STEALABLE : 0;
  int32_t has_tree = !stealable && SOLO_UNLIKELY(size > worker_team->tree.above);
  kmpc_work *root = &worker_team->root.work, *work = has_tree ? root : &worker_team->work;
  work->micro = region->micro;
  work->arg_count = region->arg_count;
  work->teams = region->teams;
  if (SOLO_LIKELY(region->arg_count <= KMPC_INLINE_ARGS))
    for (int32_t i = 0; i < region->arg_count; i++) work->args[i] = region->args[i];
  else
    work->args[0] = region->args;
  if (SOLO_UNLIKELY(region->teams) && !has_tree) divide_teams(worker_team, region->teams);
  /* relaxed: own writes */
  uint64_t sequence = (solo_load_relaxed(&root->fork) >> 16) + 1;
  uint64_t fork = sequence << 16 | stealable | (uint64_t)size;
  UPDATE(worker_team->has_tree, has_tree);
  /* relaxed: published below */
  solo_store_relaxed(&root->fork, fork);
  if (SOLO_UNLIKELY(has_tree)) {
    solo_kmp_tree_fork(worker_team, size);
  } else {
    /* Invariant: `work` and the team record are complete when the fork word changes.
     * Ordering:  this store pairs with the acquire loads in newest_fork().
     * Otherwise: a worker could call the previous region's function.
     */
    solo_store_seq_cst(&worker_team->work.fork, fork);
    for (int32_t i = 0; i < size - 1; i++)
      solo_kmp_notify(&worker_team->worker[i]->node.eventcount);
  }
  UPDATE(worker_team->tree.notified, size);
  return work;
}

SOLO_COLD void solo_kmp_reset_loops(kmpc_worker_team *worker_team) {
  for (uint32_t i = 0; i < KMPC_LOOP_SLOTS; i++) {
    kmpc_loop_slot *slots[] = {&worker_team->loops[i], &worker_team->crosses[i]};
    for (int j = 0; j < 2; j++) { /* relaxed: the next fork publishes */
      solo_store_relaxed(&slots[j]->turn, i);
      solo_store_relaxed(&slots[j]->state, KMPC_SLOT_FREE);
      solo_store_relaxed(&slots[j]->left, 0);
      free((void *)solo_load_relaxed(&slots[j]->flags));
      solo_store_relaxed(&slots[j]->flags, NULL);
    }
  }
  solo_store_relaxed(&worker_team->dirty, 0);
}

SOLO_NOINLINE void solo_kmp_enter_team(kmpc_thread *self, kmpc_frame *frame, kmpc_team *team,
                                       int32_t tid) {
  solo_kmp_push_context(self, frame, team, tid);
}

SOLO_NOINLINE void solo_kmp_leave_team(kmpc_thread *self, kmpc_frame *frame) {
  solo_kmp_pop_context(self, frame);
}

/* Returns whether the records of all children of the task are freed. */
static int has_no_children(void *what) {
  kmpc_task *task = what;
  /* pairs with count_ended in task/life.c */
  int64_t remote_count = solo_load_acquire(&task->remote_count);
  return (int32_t)(task->spawned - task->ended) == (int32_t)remote_count;
}

/* Runs the parts that no worker has claimed. Returns their number. */
static SOLO_COLD int32_t run_late_parts(kmpc_thread *self, kmpc_worker_team *worker_team,
                                        int32_t size) {
  uint64_t sequence = solo_load_relaxed(&worker_team->root.work.fork) >> 16;
  int32_t ran = 0;
  for (int32_t tid = 1; tid < size; tid++) {
    if (!solo_kmp_claim(worker_team->worker[tid - 1], sequence)) continue;
    kmpc_frame frame;
    solo_kmp_enter_team(self, &frame, &worker_team->team, tid);
    solo_kmp_run_work(self, &worker_team->work, tid);
    /* records of children point to frame.task, which ends here */
    if (SOLO_UNLIKELY(frame.task.spawned))
      solo_kmp_await(self, &worker_team->team.eventcount, NULL, has_no_children, solo_kmp_help,
                     &frame.task);
    solo_kmp_leave_team(self, &frame);
    ran++;
  }
  return ran;
}

static int32_t await_late_parts(kmpc_thread *self, kmpc_worker_team *worker_team, int32_t size) {
  for (int i = 0; i < PATIENCE; i++) {
    /* relaxed: a hint; is_over acquires */
    if (solo_load_relaxed(&worker_team->arrived) == (uint32_t)(size - 1)) return 0;
    solo_cpu_relax();
  }
  return run_late_parts(self, worker_team, size);
}

typedef struct joining {
  kmpc_worker_team *worker_team;
  uint32_t begun; /* number of parts that workers run */
} joining;

static int is_over(void *what) {
  const joining *at = what;
  if (solo_load_acquire(&at->worker_team->arrived) != at->begun) return 0;
  return solo_kmp_tasks_are_done(&at->worker_team->team);
}

static int has_no_helpers(void *what) {
  kmpc_worker_team *worker_team = what;
  uint32_t helping = 0;
  for (int32_t i = 0; i < worker_team->workers; i++) /* pairs with worker_help */
    helping |= solo_load_seq_cst(&worker_team->worker[i]->node.helping);
  return helping == KMPC_HELPING_NOT;
}

/* The condition for which the primary thread sleeps in end_league(). Threads with
 * KMPC_HELPING_TASKS are not counted, because they do not notify the primary thread. */
static SOLO_COLD int league_has_no_helpers(void *what) {
  kmpc_worker_team *worker_team = what;
  int32_t helping = 0;
  for (int32_t i = 0; i < worker_team->workers; i++) /* pairs with help_league */
    helping += solo_load_seq_cst(&worker_team->worker[i]->node.helping) == KMPC_HELPING_LEAGUE;
  return !helping;
}

/* Waits until no worker helps with tasks of the joined region. worker_help() states the invariant
 * and pairs with the store of `joined`. */
static SOLO_COLD void end_helping(kmpc_worker_team *worker_team, uint64_t fork) {
  solo_store_seq_cst(&worker_team->joined, (uint32_t)(fork >> 16));
  /* wakes workers that wait for tasks of this region */
  solo_kmp_notify_team(&worker_team->team);
  solo_kmp_spin_until(has_no_helpers, worker_team);
}

/* Waits until no worker runs teams of a joined league over a tree. help_league() states the
 * invariant and pairs with the store of `joined` and the load of `helped`. */
static SOLO_COLD void end_league(kmpc_thread *self, kmpc_worker_team *worker_team, uint64_t fork) {
  solo_store_seq_cst(&worker_team->joined, (uint32_t)(fork >> 16));
  if (!solo_load_seq_cst(&worker_team->helped)) return;
  solo_kmp_await(self, &worker_team->root.eventcount, NULL, league_has_no_helpers, solo_kmp_no_help,
                 worker_team);
  /* relaxed: the next fork publishes */
  solo_store_relaxed(&worker_team->helped, 0);
}

/* Resets the barrier, the loops and the ranges, because threads leave a cancelled region at any
 * point. */
static SOLO_COLD void reset_after_cancellation(kmpc_worker_team *worker_team, int has_tasks) {
  /* otherwise the next league would run the remaining teams of this one */
  divide_teams(worker_team, 0);
  /* relaxed: the next fork publishes */
  solo_store_relaxed(&worker_team->barrier, 0);
  solo_kmp_reset_loops(worker_team);
  /* pairs with solo_kmp_tasks_begin */
  if (has_tasks) solo_load_acquire(&solo_kmp_task_ops)->cancelled(&worker_team->team);
}

SOLO_INLINE void join(kmpc_thread *self, kmpc_worker_team *worker_team, int32_t size) {
  kmpc_team *team = &worker_team->team;
  uint64_t fork = solo_load_relaxed(&worker_team->root.work.fork);
  if (SOLO_UNLIKELY(worker_team->has_tree)) {
    solo_kmp_tree_join(self, worker_team);
    if (worker_team->root.work.teams) end_league(self, worker_team, fork);
  } else {
    joining at = {worker_team, (uint32_t)size - 1};
    if (fork & KMPC_STEALABLE) at.begun -= (uint32_t)await_late_parts(self, worker_team, size);
    solo_kmp_wait(self, &team->eventcount, is_over, solo_kmp_help, &at);
    /* relaxed: the next fork publishes */
    solo_store_relaxed(&worker_team->arrived, 0);
  }
  int has_tasks = solo_load_relaxed(&team->task_team) != NULL;
  if (SOLO_UNLIKELY(has_tasks)) end_helping(worker_team, fork);
  if (SOLO_UNLIKELY(solo_load_relaxed(&team->cancel))) /* relaxed: acquired in is_over */
    reset_after_cancellation(worker_team, has_tasks);
  else if (SOLO_UNLIKELY(solo_load_relaxed(&worker_team->dirty)))
    solo_kmp_reset_loops(worker_team);
  SOLO_ASSERT_SOUND(solo_kmp_team_check(worker_team));
}

/* Returns NULL if the region must run serialized. */
SOLO_INLINE kmpc_work *begin_region(kmpc_thread *self, const kmpc_region *region, kmpc_frame *frame,
                                    kmpc_join *join_data) {
  kmpc_worker_team *worker_team = NULL;
  const kmpc_team *outer = self->context.team;
  int32_t limit = region->teams            ? INT32_MAX
                  : region->strict != NULL ? outer->group->strict_limit
                                           : solo_kmp_group_limit(outer->group);
  int32_t granted = solo_kmp_reserve_threads(outer, region->size, limit);
  int32_t size = granted > 1 ? solo_kmp_worker_team_ready(self, &worker_team, granted) : 1;
  SOLO_ASSERT(size > 1 || !region->teams, "a league with several threads has no workers");
  if (SOLO_UNLIKELY(size < granted)) solo_kmp_release_threads(outer, granted - size + 1, limit);
  if (SOLO_UNLIKELY(region->strict != NULL)) solo_kmp_check_strict(&self->push_strict, size);
  if (SOLO_UNLIKELY(size <= 1)) return NULL;
  self->worker_team = worker_team->inner;
  describe(worker_team, self, region, size);
  kmpc_partition partition = {0, 0};
  int is_bound = region->bind > KMPC_BIND_FALSE;
  if (SOLO_UNLIKELY(is_bound)) partition = solo_kmp_assign_places(self, worker_team, region->bind);
  *join_data = (kmpc_join){worker_team, outer, partition, size, limit, is_bound};
  kmpc_work *work = publish(worker_team, region, size);
  solo_kmp_enter_team(self, frame, &worker_team->team, 0);
  if (SOLO_UNLIKELY(self->shown != KMPC_NOT_SHOWN)) solo_kmp_display_affinity_if_changed(self);
  return work;
}

SOLO_INLINE void end_region(kmpc_thread *self, kmpc_frame *frame, const kmpc_join *join_data) {
  kmpc_worker_team *worker_team = join_data->worker_team;
  join(self, worker_team, join_data->size);
  solo_kmp_leave_team(self, frame);
  if (SOLO_UNLIKELY(join_data->is_bound)) self->partition = join_data->partition;
  UPDATE(worker_team->inner, self->worker_team);
  self->worker_team = worker_team;
  solo_kmp_release_threads(join_data->outer, join_data->size, join_data->limit);
}

void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region) {
  kmpc_frame frame;
  kmpc_join join_data; /* not in the frame, so that the compiler can use registers */
  kmpc_work *work = begin_region(self, region, &frame, &join_data);
  if (SOLO_UNLIKELY(!work)) {
    solo_kmp_region_serial(self, region);
    return;
  }
  solo_kmp_run_work(self, work, 0);
  end_region(self, &frame, &join_data);
}

int solo_kmp_region_open(kmpc_thread *self, const kmpc_region *region, kmpc_open_region *open) {
  return begin_region(self, region, &open->frame, &open->join) != NULL;
}

void solo_kmp_region_close(kmpc_thread *self, kmpc_open_region *open) {
  end_region(self, &open->frame, &open->join);
}

static void fork_with(kmpc_micro micro, int32_t count, void **args) {
  kmpc_thread *self = solo_kmp_self();
  int32_t wanted = self->push_threads;
  int32_t bind = solo_kmp_binding(self->context.task->icvs, self->push_bind);
  self->push_threads = 0;
  self->push_bind = 0;
  kmpc_region region = {.micro = micro, .args = args, .arg_count = count, .bind = bind};
  const kmpc_team *team = self->context.team;
  int is_alone = team->league && team->league->threads == 1 && !self->push_strict.threads &&
                 (wanted <= 0 || team->group->limit == 1);
  region.size = is_alone ? 1 : solo_kmp_region_size(self, wanted);
  if (SOLO_UNLIKELY(self->push_strict.threads)) region.strict = &self->push_strict;
  if (region.size > 1) {
    solo_kmp_region_run(self, &region);
  } else {
    if (SOLO_UNLIKELY(region.strict != NULL)) solo_kmp_check_strict(&self->push_strict, 1);
    solo_kmp_region_serial(self, &region);
  }
}

void __kmpc_fork_call(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...);
SOLO_EXPORT void __kmpc_fork_call(kmpc_ident *loc, int32_t count, kmpc_micro micro, ...) {
  (void)loc;
  KMPC_WITH_ARGS(fork_with, micro, count)
}

void __kmpc_fork_call_if(kmpc_ident *loc, int32_t count, kmpc_micro micro, int32_t condition,
                         void *argument);
SOLO_EXPORT void __kmpc_fork_call_if(kmpc_ident *loc, int32_t count, kmpc_micro micro,
                                     int32_t condition, void *argument) {
  (void)loc;
  if (condition) {
    fork_with(micro, count ? 1 : 0, &argument);
    return;
  }
  kmpc_region region = {.micro = micro, .args = &argument, .arg_count = count ? 1 : 0};
  kmpc_thread *self = solo_kmp_self();
  clear_announced_clauses(self);
  solo_kmp_region_serial(self, &region);
}

int32_t solo_kmp_team_capacity(const kmpc_team *team) {
  return team->worker_team ? team->worker_team->capacity : 1;
}

void **solo_kmp_task_storage(kmpc_team *team) {
  return team->worker_team ? &team->worker_team->task_storage : NULL;
}
