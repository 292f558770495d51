/* Parallel regions: how many threads, fork, join, and what workers do in between. */
#include "abi/kmpc/team/worker_team.h"

#include <limits.h>
#include <stdlib.h>

/* Field of the shared team record: written only if it changes, so that the line stays shared. */
#define UPDATE(field, value)                                                                       \
  do {                                                                                             \
    if ((field) != (value)) (field) = (value);                                                     \
  } while (0)

/* How long a master waits for workers that have not begun before it runs their parts: about what a
 * worker that spins needs to see the fork word. */
enum { PATIENCE = 20 };

/* --- size --------------------------------------------------------------------------------------*/

int32_t solo_kmp_region_size(kmpc_thread *self, int32_t wanted) {
  const kmpc_icvs *icvs = self->context.task->icvs;
  const kmpc_team *team = self->context.team;
  if (wanted <= 0) {
    if (team->league && team->league->threads)
      wanted = team->league->threads;
    else
      wanted = icvs->nthreads_count ? icvs->nthreads[0] : solo_kmp_procs();
  }
  if (SOLO_UNLIKELY(icvs->thread_limit && wanted > icvs->thread_limit)) wanted = icvs->thread_limit;
  if (wanted > 1 && team->active_level >= icvs->max_active_levels) return 1;
  if (icvs->dynamic && wanted > solo_kmp_procs()) wanted = solo_kmp_procs();
  return wanted < KMPC_THREADS_MAX ? wanted : KMPC_THREADS_MAX;
}

/* Takes size - 1 more threads out of the group's limit, or fewer; returns the new size. */
static int32_t reserve_threads(kmpc_group *group, int32_t size) {
  if (SOLO_LIKELY(group->limit == INT32_MAX)) return size;
  int32_t used = solo_load_relaxed(&group->used); /* a budget: orders nothing */
  int32_t more;
  do {
    more = size - 1 < group->limit - used ? size - 1 : group->limit - used;
    if (more <= 0) return 1;
  } while (!solo_cas_relaxed(&group->used, &used, used + more)); /* a budget */
  return more + 1;
}

static void release_threads(kmpc_group *group, int32_t size) {
  if (group->limit != INT32_MAX) solo_sub_relaxed(&group->used, size - 1); /* a budget */
}

/* --- serialized --------------------------------------------------------------------------------*/

static void begin_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  solo_kmp_team_of_one(&frame->team, self);
  frame->team.icvs = solo_kmp_icvs_child(frame->team.icvs);
  solo_kmp_push_context(self, &frame->frame, &frame->team, 0);
}

static void end_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->team.task_team) != NULL)) /* own thread's store */
    solo_kmp_finish_tasks(self);
  solo_kmp_pop_context(self, &frame->frame);
}

void solo_kmp_finish_tasks(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  const kmpc_task_ops *ops = solo_load_acquire(&solo_kmp_task_ops); /* pairs with task.c */
  kmpc_backoff backoff = {0};
  while (!ops->all_done(team)) {
    if (ops->run_one(self)) {
      backoff.round = 0;
      continue;
    }
    if (solo_kmp_spin(&backoff)) continue;
    uint32_t key = solo_kmp_event_prepare(&team->event);
    if (ops->all_done(team))
      solo_kmp_event_cancel(&team->event);
    else
      solo_kmp_event_sleep(&team->event, key);
  }
  ops->team_end(team);
}

void solo_kmp_region_serial(kmpc_thread *self, const kmpc_region *region) {
  kmpc_solo_frame frame;
  int32_t tid = 0;
  begin_serial(self, &frame);
  solo_kmp_invoke(region->micro, &self->gtid, &tid, region->arg_count, region->args);
  end_serial(self, &frame);
}

/* What was announced for the region that now runs serialized. */
static void forget_clauses(kmpc_thread *self) {
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
    solo_kmp_watch_end(self);
  serial->outer = self->serial_used;
  self->serial_used = serial;
  forget_clauses(self);
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

/* --- fork --------------------------------------------------------------------------------------*/

/* The team record of the region; the worker_team is idle. */
static void describe(kmpc_worker_team *worker_team, kmpc_thread *self, const kmpc_region *region,
                     int32_t size) {
  kmpc_team *team = &worker_team->team;
  kmpc_team *parent = self->context.team;
  UPDATE(team->size, size);
  UPDATE(team->level, parent->level + !region->is_league);
  UPDATE(team->active_level, parent->active_level + !region->is_league);
  UPDATE(team->parent, parent);
  UPDATE(team->parent_tid, self->context.tid);
  UPDATE(team->device, parent->device);
  UPDATE(team->group, parent->group);
  UPDATE(team->league, parent->league);
  const kmpc_icvs *icvs = self->context.task->icvs;
  UPDATE(team->icvs, region->is_league ? icvs : solo_kmp_icvs_child(icvs));
  UPDATE(team->proc_bind, region->bind);
  UPDATE(worker_team->parent_task, self->context.task);
  /* relaxed: the worker_team is idle and the fork word publishes */
  if (solo_load_relaxed(&team->cancel)) solo_store_relaxed(&team->cancel, 0);
  if (solo_load_relaxed(&team->task_team)) solo_store_relaxed(&team->task_team, NULL);
  if (solo_load_relaxed(&worker_team->singles)) solo_store_relaxed(&worker_team->singles, 0);
}

/* May the master run a late worker's part? Not where threads have an identity (threadprivate), nor
 * where reductions wait for one another's threads. */
static int is_stealable(const kmpc_worker_team *worker_team, const kmpc_region *region) {
  if (region->is_league) return 1;
  return worker_team->team.device >= 0 && solo_kmp_config()->reduction != KMPC_REDUCE_TREE;
}

static void publish(kmpc_worker_team *worker_team, const kmpc_region *region, int32_t size) {
  worker_team->micro = region->micro;
  worker_team->arg_count = region->arg_count;
  if (SOLO_LIKELY(region->arg_count <= KMPC_INLINE_ARGS)) {
    for (int32_t i = 0; i < region->arg_count; i++) worker_team->inline_args[i] = region->args[i];
    worker_team->args = worker_team->inline_args;
  } else {
    worker_team->args = region->args;
  }
  uint64_t sequence = (solo_load_relaxed(&worker_team->fork) >> 16) + 1; /* only we write it */
  uint64_t stealable = is_stealable(worker_team, region) ? KMPC_STEALABLE : 0;
  /* pairs with await_fork; seq_cst: then we see who went to sleep before */
  solo_store_seq_cst(&worker_team->fork, sequence << 16 | stealable | (uint64_t)size);
  for (int32_t i = 0; i < size - 1; i++) solo_kmp_worker_wake(worker_team->worker[i]);
}

/* After a cancelled or loop-using region: back to what the next one expects. */
void solo_kmp_reset_loops(kmpc_worker_team *worker_team) {
  for (uint32_t i = 0; i < KMPC_LOOP_SLOTS; i++) {
    kmpc_loop_slot *slots[] = {&worker_team->loops[i], &worker_team->crosses[i]};
    for (int j = 0; j < 2; j++) { /* relaxed: the worker_team is idle and the next fork publishes */
      solo_store_relaxed(&slots[j]->turn, i);
      solo_store_relaxed(&slots[j]->state, KMPC_SLOT_FREE);
      solo_store_relaxed(&slots[j]->left, 0);
      free((void *)solo_load_relaxed(&slots[j]->flags));
      solo_store_relaxed(&slots[j]->flags, NULL);
    }
  }
  solo_store_relaxed(&worker_team->dirty, 0);
}

/* Lets the part of a region (its sequence) begin, once: worker and master both ask, and a worker
 * that was held up may ask for a region that is over. */
static int claim(kmpc_worker *worker, uint64_t sequence) {
  uint64_t claimed = solo_load_relaxed(&worker->claimed); /* the fork word publishes the region */
  do {
    if (claimed >= sequence) return 0;
  } while (!solo_cas_relaxed(&worker->claimed, &claimed, sequence)); /* as above */
  return 1;
}

/* Records of the task's children that are still in memory know where it lies. */
static int has_children(const kmpc_task *task) {
  int64_t remote_count = solo_load_acquire(&task->remote_count); /* pairs with gone in task.c */
  return (int32_t)(task->spawned - task->gone) != (int32_t)remote_count;
}

/* The frame of a late part is about to go, though its region goes on. */
static SOLO_COLD void await_children(kmpc_thread *self, const kmpc_task *task) {
  kmpc_eventcount *event = &self->context.team->event;
  kmpc_backoff backoff = {0};
  while (has_children(task)) {
    if (solo_kmp_help(self)) {
      backoff.round = 0;
      continue;
    }
    if (solo_kmp_spin(&backoff)) continue;
    uint32_t key = solo_kmp_event_prepare(event);
    solo_fence_seq_cst(); /* pairs with the seq_cst operation before gone's notify in task.c */
    if (!has_children(task) || solo_kmp_help(self)) /* a task that came in between, too */
      solo_kmp_event_cancel(event);
    else
      solo_kmp_event_sleep(event, key);
  }
}

/* Runs the parts of workers that have not begun; returns how many. */
static int32_t run_late_parts(kmpc_thread *self, kmpc_worker_team *worker_team, int32_t size) {
  uint64_t sequence = solo_load_relaxed(&worker_team->fork) >> 16; /* only we write it */
  int32_t ran = 0;
  for (int i = 0; i < PATIENCE; i++) {
    /* relaxed: only to see whether it is worth while; is_over acquires */
    if (solo_load_relaxed(&worker_team->arrived) == (uint32_t)(size - 1)) return 0;
    solo_cpu_relax();
  }
  for (int32_t tid = 1; tid < size; tid++) {
    if (!claim(worker_team->worker[tid - 1], sequence)) continue;
    kmpc_frame frame;
    int32_t number = tid;
    solo_kmp_push_context(self, &frame, &worker_team->team, tid);
    solo_kmp_invoke(worker_team->micro, &self->gtid, &number, worker_team->arg_count,
                    worker_team->args);
    if (SOLO_UNLIKELY(frame.task.spawned)) await_children(self, &frame.task);
    solo_kmp_pop_context(self, &frame);
    ran++;
  }
  return ran;
}

/* All workers that began are through, and no task of the region is left? */
static int is_over(kmpc_worker_team *worker_team, int32_t begun) {
  /* pairs with arrive */
  if (solo_load_seq_cst(&worker_team->arrived) != (uint32_t)begun) return 0;
  if (SOLO_LIKELY(!solo_load_acquire(&worker_team->team.task_team)))
    return 1; /* pairs with task.c */
  return solo_load_acquire(&solo_kmp_task_ops)
      ->all_done(&worker_team->team); /* pairs with task.c */
}

static void join(kmpc_thread *self, kmpc_worker_team *worker_team, int32_t size) {
  kmpc_backoff backoff = {0};
  int32_t begun = size - 1;
  if (solo_load_relaxed(&worker_team->fork) & KMPC_STEALABLE) /* only we write it */
    begun -= run_late_parts(self, worker_team, size);
  while (!is_over(worker_team, begun)) {
    if (solo_kmp_help(self)) {
      backoff.round = 0;
      continue;
    }
    if (SOLO_LIKELY(solo_kmp_spin(&backoff))) continue;
    uint32_t key = solo_kmp_event_prepare(&worker_team->team.event);
    if (is_over(worker_team, begun) || solo_kmp_help(self)) /* a task that came in between, too */
      solo_kmp_event_cancel(&worker_team->team.event);
    else
      solo_kmp_event_sleep(&worker_team->team.event, key);
  }
  if (SOLO_UNLIKELY(solo_load_relaxed(&worker_team->team.task_team) != NULL)) { /* seen above */
    /* no worker may still look for tasks when the next region begins; pairs with worker_help */
    solo_store_seq_cst(&worker_team->joined,
                       (uint32_t)(solo_load_relaxed(&worker_team->fork) >> 16));
    solo_kmp_notify(
        &worker_team->team.event); /* whoever waits for tasks there: wait for a fork now */
    kmpc_backoff short_wait = {0}; /* a helper may have lost its processor just there */
    while (solo_load_seq_cst(&worker_team->helpers))
      if (!solo_kmp_spin(&short_wait)) short_wait.round = 0;
  }
  solo_store_relaxed(&worker_team->arrived, 0); /* all workers wait; the next fork publishes */
  if (SOLO_UNLIKELY(solo_load_relaxed(&worker_team->team.cancel))) { /* some left barriers early */
    solo_store_relaxed(&worker_team->barrier, 0);
    solo_kmp_reset_loops(worker_team);
    if (solo_load_relaxed(&worker_team->team.task_team))                    /* seen above */
      solo_load_acquire(&solo_kmp_task_ops)->cancelled(&worker_team->team); /* pairs with task.c */
  } else if (SOLO_UNLIKELY(solo_load_relaxed(&worker_team->dirty))) {
    solo_kmp_reset_loops(worker_team);
  }
}

void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region) {
  kmpc_worker_team *worker_team = NULL;
  kmpc_group *group = self->context.team->group;
  int32_t granted = region->is_league ? region->size : reserve_threads(group, region->size);
  int32_t size = granted > 1 ? solo_kmp_worker_team_ready(self, &worker_team, granted) : 1;
  if (SOLO_UNLIKELY(size < granted) && !region->is_league)
    release_threads(group, granted - size + 1);
  if (SOLO_UNLIKELY(region->strict != NULL)) solo_kmp_check_strict(&self->push_strict, size);
  if (SOLO_UNLIKELY(size <= 1)) {
    solo_kmp_region_serial(self, region);
    return;
  }
  kmpc_frame frame;
  int32_t tid = 0;
  self->worker_team = worker_team->inner; /* regions inside need another one */
  describe(worker_team, self, region, size);
  kmpc_partition partition = {0, 0};
  int is_bound = region->bind > KMPC_BIND_FALSE;
  if (SOLO_UNLIKELY(is_bound)) partition = solo_kmp_assign_places(self, worker_team, region->bind);
  publish(worker_team, region, size);
  solo_kmp_push_context(self, &frame, &worker_team->team, 0);
  if (SOLO_UNLIKELY(!self->shown)) solo_kmp_show_affinity(self);
  solo_kmp_invoke(region->micro, &self->gtid, &tid, region->arg_count, region->args);
  join(self, worker_team, size);
  solo_kmp_pop_context(self, &frame);
  if (SOLO_UNLIKELY(is_bound)) self->partition = partition;
  worker_team->inner = self->worker_team;
  self->worker_team = worker_team;
  if (!region->is_league) release_threads(group, size);
}

/* --- workers -----------------------------------------------------------------------------------*/

/* Helps with a finished region's tasks unless it is joined; see team/worker_team.h. */
static int worker_help(kmpc_thread *self, kmpc_worker_team *worker_team, uint64_t seen) {
  if (SOLO_LIKELY(!solo_load_acquire(&worker_team->team.task_team)))
    return 0; /* pairs with task.c */
  int ran = 0;
  solo_add_seq_cst(&worker_team->helpers, 1); /* pairs with join */
  if (solo_load_seq_cst(&worker_team->fork) == seen &&
      solo_load_seq_cst(&worker_team->joined) != (uint32_t)(seen >> 16))
    ran = solo_load_acquire(&solo_kmp_task_ops)->run_one(self); /* pairs with task.c */
  solo_sub_release(&worker_team->helpers, 1);                   /* pairs with join */
  return ran;
}

/* Waits until the fork word is not seen any more; returns it. */
static uint64_t await_fork(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team,
                           uint64_t seen, int took_part) {
  kmpc_backoff backoff = {0};
  for (;;) {
    uint64_t word = solo_load_acquire(&worker_team->fork); /* pairs with publish */
    if (word != seen) return word;
    if (took_part && worker_help(self, worker_team, seen)) {
      backoff.round = 0;
      continue;
    }
    if (SOLO_LIKELY(solo_kmp_spin(&backoff))) continue;
    if (took_part &&
        solo_load_acquire(&worker_team->team.task_team)) { /* tasks may come: team's event */
      uint32_t key = solo_kmp_event_prepare(&worker_team->team.event);
      if (solo_load_seq_cst(&worker_team->joined) == (uint32_t)(seen >> 16) ||
          solo_load_seq_cst(&worker_team->fork) != seen || worker_help(self, worker_team, seen)) {
        solo_kmp_event_cancel(&worker_team->team.event);
        if (solo_load_seq_cst(&worker_team->joined) == (uint32_t)(seen >> 16)) took_part = 0;
      } else {
        solo_kmp_event_sleep(&worker_team->team.event, key);
      }
      continue;
    }
    solo_store_seq_cst(&worker->asleep, 1); /* pairs with solo_kmp_worker_wake */
    /* pairs with solo_kmp_wake_worker_team; seq_cst: see there */
    int has_tasks = took_part && solo_load_seq_cst(&worker_team->team.task_team) != NULL;
    if (!has_tasks && solo_load_seq_cst(&worker_team->fork) == seen)
      solo_futex_wait(&worker->asleep, 1, 0);
    solo_store_relaxed(&worker->asleep, 0); /* own word; the fork word orders */
  }
}

static void run_part(kmpc_thread *self, kmpc_worker_team *worker_team, int32_t tid,
                     kmpc_frame *frame) {
  int32_t number = tid;
  solo_kmp_set_context(self, frame, &worker_team->team, worker_team->parent_task, tid);
  if (SOLO_UNLIKELY(!self->shown)) solo_kmp_show_affinity(self);
  solo_kmp_invoke(worker_team->micro, &self->gtid, &number, worker_team->arg_count,
                  worker_team->args);
}

static void arrive(kmpc_worker_team *worker_team, kmpc_frame *frame) {
  if (SOLO_UNLIKELY(frame->task.depends != NULL))
    solo_load_acquire(&solo_kmp_task_ops)->implicit_end(&frame->task); /* pairs with task.c */
  solo_add_seq_cst(&worker_team->arrived, 1);                          /* pairs with is_over */
  solo_kmp_notify(&worker_team->team.event);
}

static void serve(kmpc_thread *self, kmpc_worker *worker, kmpc_worker_team *worker_team,
                  kmpc_frame *frame) {
  uint64_t seen = worker->seen;
  int32_t tid = worker->tid;
  int took_part = 0;
  self->context.team = &worker_team->team;
  self->context.size = 1;
  for (;;) {
    seen = await_fork(self, worker, worker_team, seen, took_part);
    if (SOLO_UNLIKELY((seen & KMPC_DISBAND) == KMPC_DISBAND)) break;
    took_part = tid < (int32_t)(seen & KMPC_SIZE_MASK) &&
                (!(seen & KMPC_STEALABLE) || claim(worker, seen >> 16));
    if (!took_part) continue;
    if (SOLO_UNLIKELY(worker->place_version != self->place_version))
      solo_kmp_take_place(self, worker);
    run_part(self, worker_team, tid, frame);
    arrive(worker_team, frame);
  }
  solo_kmp_worker_teams_release(self);
  solo_store_relaxed(&worker->worker_team, NULL); /* published by the count */
  solo_add_release(&worker_team->arrived, 1); /* pairs with disband; the worker_team may go now */
}

void solo_kmp_worker_loop(kmpc_thread *self, kmpc_worker *worker) {
  kmpc_frame frame;
  for (;;) {
    kmpc_worker_team *worker_team =
        solo_load_acquire(&worker->worker_team); /* pairs with solo_kmp_pool_take */
    if (worker_team) {
      serve(self, worker, worker_team, &frame);
      continue;
    }
    solo_store_seq_cst(&worker->asleep, 1); /* pairs with solo_kmp_worker_wake */
    if (!solo_load_seq_cst(&worker->worker_team)) solo_futex_wait(&worker->asleep, 1, 0);
    solo_store_relaxed(&worker->asleep, 0); /* own word */
  }
}

/* --- what compilers call -----------------------------------------------------------------------*/

static void fork_with(kmpc_micro micro, int32_t count, void **args) {
  kmpc_thread *self = solo_kmp_self();
  int32_t wanted = self->push_threads;
  int32_t bind = solo_kmp_binding(self->context.task->icvs, self->push_bind);
  self->push_threads = 0;
  self->push_bind = 0;
  kmpc_region region = {.micro = micro, .args = args, .arg_count = count, .bind = bind};
  const kmpc_league *league = self->context.team->league;
  int is_alone = league && league->threads == 1 && wanted <= 0; /* many teams: the usual case */
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

/* Emitted by LLVM's IR builder: one argument, and a condition. */
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
  forget_clauses(self);
  solo_kmp_region_serial(self, &region);
}

int32_t solo_kmp_team_capacity(const kmpc_team *team) {
  return team->worker_team ? team->worker_team->capacity : 1;
}

void solo_kmp_wake_worker_team(kmpc_team *team) {
  kmpc_worker_team *worker_team = team->worker_team;
  if (!worker_team) return;
  solo_fence_seq_cst(); /* pairs with the last look in await_fork: it sees the tasks or we it */
  for (int32_t i = 0; i < team->size - 1; i++) solo_kmp_worker_wake(worker_team->worker[i]);
}

void **solo_kmp_task_storage(kmpc_team *team) {
  return team->worker_team ? &team->worker_team->task_storage : NULL;
}
