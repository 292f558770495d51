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
  const kmpc_icvs *icvs = self->now.task->icvs;
  const kmpc_team *team = self->now.team;
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
static int32_t charge(kmpc_group *group, int32_t size) {
  if (SOLO_LIKELY(group->limit == INT32_MAX)) return size;
  int32_t used = solo_load_relaxed(&group->used); /* a budget: orders nothing */
  int32_t more;
  do {
    more = size - 1 < group->limit - used ? size - 1 : group->limit - used;
    if (more <= 0) return 1;
  } while (!solo_cas_relaxed(&group->used, &used, used + more)); /* a budget */
  return more + 1;
}

static void refund(kmpc_group *group, int32_t size) {
  if (group->limit != INT32_MAX) solo_sub_relaxed(&group->used, size - 1); /* a budget */
}

/* --- serialized --------------------------------------------------------------------------------*/

static void begin_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  solo_kmp_team_of_one(&frame->team, self);
  frame->team.icvs = solo_kmp_icvs_child(frame->team.icvs);
  solo_kmp_enter(self, &frame->frame, &frame->team, 0);
}

static void end_serial(kmpc_thread *self, kmpc_solo_frame *frame) {
  if (SOLO_UNLIKELY(solo_load_relaxed(&frame->team.task_team) != NULL)) /* own thread's store */
    solo_kmp_finish_tasks(self);
  solo_kmp_leave(self, &frame->frame);
}

void solo_kmp_finish_tasks(kmpc_thread *self) {
  kmpc_team *team = self->now.team;
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

/* The team record of the region; the crew is idle. */
static void describe(kmpc_crew *crew, kmpc_thread *self, const kmpc_region *region, int32_t size) {
  kmpc_team *team = &crew->team;
  kmpc_team *parent = self->now.team;
  UPDATE(team->size, size);
  UPDATE(team->level, parent->level + !region->is_league);
  UPDATE(team->active_level, parent->active_level + !region->is_league);
  UPDATE(team->parent, parent);
  UPDATE(team->parent_tid, self->now.tid);
  UPDATE(team->device, parent->device);
  UPDATE(team->group, parent->group);
  UPDATE(team->league, parent->league);
  const kmpc_icvs *icvs = self->now.task->icvs;
  UPDATE(team->icvs, region->is_league ? icvs : solo_kmp_icvs_child(icvs));
  UPDATE(team->proc_bind, region->bind);
  UPDATE(crew->parent_task, self->now.task);
  /* relaxed: the crew is idle and the fork word publishes */
  if (solo_load_relaxed(&team->cancel)) solo_store_relaxed(&team->cancel, 0);
  if (solo_load_relaxed(&team->task_team)) solo_store_relaxed(&team->task_team, NULL);
  if (solo_load_relaxed(&crew->singles)) solo_store_relaxed(&crew->singles, 0);
}

/* May the master run a late worker's part? Not where threads have an identity (threadprivate), nor
 * where reductions wait for one another's threads. */
static int is_claimable(const kmpc_crew *crew, const kmpc_region *region) {
  if (region->is_league) return 1;
  return crew->team.device >= 0 && solo_kmp_config()->reduction != KMPC_REDUCE_TREE;
}

static void publish(kmpc_crew *crew, const kmpc_region *region, int32_t size) {
  crew->micro = region->micro;
  crew->arg_count = region->arg_count;
  if (SOLO_LIKELY(region->arg_count <= KMPC_INLINE_ARGS)) {
    for (int32_t i = 0; i < region->arg_count; i++) crew->inline_args[i] = region->args[i];
    crew->args = crew->inline_args;
  } else {
    crew->args = region->args;
  }
  uint64_t sequence = (solo_load_relaxed(&crew->fork) >> 16) + 1; /* only we write it */
  uint64_t claimable = is_claimable(crew, region) ? KMPC_CLAIMABLE : 0;
  /* pairs with await_fork; seq_cst: then we see who went to sleep before */
  solo_store_seq_cst(&crew->fork, sequence << 16 | claimable | (uint64_t)size);
  for (int32_t i = 0; i < size - 1; i++) solo_kmp_worker_wake(crew->worker[i]);
}

/* After a cancelled or loop-using region: back to what the next one expects. */
void solo_kmp_reset_loops(kmpc_crew *crew) {
  for (uint32_t i = 0; i < KMPC_LOOP_SLOTS; i++) {
    kmpc_loop_slot *slots[] = {&crew->loops[i], &crew->crosses[i]};
    for (int j = 0; j < 2; j++) { /* relaxed: the crew is idle and the next fork publishes */
      solo_store_relaxed(&slots[j]->turn, i);
      solo_store_relaxed(&slots[j]->state, KMPC_SLOT_FREE);
      solo_store_relaxed(&slots[j]->left, 0);
      free((void *)solo_load_relaxed(&slots[j]->flags));
      solo_store_relaxed(&slots[j]->flags, NULL);
    }
  }
  solo_store_relaxed(&crew->dirty, 0);
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
  int64_t elsewhere = solo_load_acquire(&task->elsewhere); /* pairs with gone in task.c */
  return (int32_t)(task->spawned - task->gone) != (int32_t)elsewhere;
}

/* The frame of a late part is about to go, though its region goes on. */
static SOLO_COLD void await_children(kmpc_thread *self, const kmpc_task *task) {
  kmpc_event *event = &self->now.team->event;
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
static int32_t run_late_parts(kmpc_thread *self, kmpc_crew *crew, int32_t size) {
  uint64_t sequence = solo_load_relaxed(&crew->fork) >> 16; /* only we write it */
  int32_t ran = 0;
  for (int i = 0; i < PATIENCE; i++) {
    /* relaxed: only to see whether it is worth while; is_over acquires */
    if (solo_load_relaxed(&crew->arrived) == (uint32_t)(size - 1)) return 0;
    solo_cpu_relax();
  }
  for (int32_t tid = 1; tid < size; tid++) {
    if (!claim(crew->worker[tid - 1], sequence)) continue;
    kmpc_frame frame;
    int32_t number = tid;
    solo_kmp_enter(self, &frame, &crew->team, tid);
    solo_kmp_invoke(crew->micro, &self->gtid, &number, crew->arg_count, crew->args);
    if (SOLO_UNLIKELY(frame.task.spawned)) await_children(self, &frame.task);
    solo_kmp_leave(self, &frame);
    ran++;
  }
  return ran;
}

/* All workers that began are through, and no task of the region is left? */
static int is_over(kmpc_crew *crew, int32_t begun) {
  /* pairs with arrive */
  if (solo_load_seq_cst(&crew->arrived) != (uint32_t)begun) return 0;
  if (SOLO_LIKELY(!solo_load_acquire(&crew->team.task_team))) return 1; /* pairs with task.c */
  return solo_load_acquire(&solo_kmp_task_ops)->all_done(&crew->team);  /* pairs with task.c */
}

static void join(kmpc_thread *self, kmpc_crew *crew, int32_t size) {
  kmpc_backoff backoff = {0};
  int32_t begun = size - 1;
  if (solo_load_relaxed(&crew->fork) & KMPC_CLAIMABLE) /* only we write it */
    begun -= run_late_parts(self, crew, size);
  while (!is_over(crew, begun)) {
    if (solo_kmp_help(self)) {
      backoff.round = 0;
      continue;
    }
    if (SOLO_LIKELY(solo_kmp_spin(&backoff))) continue;
    uint32_t key = solo_kmp_event_prepare(&crew->team.event);
    if (is_over(crew, begun) || solo_kmp_help(self)) /* a task that came in between, too */
      solo_kmp_event_cancel(&crew->team.event);
    else
      solo_kmp_event_sleep(&crew->team.event, key);
  }
  if (SOLO_UNLIKELY(solo_load_relaxed(&crew->team.task_team) != NULL)) { /* seen above */
    /* no worker may still look for tasks when the next region begins; pairs with worker_help */
    solo_store_seq_cst(&crew->joined, (uint32_t)(solo_load_relaxed(&crew->fork) >> 16));
    solo_kmp_notify(&crew->team.event); /* whoever waits for tasks there: wait for a fork now */
    kmpc_backoff short_wait = {0};      /* a helper may have lost its processor just there */
    while (solo_load_seq_cst(&crew->helpers))
      if (!solo_kmp_spin(&short_wait)) short_wait.round = 0;
  }
  solo_store_relaxed(&crew->arrived, 0); /* all workers wait; the next fork publishes */
  if (SOLO_UNLIKELY(solo_load_relaxed(&crew->team.cancel))) { /* some left barriers early */
    solo_store_relaxed(&crew->barrier, 0);
    solo_kmp_reset_loops(crew);
    if (solo_load_relaxed(&crew->team.task_team))                    /* seen above */
      solo_load_acquire(&solo_kmp_task_ops)->cancelled(&crew->team); /* pairs with task.c */
  } else if (SOLO_UNLIKELY(solo_load_relaxed(&crew->dirty))) {
    solo_kmp_reset_loops(crew);
  }
}

void solo_kmp_region_run(kmpc_thread *self, const kmpc_region *region) {
  kmpc_crew *crew = NULL;
  kmpc_group *group = self->now.team->group;
  int32_t granted = region->is_league ? region->size : charge(group, region->size);
  int32_t size = granted > 1 ? solo_kmp_crew_ready(self, &crew, granted) : 1;
  if (SOLO_UNLIKELY(size < granted) && !region->is_league) refund(group, granted - size + 1);
  if (SOLO_UNLIKELY(region->strict != NULL)) solo_kmp_check_strict(&self->push_strict, size);
  if (SOLO_UNLIKELY(size <= 1)) {
    solo_kmp_region_serial(self, region);
    return;
  }
  kmpc_frame frame;
  int32_t tid = 0;
  self->crew = crew->inner; /* regions inside need another one */
  describe(crew, self, region, size);
  kmpc_partition partition = {0, 0};
  int is_bound = region->bind > KMPC_BIND_FALSE;
  if (SOLO_UNLIKELY(is_bound)) partition = solo_kmp_seat_crew(self, crew, region->bind);
  publish(crew, region, size);
  solo_kmp_enter(self, &frame, &crew->team, 0);
  if (SOLO_UNLIKELY(!self->shown)) solo_kmp_show_affinity(self);
  solo_kmp_invoke(region->micro, &self->gtid, &tid, region->arg_count, region->args);
  join(self, crew, size);
  solo_kmp_leave(self, &frame);
  if (SOLO_UNLIKELY(is_bound)) self->partition = partition;
  crew->inner = self->crew;
  self->crew = crew;
  if (!region->is_league) refund(group, size);
}

/* --- workers -----------------------------------------------------------------------------------*/

/* Helps with a finished region's tasks unless it is joined; see team/worker_team.h. */
static int worker_help(kmpc_thread *self, kmpc_crew *crew, uint64_t seen) {
  if (SOLO_LIKELY(!solo_load_acquire(&crew->team.task_team))) return 0; /* pairs with task.c */
  int ran = 0;
  solo_add_seq_cst(&crew->helpers, 1); /* pairs with join */
  if (solo_load_seq_cst(&crew->fork) == seen &&
      solo_load_seq_cst(&crew->joined) != (uint32_t)(seen >> 16))
    ran = solo_load_acquire(&solo_kmp_task_ops)->run_one(self); /* pairs with task.c */
  solo_sub_release(&crew->helpers, 1);                          /* pairs with join */
  return ran;
}

/* Waits until the fork word is not seen any more; returns it. */
static uint64_t await_fork(kmpc_thread *self, kmpc_worker *worker, kmpc_crew *crew, uint64_t seen,
                           int took_part) {
  kmpc_backoff backoff = {0};
  for (;;) {
    uint64_t word = solo_load_acquire(&crew->fork); /* pairs with publish */
    if (word != seen) return word;
    if (took_part && worker_help(self, crew, seen)) {
      backoff.round = 0;
      continue;
    }
    if (SOLO_LIKELY(solo_kmp_spin(&backoff))) continue;
    if (took_part && solo_load_acquire(&crew->team.task_team)) { /* tasks may come: team's event */
      uint32_t key = solo_kmp_event_prepare(&crew->team.event);
      if (solo_load_seq_cst(&crew->joined) == (uint32_t)(seen >> 16) ||
          solo_load_seq_cst(&crew->fork) != seen || worker_help(self, crew, seen)) {
        solo_kmp_event_cancel(&crew->team.event);
        if (solo_load_seq_cst(&crew->joined) == (uint32_t)(seen >> 16)) took_part = 0;
      } else {
        solo_kmp_event_sleep(&crew->team.event, key);
      }
      continue;
    }
    solo_store_seq_cst(&worker->asleep, 1); /* pairs with solo_kmp_worker_wake */
    /* pairs with solo_kmp_wake_crew; seq_cst: see there */
    int has_tasks = took_part && solo_load_seq_cst(&crew->team.task_team) != NULL;
    if (!has_tasks && solo_load_seq_cst(&crew->fork) == seen)
      solo_futex_wait(&worker->asleep, 1, 0);
    solo_store_relaxed(&worker->asleep, 0); /* own word; the fork word orders */
  }
}

static void run_part(kmpc_thread *self, kmpc_crew *crew, int32_t tid, kmpc_frame *frame) {
  int32_t number = tid;
  solo_kmp_stand(self, frame, &crew->team, crew->parent_task, tid);
  if (SOLO_UNLIKELY(!self->shown)) solo_kmp_show_affinity(self);
  solo_kmp_invoke(crew->micro, &self->gtid, &number, crew->arg_count, crew->args);
}

static void arrive(kmpc_crew *crew, kmpc_frame *frame) {
  if (SOLO_UNLIKELY(frame->task.depends != NULL))
    solo_load_acquire(&solo_kmp_task_ops)->implicit_end(&frame->task); /* pairs with task.c */
  solo_add_seq_cst(&crew->arrived, 1);                                 /* pairs with is_over */
  solo_kmp_notify(&crew->team.event);
}

static void serve(kmpc_thread *self, kmpc_worker *worker, kmpc_crew *crew, kmpc_frame *frame) {
  uint64_t seen = worker->seen;
  int32_t tid = worker->tid;
  int took_part = 0;
  self->now.team = &crew->team;
  self->now.size = 1;
  for (;;) {
    seen = await_fork(self, worker, crew, seen, took_part);
    if (SOLO_UNLIKELY((seen & KMPC_DISBAND) == KMPC_DISBAND)) break;
    took_part = tid < (int32_t)(seen & KMPC_SIZE_MASK) &&
                (!(seen & KMPC_CLAIMABLE) || claim(worker, seen >> 16));
    if (!took_part) continue;
    if (SOLO_UNLIKELY(worker->seated != self->seated)) solo_kmp_take_seat(self, worker);
    run_part(self, crew, tid, frame);
    arrive(crew, frame);
  }
  solo_kmp_crews_release(self);
  solo_store_relaxed(&worker->crew, NULL); /* published by the count */
  solo_add_release(&crew->arrived, 1);     /* pairs with disband; the crew may go now */
}

void solo_kmp_worker_loop(kmpc_thread *self, kmpc_worker *worker) {
  kmpc_frame frame;
  for (;;) {
    kmpc_crew *crew = solo_load_acquire(&worker->crew); /* pairs with solo_kmp_pool_take */
    if (crew) {
      serve(self, worker, crew, &frame);
      continue;
    }
    solo_store_seq_cst(&worker->asleep, 1); /* pairs with solo_kmp_worker_wake */
    if (!solo_load_seq_cst(&worker->crew)) solo_futex_wait(&worker->asleep, 1, 0);
    solo_store_relaxed(&worker->asleep, 0); /* own word */
  }
}

/* --- what compilers call -----------------------------------------------------------------------*/

static void fork_with(kmpc_micro micro, int32_t count, void **args) {
  kmpc_thread *self = solo_kmp_self();
  int32_t wanted = self->push_threads;
  int32_t bind = solo_kmp_binding(self->now.task->icvs, self->push_bind);
  self->push_threads = 0;
  self->push_bind = 0;
  kmpc_region region = {.micro = micro, .args = args, .arg_count = count, .bind = bind};
  const kmpc_league *league = self->now.team->league;
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
  return team->crew ? team->crew->capacity : 1;
}

void solo_kmp_wake_crew(kmpc_team *team) {
  kmpc_crew *crew = team->crew;
  if (!crew) return;
  solo_fence_seq_cst(); /* pairs with the last look in await_fork: it sees the tasks or we it */
  for (int32_t i = 0; i < team->size - 1; i++) solo_kmp_worker_wake(crew->worker[i]);
}

void **solo_kmp_task_storage(kmpc_team *team) {
  return team->crew ? &team->crew->task_storage : NULL;
}
