/* The life of an explicit task. */
#include "abi/kmpc/task/held.h"
#include "abi/kmpc/team/cancellation.h"
#include <string.h>

#define LINGERING (INT64_C(1) << 32) /* part of remote_count per lingering child (linger()) */

enum { FOLD_EVERY = 1 << 20 };

kmpc_explicit_task *solo_kmp_task_make(kmpc_thread *self, const kmpc_task_layout *layout) {
  kmpc_task *parent = self->context.task;
  /* The size is rounded as in libomp (abi-facts 4.5, flang 22). */
  size_t object_bytes = (layout->object_bytes + 7) & ~(size_t)7;
  kmpc_explicit_task *work =
      solo_kmp_cache_allocate(solo_kmp_cache(self), offsetof(kmpc_explicit_task, object) +
                                                        object_bytes + layout->shareds_bytes);
  uint32_t requested = layout->alloc_flags;
  kmpc_task *task = &work->head;
  solo_kmp_task_begin_implicit(task, self->context.team, parent, parent->icvs);
  task->flags = KMPC_TASK_EXPLICIT | (parent->flags & KMPC_TASK_FINAL);
  if (SOLO_UNLIKELY(requested & ~(uint32_t)KMPC_ALLOC_TIED)) {
    if (requested & KMPC_ALLOC_FINAL) task->flags |= KMPC_TASK_FINAL;
    if (requested & KMPC_ALLOC_DESTRUCTORS) task->flags |= KMPC_TASK_DESTRUCTORS;
    if (requested & (KMPC_ALLOC_DETACHABLE | KMPC_ALLOC_PROXY)) task->flags |= KMPC_TASK_DETACHABLE;
    if (requested & KMPC_ALLOC_PRIORITY && solo_kmp_config()->max_task_priority > 0)
      task->flags |= KMPC_TASK_PRIORITY;
  }
  task->depth = parent->depth + 1;
  task->taskgroup = parent->taskgroup;
  work->node = NULL;
  work->next = NULL;
  work->device_handle = NULL;
  solo_store_relaxed(&work->event, 0); /* relaxed: not shared yet */
  work->object_bytes = (uint32_t)object_bytes;
  work->shareds_bytes = (uint32_t)layout->shareds_bytes;
  work->object.shareds = layout->shareds_bytes ? (char *)&work->object + object_bytes : NULL;
  work->object.routine = layout->routine;
  work->object.part = 0;
  return work;
}

kmpc_explicit_task *solo_kmp_task_copy(kmpc_thread *self, const kmpc_explicit_task *model) {
  kmpc_task_layout layout = {model->object_bytes, model->shareds_bytes, 0, model->object.routine};
  kmpc_explicit_task *work = solo_kmp_task_make(self, &layout);
  void *shareds = work->object.shareds;
  memcpy(&work->object, &model->object, model->object_bytes);
  work->object.shareds = shareds;
  if (shareds) memcpy(shareds, model->object.shareds, model->shareds_bytes);
  work->head.flags = model->head.flags;
  return work;
}

/* Moves the number of ended children from remote_count to `ended`, to prevent overflow. Called by the
 * thread that runs the parent. */
static SOLO_COLD void fold(kmpc_task *parent) {
  int32_t left = (int32_t)solo_load_relaxed(&parent->remote_count);
  /* pairs with count_ended */
  solo_sub_acq_rel(&parent->remote_count, (int64_t)left);
  parent->ended += (uint32_t)left;
}

static void count_child(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *parent = work->head.parent;
  /* relaxed: each thread compares `runner` only with its own address */
  solo_store_relaxed(&parent->runner, self);
  if (SOLO_UNLIKELY(++parent->spawned % FOLD_EVERY == 0)) fold(parent);
  work->head.flags |= KMPC_TASK_CHILD;
}

static void count(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task_slot *slot = solo_kmp_task_slot(self);
  count_child(self, work);
  work->head.flags |= KMPC_TASK_COUNTED;
  kmpc_taskgroup *group = work->head.taskgroup;
  if (group) {
    if (SOLO_LIKELY(group->owner == self))
      group->local_count++;
    else
      /* relaxed: the generating task is a member of the group, so its sum stays above 0 */
      solo_add_relaxed(&group->remote_count, 1);
  }
  /* relaxed: the release operation that passes the task to another thread orders this store before
   * `done` */
  solo_store_relaxed(&slot->created, solo_load_relaxed(&slot->created) + 1);
}

static void leave_group_of_other(kmpc_thread *self, kmpc_taskgroup *group, int64_t count) {
  /* Invariant: after local_count + remote_count reaches 0, no member accesses the group.
   * Ordering:  this seq_cst subtraction pairs with the acquire load in group_is_empty() and the
   *            fence in solo_kmp_eventcount_prepare().
   * Otherwise: the group could end before effects of a member are visible, or never.
   */
  solo_add_seq_cst(&group->remote_count, -count);
  solo_kmp_notify(&self->context.team->eventcount);
}

static void leave_group(kmpc_thread *self, kmpc_taskgroup *group) {
  if (SOLO_LIKELY(group->owner == self))
    group->local_count--;
  else
    leave_group_of_other(self, group, 1);
}

/* Adds `change` to remote_count of a parent that another thread executes, or that is retired
 * (retire()). If the result is 0, the parent is complete and the caller frees it. */
static int64_t count_ended(kmpc_task *parent, int64_t change) {
  /* Invariant: only the thread with the addition that yields 0 frees a retired record.
   * Ordering:  this seq_cst addition pairs with itself, the acquire load in solo_kmp_children() and
   *            the fence in solo_kmp_eventcount_prepare().
   * Otherwise: taskwait could end before a child's effects are visible, or never.
   */
  int64_t left = solo_add_seq_cst(&parent->remote_count, change) + change;
  SOLO_ASSERT(left >= INT32_MIN, "a task counts more ended children than it created");
  return left;
}

/* Frees a complete task, and then each retired ancestor without other children. lingering: LINGERING
 * if the parent counts the task as lingering, else 0. */
static void free_task(kmpc_thread *self, kmpc_explicit_task *work, int64_t lingering) {
  kmpc_cache *cache = solo_kmp_cache(self);
  for (;;) {
    kmpc_task *parent = work->head.parent;
    int is_child = (work->head.flags & KMPC_TASK_CHILD) != 0;
    if (SOLO_LIKELY(!(work->head.flags & KMPC_TASK_ABANDONED))) solo_kmp_cache_free(cache, work);
    if (!is_child) return;
    /* relaxed: only self stores its own address */
    if (!lingering && SOLO_LIKELY(solo_load_relaxed(&parent->runner) == self)) {
      parent->ended++;
      return;
    }
    if (count_ended(parent, 1 - lingering) != 0) {
      solo_kmp_notify(&self->context.team->eventcount); /* the thread of the parent can be asleep */
      return;
    }
    work = (kmpc_explicit_task *)(void *)parent;
    lingering = LINGERING;
  }
}

/* Permits other threads to complete the task. units: number of child records, plus 1 for a pending
 * event or device. If the result is 0, the caller frees the record. */
static int64_t retire(kmpc_task *task, int64_t units) {
  solo_store_relaxed(&task->runner, NULL);
  /* pairs with count_ended */
  return solo_add_seq_cst(&task->remote_count, -units) - units;
}

/* For a complete task with records of children: the task lingers until the last child frees it. */
static SOLO_NOINLINE void linger(kmpc_thread *self, kmpc_explicit_task *work, int64_t living) {
  kmpc_team *team = self->context.team;
  if (!(work->head.flags & KMPC_TASK_CHILD)) count_child(self, work);
  /* Invariant: the parent counts the task as lingering before another thread can free it.
   * Ordering:  this seq_cst addition pairs with the acquire load in solo_kmp_children().
   * Otherwise: taskwait of the parent would wait for grandchildren.
   */
  solo_add_seq_cst(&work->head.parent->remote_count, LINGERING);
  if (retire(&work->head, living) == 0) free_task(self, work, LINGERING);
  solo_kmp_notify(&team->eventcount);
}

static void release_successors(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_depend_node *node = work->node;
  if (node->exclusion_count) solo_kmp_push_nodes(self, solo_kmp_depend_unlock(node));
  solo_kmp_push_nodes(self, solo_kmp_depend_done(solo_kmp_cache(self), node));
}

/* The team may end after this step.
 * Invariant: each task in `done` is also in `created`.
 * Ordering:  this release store pairs with the acquire load in solo_kmp_tasks_all_done().
 * Otherwise: a barrier could end before the effects of the task are visible.
 */
static void count_done(kmpc_thread *self, uint64_t count) {
  kmpc_task_slot *slot = solo_kmp_task_slot(self);
  slot->unannounced = 1;
  solo_store_release(&slot->done, solo_load_relaxed(&slot->done) + count);
}

/* Holds a complete stolen task: defers its counting (steal.c), so that shared counters change once per
 * steal. Until then the parent, group and team count it as unfinished. Returns 0 if the task must be
 * counted immediately. */
static SOLO_NOINLINE int hold(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_held *held = self->held_tasks;
  kmpc_task *task = &work->head;
  const uint32_t wanted = KMPC_TASK_COUNTED | KMPC_TASK_CHILD;
  if (held->running != work || work->node ||
      (task->flags & (wanted | KMPC_TASK_ABANDONED)) != wanted)
    return 0;
  int64_t living = (int64_t)(uint32_t)(task->spawned - task->ended);
  /* pairs with count_ended */
  if (living && solo_load_acquire(&task->remote_count) != living) return 0;
  if (!held->count) {
    /* relaxed: only self stores its own address */
    if (solo_load_relaxed(&task->parent->runner) == self) return 0;
    if (task->taskgroup && task->taskgroup->owner == self) return 0;
    held->parent = task->parent;
    held->group = task->taskgroup;
  }
  SOLO_ASSERT(held->parent == task->parent && held->group == task->taskgroup,
              "held tasks differ in parent or taskgroup");
  held->count++;
  solo_kmp_cache_free_later(solo_kmp_cache(self), work, &held->blocks);
  return 1;
}

void solo_kmp_held_count_done(kmpc_thread *self, kmpc_held *held) {
  if (!held->count) return;
  int64_t count = held->count;
  held->count = 0;
  if (held->group) leave_group_of_other(self, held->group, count);
  if (count_ended(held->parent, count) == 0)
    free_task(self, (kmpc_explicit_task *)(void *)held->parent, LINGERING);
  else
    solo_kmp_notify(&self->context.team->eventcount);
  count_done(self, (uint64_t)count);
  solo_kmp_cache_free_chain(&held->blocks);
  held->blocks = (kmpc_block_chain){0};
}

static void complete(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *task = &work->head;
  uint32_t counted = task->flags & KMPC_TASK_COUNTED;
  if (SOLO_UNLIKELY(self->held_tasks != NULL) && hold(self, work)) return;
  if (SOLO_UNLIKELY(work->node != NULL)) release_successors(self, work);
  if (counted && task->taskgroup) leave_group(self, task->taskgroup);
  int64_t living = (int64_t)(uint32_t)(task->spawned - task->ended);
  /* pairs with count_ended */
  if (SOLO_LIKELY(living == 0) || solo_load_acquire(&task->remote_count) == living)
    free_task(self, work, 0);
  else
    linger(self, work, living);
  if (counted) count_done(self, 1);
}

void solo_kmp_complete_late(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *task = &work->head;
  kmpc_team *team = self->context.team;
  if (work->node) release_successors(self, work);
  if (task->taskgroup) leave_group(self, task->taskgroup);
  /* -1: all children have ended; only this event or device was pending; pairs with count_ended */
  if (solo_load_acquire(&task->remote_count) == -1) {
    free_task(self, work, 0);
  } else {
    solo_add_seq_cst(&task->parent->remote_count, LINGERING); /* as in linger */
    if (solo_add_seq_cst(&task->remote_count, 1) == -1) free_task(self, work, LINGERING);
  }
  solo_kmp_notify(&team->eventcount);
  count_done(self, 1);
}

static kmpc_depend_node *make_node(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_depend_node *node = solo_kmp_depend_node(solo_kmp_cache(self), work);
  if (work->head.flags & KMPC_TASK_TARGET) {
    node->place = 1 + work->device;
    memcpy(&node->routine, &work->object.routine, sizeof node->routine);
  }
  work->node = node;
  return node;
}

/* Returns 1 if the event or the device is pending; then another thread may complete the task. */
static SOLO_NOINLINE int goes_on(kmpc_thread *self, kmpc_explicit_task *work,
                                 const kmpc_depend_list lists[2]) {
  uint32_t detachable = work->head.flags & KMPC_TASK_DETACHABLE;
  if (detachable && solo_load_acquire(&work->event) & KMPC_EVENT_FULFILLED) detachable = 0;
  int on_device = work->device_handle != NULL;
  if (!detachable && !on_device) return 0;
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_task *task = &work->head, *parent = task->parent;
  void *queue = work->device_queue;
  work->next = NULL;
  if (!(task->flags & KMPC_TASK_COUNTED)) count(self, work);
  if (!work->node && lists) {
    make_node(self, work);
    (void)solo_kmp_depend_add(&parent->depends, cache, work->node, lists, KMPC_DEPEND_RECORD);
    /* succeeds, because no unfinished task has a mutexinoutset dependence on these addresses */
    (void)solo_kmp_depend_lock(work->node);
    solo_kmp_depend_drop(cache, work->node);
  }
  (void)retire(task, (int64_t)(uint32_t)(task->spawned - task->ended) + 1);
  if (on_device) {
    if (queue && work->node)
      solo_kmp_push_nodes(self, solo_kmp_depend_queued(cache, work->node, queue));
    solo_kmp_push_on_device(self, work);
    return 1;
  }
  /* pairs with fulfil, which has the invariant */
  if (solo_or_acq_rel(&work->event, KMPC_EVENT_BODY_ENDED) & KMPC_EVENT_FULFILLED)
    solo_kmp_complete_late(self, work);
  return 1;
}

void solo_kmp_body_ended(kmpc_thread *self, kmpc_explicit_task *work,
                         const kmpc_depend_list lists[2]) {
  kmpc_task *task = &work->head;
  if (SOLO_UNLIKELY(task->flags & KMPC_TASK_DESTRUCTORS))
    work->object.destructors(self->gtid, &work->object);
  if (SOLO_UNLIKELY(task->depends != NULL)) {
    solo_kmp_depend_close(task->depends, solo_kmp_cache(self));
    task->depends = NULL;
  }
  if (SOLO_UNLIKELY(task->flags & (KMPC_TASK_DETACHABLE | KMPC_TASK_TARGET)) &&
      goes_on(self, work, lists))
    return;
  complete(self, work);
}

static int is_cancelled(const kmpc_task *task) {
  if (SOLO_UNLIKELY(task->taskgroup != NULL) && solo_kmp_group_is_cancelled(task->taskgroup))
    return 1;
  /* pairs with cancel_region */
  return (solo_load_acquire(&task->team->cancel) & KMPC_CANCEL_PARALLEL) != 0;
}

void solo_kmp_execute(kmpc_thread *self, kmpc_explicit_task *work,
                      const kmpc_depend_list lists[2]) {
  kmpc_task *previous = self->context.task;
  self->context.task = &work->head;
  if (SOLO_LIKELY(!is_cancelled(&work->head)) || work->head.flags & KMPC_TASK_MUST_RUN) {
    do {
      work->head.flags &= ~(uint32_t)KMPC_TASK_AGAIN;
      work->object.routine(self->gtid, &work->object);
    } while (SOLO_UNLIKELY(work->head.flags & KMPC_TASK_AGAIN));
    /* the event may be fulfilled late or never, so the record is never freed */
  } else if (work->head.flags & KMPC_TASK_DETACHABLE) {
    work->head.flags ^= KMPC_TASK_DETACHABLE | KMPC_TASK_ABANDONED;
  }
  self->context.task = previous;
  solo_kmp_body_ended(self, work, lists);
}

void solo_kmp_discard(kmpc_thread *self, kmpc_explicit_task *work) {
  if (work->head.flags & KMPC_TASK_DESTRUCTORS) work->object.destructors(self->gtid, &work->object);
  solo_kmp_cache_free(solo_kmp_cache(self), work);
}

static int add_dependences(kmpc_thread *self, kmpc_explicit_task *work,
                           const kmpc_depend_list lists[2]) {
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_depend_node *node = make_node(self, work);
  int ready =
      solo_kmp_depend_add(&self->context.task->depends, cache, node, lists, KMPC_DEPEND_RECORD);
  ready = ready && solo_kmp_depend_lock(node);
  /* last use of node: afterwards another thread may free a node that is not ready */
  solo_kmp_depend_drop(cache, node);
  return ready;
}

void solo_kmp_submit(kmpc_thread *self, kmpc_explicit_task *work, const kmpc_depend_list lists[2]) {
  int included = solo_kmp_is_included(self, work);
  if (included && (!lists || solo_kmp_children(self->context.task) == 0)) {
    solo_kmp_execute(self, work, lists);
    return;
  }
  count(self, work);
  if (lists && !add_dependences(self, work, lists)) return;
  if (included || !solo_kmp_push(self, work)) solo_kmp_execute(self, work, NULL);
}
