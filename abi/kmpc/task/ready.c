/* Ready tasks of a team: deques, lists, theft, and the loop of those who wait. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/wait.h"
#include "runtime/base/assert.h"
#include <stdlib.h>
#include <string.h>

enum { ASK_DEVICE_EVERY = 8, PAUSES_AFTER_QUESTION = 32 };

static int run_any(kmpc_thread *self, kmpc_look look) {
  return solo_kmp_run_one(self, NULL, look);
}

/* --- records -----------------------------------------------------------------------------------*/

static solo_lock records_lock =
    SOLO_LOCK_INIT(SOLO_RANK_LEAF);  /* guards free_records and the making of records */
static kmpc_task_team *free_records; /* for teams of one */

/* The counts of one region may be on any slots, so all of the record's are summed. */
static int all_done(kmpc_team *team) {
  kmpc_task_team *tasks = solo_load_acquire(&team->task_team); /* pairs with ..._make */
  if (!tasks) return 1;
  uint64_t done = 0, created = 0;
  for (int32_t i = 0; i < tasks->capacity; i++)
    done += solo_load_acquire(&tasks->slot[i].done); /* pairs with count_done in task.c */
  /* relaxed: a task that is done in the sum above was created before; done read first, so equal
   * sums mean that at the moment between the two nothing was unfinished */
  for (int32_t i = 0; i < tasks->capacity; i++)
    created += solo_load_relaxed(&tasks->slot[i].created);
  SOLO_ASSERT(done <= created, "more tasks are done than there were");
  return done == created;
}

/* For SOLO_ASSERT_SOUND, of a team whose region is over: nobody else has the record. */
static const char *check(kmpc_team *team) {
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team); /* all: as said */
  if (!all_done(team)) return "a task of a joined region is not done";
  if (tasks->capacity < team->size) return "a team's tasks have fewer slots than it has threads";
  for (int32_t i = 0; i < tasks->capacity; i++)
    if (!solo_kmp_deque_looks_empty(&tasks->slot[i].deque))
      return "a deque of a joined region holds a task";
  const kmpc_task_list *list[] = {&tasks->ready, &tasks->fulfilled, &tasks->on_device};
  for (int i = 0; i < 3; i++)
    if (list[i]->first || list[i]->last || solo_load_relaxed(&list[i]->count))
      return "a list of a joined region holds a task";
  return tasks->common[0] || tasks->common[1]
             ? "a task reduction of a joined region is not combined"
             : NULL;
}

static void implicit_end(kmpc_task *task) {
  solo_kmp_depend_close(task->depends, solo_kmp_cache(solo_kmp_self()));
  task->depends = NULL;
}

/* A thread of the program's ends; it is in its initial task. */
static void thread_end(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  if (self->context.task->depends) implicit_end(self->context.task);
  if (all_done(team)) solo_kmp_task_team_release(team); /* else an event may still come */
  if (self->task_cache) solo_kmp_cache_close(self->task_cache);
  self->task_cache = NULL;
}

static const kmpc_task_ops ops = {
    .run_one = run_any,
    .all_done = all_done,
    .implicit_end = implicit_end,
    .cancel_taskgroup = solo_kmp_cancel_taskgroup,
    .cancelled = solo_kmp_commons_drop,
    .team_end = solo_kmp_task_team_release,
    .thread_end = thread_end,
    .check = check,
};

void solo_kmp_tasks_begin(kmpc_thread *self) {
  self->task_cache = solo_kmp_cache_open();
  solo_kmp_watch_end(self);
  solo_store_release(&solo_kmp_task_ops, &ops); /* pairs with the loads before each call of one */
}

static kmpc_task_team *new_record(int32_t capacity) {
  size_t bytes = sizeof(kmpc_task_team) + (size_t)capacity * sizeof(kmpc_task_slot);
  kmpc_task_team *tasks = aligned_alloc(SOLO_CACHE_LINE, (bytes + 63) / 64 * 64);
  if (!tasks) solo_kmp_fatal("out of memory for the tasks of %d threads", (int)capacity);
  memset(tasks, 0, bytes);
  tasks->capacity = capacity;
  return tasks;
}

kmpc_task_team *solo_kmp_task_team_make(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  (void)solo_kmp_cache(self); /* the ops are in place before the record */
  solo_lock_acquire(&records_lock);
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team); /* written under the lock */
  if (!tasks) {
    void **storage = solo_kmp_task_storage(team);
    int32_t capacity = solo_kmp_team_capacity(team);
    if (storage) {
      tasks = *storage;
      if (tasks && tasks->capacity < capacity) { /* nobody has it: the region has no record yet */
        free(tasks);
        tasks = NULL;
      }
    } else if (free_records) {
      tasks = free_records;
      free_records = tasks->next_free;
    }
    if (!tasks) tasks = new_record(storage ? capacity : 1);
    if (storage) *storage = tasks;
    solo_store_release(&team->task_team, tasks); /* pairs with solo_kmp_task_team, all_done */
  }
  solo_lock_release(&records_lock);
  solo_kmp_wake_worker_team(team); /* who slept until the next region may have tasks to run now */
  return tasks;
}

void solo_kmp_task_team_release(kmpc_team *team) {
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team); /* the team's only thread */
  if (!tasks || solo_kmp_task_storage(team)) return;
  SOLO_ASSERT_SOUND(check(team));
  solo_store_relaxed(&team->task_team, NULL); /* as above */
  solo_lock_acquire(&records_lock);
  tasks->next_free = free_records;
  free_records = tasks;
  solo_lock_release(&records_lock);
}

/* --- lists; all under the record's lock --------------------------------------------------------*/

static void append(kmpc_task_list *list, kmpc_explicit_task *work) {
  work->next = NULL;
  if (list->last)
    list->last->next = work;
  else
    list->first = work;
  list->last = work;
  solo_add_relaxed(&list->count, 1); /* a hint; the lock orders */
}

static int32_t priority_of(const kmpc_explicit_task *work) {
  return work->head.flags & KMPC_TASK_PRIORITY ? work->object.priority : 0;
}

static void insert_by_priority(kmpc_task_list *list, kmpc_explicit_task *work) {
  kmpc_explicit_task **at = &list->first;
  if (list->last && priority_of(list->last) >= priority_of(work)) at = &list->last->next;
  while (*at && priority_of(*at) >= priority_of(work)) at = &(*at)->next;
  work->next = *at;
  *at = work;
  if (!work->next) list->last = work;
  solo_add_relaxed(&list->count, 1); /* a hint; the lock orders */
}

static int descends(const void *item, const void *ancestor) {
  const kmpc_task *at = ((const kmpc_explicit_task *)item)->head.parent, *wanted = ancestor;
  while (at != wanted) {
    if (at->depth <= wanted->depth) return 0;
    at = at->parent;
  }
  return 1;
}

/* The first that may run within (NULL: any), taken out. */
static kmpc_explicit_task *take_first(kmpc_task_team *tasks, kmpc_task_list *list,
                                      const kmpc_task *within) {
  if (!solo_load_relaxed(&list->count)) return NULL; /* a hint; the lock decides */
  solo_lock_acquire(&tasks->lock);
  kmpc_explicit_task *before = NULL, *work = list->first;
  for (; work; before = work, work = work->next)
    if (!within || descends(work, within)) break;
  if (work) {
    if (before)
      before->next = work->next;
    else
      list->first = work->next;
    if (list->last == work) list->last = before;
    work->next = NULL;
    solo_sub_relaxed(&list->count, 1); /* a hint; the lock orders */
  }
  solo_lock_release(&tasks->lock);
  return work;
}

/* --- pushing -----------------------------------------------------------------------------------*/

/* There is a task that another thread could run. A sleeper that this misses costs speed, not
 * progress: the thread that pushed the task runs it when it waits, or notifies the sleepers before it sleeps
 * (leave_to_others). */
static void wake_one(kmpc_team *team) {
  /* relaxed: a missed sleeper is not needed */
  int32_t sleepers = (int32_t)solo_load_relaxed(&team->event.sleepers);
  if (SOLO_LIKELY(!sleepers)) return;
  if (team->size - sleepers >= solo_kmp_procs()) return; /* enough are awake */
  solo_kmp_wake_team(team, 1);
}

static void list_ready(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  solo_lock_acquire(&tasks->lock);
  insert_by_priority(&tasks->ready, work);
  solo_lock_release(&tasks->lock);
}

int solo_kmp_push(kmpc_thread *self, kmpc_explicit_task *work) {
  if (SOLO_UNLIKELY(work->head.flags & KMPC_TASK_PRIORITY))
    list_ready(self, work);
  else if (!solo_kmp_deque_push(&solo_kmp_task_slot(self)->deque, work))
    return 0;
  wake_one(self->context.team);
  return 1;
}

void solo_kmp_push_always(kmpc_thread *self, kmpc_explicit_task *work) {
  if (solo_kmp_push(self, work)) return;
  list_ready(self, work);
  wake_one(self->context.team);
}

/* Released tasks may belong to anybody. In self's deque only the two ends can be reached, so a task
 * that self must not run in a taskwait could hide one that nobody else may: such tasks are listed.
 */
static void push_released(kmpc_thread *self, kmpc_explicit_task *work) {
  if (descends(work, self->context.task)) {
    solo_kmp_push_always(self, work);
    return;
  }
  list_ready(self, work);
  solo_kmp_publish_and_notify_team(self->context.team); /* its parent may be about to sleep */
}

void solo_kmp_push_nodes(kmpc_thread *self, kmpc_node *nodes) {
  while (nodes) {
    kmpc_node *next = nodes->next_ready;
    kmpc_explicit_task *work = nodes->task;
    if (solo_kmp_depend_lock(nodes)) push_released(self, work);
    nodes = next;
  }
}

void solo_kmp_push_fulfilled(kmpc_explicit_task *work) {
  kmpc_team *team = work->head.team;
  /* pairs with solo_kmp_task_team_make; the task is counted, so the record is there */
  kmpc_task_team *tasks = solo_load_acquire(&team->task_team);
  solo_lock_acquire(&tasks->lock);
  append(&tasks->fulfilled, work);
  solo_kmp_publish_and_notify_team(team); /* under the lock: else the team might be over by now */
  solo_lock_release(&tasks->lock);
}

void solo_kmp_push_on_device(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  solo_lock_acquire(&tasks->lock);
  append(&tasks->on_device, work);
  solo_lock_release(&tasks->lock);
  solo_kmp_publish_and_notify_team(self->context.team); /* somebody must ask: not only self */
}

/* --- running -----------------------------------------------------------------------------------*/

static int complete_fulfilled(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_explicit_task *work = take_first(tasks, &tasks->fulfilled, NULL);
  if (!work) return 0;
  solo_kmp_complete_late(self, work);
  return 1;
}

/* Asks about the oldest task that is on a device. Waiting for a device counts as work: nobody
 * sleeps meanwhile, since a device wakes nobody. */
static int ask_device(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_explicit_task *work = take_first(tasks, &tasks->on_device, NULL);
  if (!work) return 0;
  if (solo_kmp_device_is_done(work)) {
    solo_kmp_complete_late(self, work);
    return 1;
  }
  solo_lock_acquire(&tasks->lock);
  append(&tasks->on_device, work);
  solo_lock_release(&tasks->lock);
  for (int i = 0; i < PAUSES_AFTER_QUESTION; i++) solo_cpu_relax();
  return 1;
}

static kmpc_explicit_task *steal(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within,
                                 kmpc_look look) {
  kmpc_task_slot *slot = &tasks->slot[self->context.tid];
  uint32_t size = (uint32_t)self->context.team->size, at = slot->victim;
  for (uint32_t i = 0; i < size; i++, at++) {
    if (at >= size) at = 0;
    if (at == (uint32_t)self->context.tid) continue;
    kmpc_deque *deque = &tasks->slot[at].deque;
    kmpc_explicit_task *work =
        look == KMPC_LOOK_QUICK ? solo_kmp_deque_try_take(deque, within ? descends : NULL, within)
                                : solo_kmp_deque_take(deque, within ? descends : NULL, within);
    if (!work) continue;
    slot->victim = at;
    return work;
  }
  return NULL;
}

/* Before self waits: the tasks that it has done may be what a sleeper waits for. */
static void announce(kmpc_thread *self, kmpc_task_slot *slot) {
  if (SOLO_LIKELY(!slot->unannounced)) return;
  slot->unannounced = 0;
  solo_kmp_publish_and_notify_team(self->context.team);
}

static kmpc_explicit_task *pop_own(kmpc_task_slot *slot, const kmpc_task *within) {
  kmpc_explicit_task *work = solo_kmp_deque_pop(&slot->deque);
  if (!work || !within || descends(work, within)) return work;
  (void)solo_kmp_deque_push(&slot->deque, work); /* its place is free again */
  return NULL;
}

/* self is about to sleep and may have tasks that it must not run within its current one. Sleepers may not
 * know of them: wake_one skips some, and who looked while pop_own had the task in its hands did not see it. */
static void leave_to_others(kmpc_thread *self, kmpc_task_team *tasks, kmpc_task_slot *slot) {
  /* relaxed: a list that others fill is theirs to announce */
  if (solo_kmp_deque_looks_empty(&slot->deque) && !solo_load_relaxed(&tasks->ready.count)) return;
  solo_kmp_publish_and_notify_team(self->context.team);
}

/* The last look leaves out the own deque: only self fills it, and its last quick look found nothing there
 * that it may run. */
int solo_kmp_run_one(kmpc_thread *self, const kmpc_task *within, kmpc_look look) {
  /* pairs with solo_kmp_task_team_make */
  kmpc_task_team *tasks = solo_load_acquire(&self->context.team->task_team);
  if (!tasks) return 0;
  kmpc_task_slot *slot = &tasks->slot[self->context.tid];
  if (look == KMPC_LOOK_LEAVE) {
    if (within) leave_to_others(self, tasks, slot);
    return 0;
  }
  if (complete_fulfilled(self, tasks)) return 1;
  if (++slot->tick % ASK_DEVICE_EVERY == 0 && ask_device(self, tasks)) return 1;
  kmpc_explicit_task *work = take_first(tasks, &tasks->ready, within);
  if (!work && look == KMPC_LOOK_QUICK) work = pop_own(slot, within);
  if (!work) work = steal(self, tasks, within, look);
  if (work) {
    solo_kmp_execute(self, work, NULL);
    return 1;
  }
  if (ask_device(self, tasks)) return 1;
  announce(self, slot);
  return 0;
}

static int help_within(kmpc_thread *self, kmpc_look look) {
  return solo_kmp_run_one(self, self->context.task, look);
}

void solo_kmp_help_until(kmpc_thread *self, kmpc_is_over is_over, void *what) {
  solo_kmp_wait(self, &self->context.team->event, is_over, help_within, what);
}
