/* Tasks that are not in execution: the task team (kmpc_task_team), its deques and its lists. */
#include "abi/kmpc/affinity/procs.h"
#include "abi/kmpc/task/steal_request.h"
#include "runtime/base/assert.h"
#include <stdlib.h>
#include <string.h>

static solo_lock records_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static kmpc_task_team *free_records; /* unused records of teams of one thread */

int solo_kmp_tasks_all_done(kmpc_team *team) {
  kmpc_task_team *tasks =
      /* pairs with solo_kmp_task_team_make */
      solo_load_acquire(&team->task_team);
  if (!tasks) return 1;
  uint64_t done = 0, created = 0;
  for (int32_t i = 0; i < tasks->capacity; i++) /* pairs with count_done */
    done += solo_load_acquire(&tasks->slot[i].done);
  /* Invariant: if the sum of `done` includes a task, the sum of `created` includes the task and its
   *            children.
   * Ordering:  done is read first, by acquire.
   * Otherwise: equal sums could omit an unfinished task.
   */
  for (int32_t i = 0; i < tasks->capacity; i++)
    created += solo_load_relaxed(&tasks->slot[i].created);
  SOLO_ASSERT(done <= created, "a team counts more tasks done than created");
  return done == created;
}

const char *solo_kmp_tasks_check(kmpc_team *team) {
  kmpc_task_team *tasks =
      solo_load_relaxed(&team->task_team); /* relaxed, all: the region has ended */
  if (!solo_kmp_tasks_all_done(team)) return "a task of a joined region is not done";
  if (tasks->capacity < team->size) return "a team's tasks have fewer slots than it has threads";
  for (int32_t i = 0; i < tasks->capacity; i++)
    if (!solo_kmp_deque_seems_empty(&tasks->slot[i].deque))
      return "a deque of a joined region holds a task";
  const kmpc_task_list *list[] = {&tasks->ready, &tasks->fulfilled, &tasks->on_device};
  for (int i = 0; i < 3; i++)
    if (list[i]->first || list[i]->last || solo_load_relaxed(&list[i]->count))
      return "a list of a joined region holds a task";
  return tasks->common[0] || tasks->common[1]
             ? "a task reduction of a joined region is not combined"
             : NULL;
}

static kmpc_task_team *new_record(int32_t capacity) {
  size_t bytes = sizeof(kmpc_task_team) + (size_t)capacity * sizeof(kmpc_task_slot);
  kmpc_task_team *tasks = aligned_alloc(SOLO_CACHE_PAIR, bytes);
  if (!tasks) solo_kmp_fatal("out of memory for the tasks of %d threads", (int)capacity);
  memset(tasks, 0, bytes);
  tasks->capacity = capacity;
  return tasks;
}

kmpc_task_team *solo_kmp_task_team_make(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  SOLO_ASSERT(self->task_cache, "a team creates a task team before solo_kmp_task_ops is set");
  solo_lock_acquire(&records_lock);
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team); /* relaxed: written under the lock */
  if (!tasks) {
    void **storage = solo_kmp_task_storage(team);
    int32_t capacity = solo_kmp_team_capacity(team);
    if (storage) {
      tasks = *storage;
      if (tasks && tasks->capacity < capacity) {
        free(tasks);
        tasks = NULL;
      }
    } else if (free_records) {
      tasks = free_records;
      free_records = tasks->next_free;
    }
    if (!tasks) tasks = new_record(storage ? capacity : 1);
    if (storage) *storage = tasks;
    tasks->has_steal_requests = team->size > solo_kmp_config()->tree_above;
    solo_store_release(&team->task_team, tasks); /* pairs with solo_kmp_task_team */
  }
  solo_lock_release(&records_lock);
  solo_kmp_wake_worker_team(team); /* Workers that wait for the next region can execute tasks. */
  return tasks;
}

void solo_kmp_task_team_release(kmpc_team *team) {
  /* relaxed: self is the only thread */
  kmpc_task_team *tasks = solo_load_relaxed(&team->task_team);
  if (!tasks || solo_kmp_task_storage(team)) return;
  SOLO_ASSERT_SOUND(solo_kmp_tasks_check(team));
  solo_store_relaxed(&team->task_team, NULL);
  solo_lock_acquire(&records_lock);
  tasks->next_free = free_records;
  free_records = tasks;
  solo_lock_release(&records_lock);
}

static void append(kmpc_task_list *list, kmpc_explicit_task *work) {
  work->next = NULL;
  if (list->last)
    list->last->next = work;
  else
    list->first = work;
  list->last = work;
  solo_add_relaxed(&list->count, 1); /* relaxed: the lock orders */
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
  solo_add_relaxed(&list->count, 1); /* relaxed: a hint */
}

kmpc_explicit_task *solo_kmp_list_pop_slow(kmpc_task_team *tasks, kmpc_task_list *list,
                                           const kmpc_task *within) {
  solo_lock_acquire(&tasks->lock);
  kmpc_explicit_task *before = NULL, *work = list->first;
  for (; work; before = work, work = work->next)
    if (!within || solo_kmp_descends(work, within)) break;
  if (work) {
    if (before)
      before->next = work->next;
    else
      list->first = work->next;
    if (list->last == work) list->last = before;
    work->next = NULL;
    solo_sub_relaxed(&list->count, 1); /* relaxed: a hint */
  }
  solo_lock_release(&tasks->lock);
  return work;
}

/* Wakes a thread after a push, without a fence. If the load misses a sleeping thread, only speed is
 * affected: the thread that pushed the task executes it while waiting, or notifies sleepers before it
 * sleeps (notify_before_sleep). */
static SOLO_NOINLINE void wake_for_push(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_team *team = self->context.team;
  if (tasks->has_steal_requests) solo_kmp_steal_request_for_push(self, tasks);
  /* relaxed: a hint */
  int32_t sleepers = (int32_t)solo_load_relaxed(&team->eventcount.sleepers);
  if (!sleepers || team->size - sleepers >= solo_kmp_procs()) return;
  solo_kmp_wake_team(team, 1);
}

static void wake_one(kmpc_thread *self, kmpc_task_team *tasks) {
  uint32_t sleepers = solo_load_relaxed(&self->context.team->eventcount.sleepers);
  if (SOLO_UNLIKELY(sleepers | (uint32_t)tasks->has_steal_requests)) wake_for_push(self, tasks);
}

static void list_ready(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  solo_lock_acquire(&tasks->lock);
  insert_by_priority(&tasks->ready, work);
  solo_lock_release(&tasks->lock);
}

void solo_kmp_push_stolen(kmpc_thread *self, void *const *tasks, int count) {
  for (int i = 0; i < count; i++) list_ready(self, tasks[i]);
}

int solo_kmp_push(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task_team *tasks = solo_kmp_task_team(self);
  if (SOLO_UNLIKELY(work->head.flags & KMPC_TASK_PRIORITY))
    list_ready(self, work);
  else if (!solo_kmp_deque_push(&tasks->slot[self->context.tid].deque, work))
    return 0;
  wake_one(self, tasks);
  return 1;
}

void solo_kmp_push_always(kmpc_thread *self, kmpc_explicit_task *work) {
  if (solo_kmp_push(self, work)) return;
  list_ready(self, work);
  wake_one(self, solo_kmp_task_team(self));
}

/* Adds a task after the end of its predecessors. Only the ends of a deque are accessible. There, a task
 * that self may not execute in a taskwait could hide a task that only self may execute. Therefore self
 * adds tasks of the first kind to the list `ready`. */
static void push_released(kmpc_thread *self, kmpc_explicit_task *work) {
  if (solo_kmp_descends(work, self->context.task)) {
    solo_kmp_push_always(self, work);
    return;
  }
  list_ready(self, work);
  /* the thread that executes the parent may be about to sleep */
  solo_kmp_publish_and_notify_team(self->context.team);
}

void solo_kmp_push_nodes(kmpc_thread *self, kmpc_depend_node *nodes) {
  while (nodes) {
    kmpc_depend_node *next = nodes->next_ready;
    kmpc_explicit_task *work = nodes->task;
    if (solo_kmp_depend_lock(nodes)) push_released(self, work);
    nodes = next;
  }
}

void solo_kmp_push_fulfilled(kmpc_explicit_task *work) {
  kmpc_team *team = work->head.team;
  /* not NULL: it was created before `work` was counted; pairs with solo_kmp_task_team_make */
  kmpc_task_team *tasks = solo_load_acquire(&team->task_team);
  solo_lock_acquire(&tasks->lock);
  append(&tasks->fulfilled, work);
  /* before the unlock, because the team may end afterwards */
  solo_kmp_publish_and_notify_team(team);
  solo_lock_release(&tasks->lock);
}

void solo_kmp_list_on_device(kmpc_task_team *tasks, kmpc_explicit_task *work) {
  solo_lock_acquire(&tasks->lock);
  append(&tasks->on_device, work);
  solo_lock_release(&tasks->lock);
}

void solo_kmp_push_on_device(kmpc_thread *self, kmpc_explicit_task *work) {
  solo_kmp_list_on_device(solo_kmp_task_team(self), work);
  solo_kmp_publish_and_notify_team(self->context.team);
}
