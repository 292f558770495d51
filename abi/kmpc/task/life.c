/* The life of an explicit task: made, submitted, run, complete, gone (task.h has the diagram). */
#include "abi/kmpc/task/held.h"
#include "abi/kmpc/team/cancellation.h"
#include <string.h>

#define LINGERING (INT64_C(1) << 32) /* one child that is complete but not gone */

enum { FOLD_EVERY = 1 << 20 };

kmpc_explicit_task *solo_kmp_task_make(kmpc_thread *self, const kmpc_task_layout *layout) {
  kmpc_task *parent = self->context.task;
  /* as libomp has it: flang 22's copies of privates look for the shareds there (abi-facts 4.5) */
  size_t object_bytes = (layout->object_bytes + 7) & ~(size_t)7;
  kmpc_explicit_task *work =
      solo_kmp_cache_get(solo_kmp_cache(self), offsetof(kmpc_explicit_task, object) + object_bytes +
                                                   layout->shareds_bytes);
  uint32_t asked = layout->alloc_flags;
  kmpc_task *task = &work->head;
  solo_kmp_task_begin_implicit(task, self->context.team, parent, parent->icvs);
  task->flags = KMPC_TASK_EXPLICIT | (parent->flags & KMPC_TASK_FINAL);
  if (SOLO_UNLIKELY(asked & ~(uint32_t)KMPC_ALLOC_TIED)) {
    if (asked & KMPC_ALLOC_FINAL) task->flags |= KMPC_TASK_FINAL;
    if (asked & KMPC_ALLOC_DESTRUCTORS) task->flags |= KMPC_TASK_DESTRUCTORS;
    if (asked & (KMPC_ALLOC_DETACHABLE | KMPC_ALLOC_PROXY)) task->flags |= KMPC_TASK_DETACHABLE;
    if (asked & KMPC_ALLOC_PRIORITY && solo_kmp_config()->max_task_priority > 0)
      task->flags |= KMPC_TASK_PRIORITY;
  }
  task->depth = parent->depth + 1;
  task->taskgroup = parent->taskgroup;
  work->node = NULL;
  work->next = NULL;
  work->device_handle = NULL;
  solo_store_relaxed(&work->event, 0); /* not shared yet */
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

/* --- counting ----------------------------------------------------------------------------------*/

/* Children counted in remote_count move to gone, so that no count overflows. */
static SOLO_COLD void fold(kmpc_task *parent) {
  int32_t left = (int32_t)solo_load_relaxed(&parent->remote_count); /* only the runner acts on it */
  solo_sub_acq_rel(&parent->remote_count, (int64_t)left);           /* pairs with gone */
  parent->gone += (uint32_t)left;
}

/* self runs the parent. */
static void count_child(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *parent = work->head.parent;
  solo_store_relaxed(&parent->runner, self); /* only self looks for its own address */
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
      solo_add_relaxed(&group->remote_count, 1); /* above 0 while the generating task runs */
  }
  /* relaxed, own word: whoever completes the task has it from us by way of an acquire */
  solo_store_relaxed(&slot->created, solo_load_relaxed(&slot->created) + 1);
}

/* Of another thread's group. */
static void leave_group_of_other(kmpc_thread *self, kmpc_taskgroup *group, int64_t count) {
  /* pairs with the wait in solo_kmp_taskgroup_close */
  solo_add_seq_cst(&group->remote_count, -count);
  solo_kmp_notify(&self->context.team->eventcount);
}

static void leave_group(kmpc_thread *self, kmpc_taskgroup *group) {
  if (SOLO_LIKELY(group->owner == self))
    group->local_count--;
  else
    leave_group_of_other(self, group, 1);
}

/* Children of the parent, whom another thread runs or nobody any more. Returns what then is left; at 0 the parent
 * was retired and is complete. */
static int64_t count_gone(kmpc_task *parent, int64_t change) {
  /* pairs with solo_kmp_children and with itself: who frees the parent sees all it did */
  int64_t left = solo_add_seq_cst(&parent->remote_count, change) + change;
  SOLO_ASSERT(left >= INT32_MIN, "a task has more children gone than it had");
  return left;
}

/* The record's last moment, and perhaps that of ancestors that waited for it. */
static void gone(kmpc_thread *self, kmpc_explicit_task *work, int64_t lingering) {
  kmpc_cache *cache = solo_kmp_cache(self);
  for (;;) {
    kmpc_task *parent = work->head.parent;
    int is_child = (work->head.flags & KMPC_TASK_CHILD) != 0;
    if (SOLO_LIKELY(!(work->head.flags & KMPC_TASK_ABANDONED))) solo_kmp_cache_put(cache, work);
    if (!is_child) return;
    /* relaxed: we look for our own address, which only we write */
    if (!lingering && SOLO_LIKELY(solo_load_relaxed(&parent->runner) == self)) {
      parent->gone++;
      return;
    }
    if (count_gone(parent, 1 - lingering) != 0) {
      solo_kmp_notify(&self->context.team->eventcount); /* the parent may be in a taskwait */
      return;
    }
    work = (kmpc_explicit_task *)(void *)parent; /* it was retired, and complete */
    lingering = LINGERING;
  }
}

/* The body has ended and something is still to come: units of it. Returns what then is left; at 0
 * the record is the caller's to free. */
static int64_t retire(kmpc_task *task, int64_t units) {
  solo_store_relaxed(&task->runner, NULL);                      /* for self alone, as in gone */
  return solo_add_seq_cst(&task->remote_count, -units) - units; /* pairs with gone */
}

/* Complete, with living children. */
static SOLO_NOINLINE void linger(kmpc_thread *self, kmpc_explicit_task *work, int64_t living) {
  kmpc_team *team = self->context.team;
  if (!(work->head.flags & KMPC_TASK_CHILD)) count_child(self, work);
  solo_add_seq_cst(&work->head.parent->remote_count, LINGERING); /* pairs with solo_kmp_children */
  if (retire(&work->head, living) == 0) gone(self, work, LINGERING);
  solo_kmp_notify(&team->eventcount);
}

/* --- completion --------------------------------------------------------------------------------*/

static void release_successors(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_depend_node *node = work->node;
  if (node->exclusion_count) solo_kmp_push_nodes(self, solo_kmp_depend_unlock(node));
  solo_kmp_push_nodes(self, solo_kmp_depend_done(solo_kmp_cache(self), node));
}

/* The team's count: the last thing done for a task. */
static void count_done(kmpc_thread *self, uint64_t count) {
  kmpc_task_slot *slot = solo_kmp_task_slot(self);
  slot->unannounced = 1;
  /* pairs with solo_kmp_tasks_all_done */
  solo_store_release(&slot->done, solo_load_relaxed(&slot->done) + count); /* own word */
}

/* Tasks that a thread took from another together (steal.c) are counted together: three words that all threads
 * write would else go round once for each task. To its parent, its group and its team a held task is one that still runs.
 * 0: it must be counted now. */
static SOLO_NOINLINE int hold(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_held *held = self->held_tasks;
  kmpc_task *task = &work->head;
  const uint32_t wanted = KMPC_TASK_COUNTED | KMPC_TASK_CHILD;
  if (held->running != work || work->node ||
      (task->flags & (wanted | KMPC_TASK_ABANDONED)) != wanted)
    return 0;
  int64_t living = (int64_t)(uint32_t)(task->spawned - task->gone);
  /* pairs with gone */
  if (living && solo_load_acquire(&task->remote_count) != living) return 0;
  if (!held->count) {
    /* relaxed: we look for our own address, as gone does */
    if (solo_load_relaxed(&task->parent->runner) == self) return 0;
    if (task->taskgroup && task->taskgroup->owner == self) return 0;
    held->parent = task->parent;
    held->group = task->taskgroup;
  }
  SOLO_ASSERT(held->parent == task->parent && held->group == task->taskgroup,
              "tasks of two families are held");
  held->count++;
  solo_kmp_cache_put_later(solo_kmp_cache(self), work, &held->blocks);
  return 1;
}

void solo_kmp_release_held(kmpc_thread *self, kmpc_held *held) {
  if (!held->count) return;
  int64_t count = held->count;
  held->count = 0;
  if (held->group) leave_group_of_other(self, held->group, count);
  if (count_gone(held->parent, count) == 0)
    gone(self, (kmpc_explicit_task *)(void *)held->parent, LINGERING);
  else
    solo_kmp_notify(&self->context.team->eventcount); /* the parent may be in a taskwait */
  count_done(self, (uint64_t)count);
  solo_kmp_cache_put_chain(&held->blocks); /* last: nobody waits for it */
  held->blocks = (kmpc_block_chain){0};
}

static void complete(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *task = &work->head;
  uint32_t counted = task->flags & KMPC_TASK_COUNTED;
  if (SOLO_UNLIKELY(self->held_tasks != NULL) && hold(self, work)) return;
  if (SOLO_UNLIKELY(work->node != NULL)) release_successors(self, work);
  if (counted && task->taskgroup) leave_group(self, task->taskgroup);
  int64_t living = (int64_t)(uint32_t)(task->spawned - task->gone);
  /* pairs with gone */
  if (SOLO_LIKELY(living == 0) || solo_load_acquire(&task->remote_count) == living)
    gone(self, work, 0);
  else
    linger(self, work, living);
  if (counted) count_done(self, 1);
}

void solo_kmp_complete_late(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_task *task = &work->head;
  kmpc_team *team = self->context.team;
  if (work->node) release_successors(self, work);
  if (task->taskgroup) leave_group(self, task->taskgroup);
  if (solo_load_acquire(&task->remote_count) == -1) { /* pairs with gone: no child left */
    gone(self, work, 0);
  } else {
    solo_add_seq_cst(&task->parent->remote_count, LINGERING); /* pairs with solo_kmp_children */
    if (solo_add_seq_cst(&task->remote_count, 1) == -1) gone(self, work, LINGERING); /* with gone */
  }
  solo_kmp_notify(&team->eventcount);
  count_done(self, 1);
}

static kmpc_depend_node *make_node(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_depend_node *node = solo_kmp_depend_node(solo_kmp_cache(self), work);
  if (work->head.flags & KMPC_TASK_TARGET) {
    node->place = 1 + work->device;
    memcpy(&node->routine, &work->object.routine, sizeof node->routine); /* code as an address */
  }
  work->node = node;
  return node;
}

/* The body has ended, but the device or the event's owner has not: 1, and the task is theirs. */
static SOLO_NOINLINE int goes_on(kmpc_thread *self, kmpc_explicit_task *work,
                                 const kmpc_depend_list lists[2]) {
  uint32_t detachable = work->head.flags & KMPC_TASK_DETACHABLE;
  /* pairs with omp_fulfill_event */
  if (detachable && solo_load_acquire(&work->event) & KMPC_EVENT_FULFILLED) detachable = 0;
  int on_device = work->device_handle != NULL;
  if (!detachable && !on_device) return 0;
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_task *task = &work->head, *parent = task->parent;
  void *queue = work->device_queue;
  work->next = NULL;
  if (!(task->flags & KMPC_TASK_COUNTED)) count(self, work);
  if (!work->node && lists) { /* it ran at once, but its younger siblings must wait */
    make_node(self, work);
    (void)solo_kmp_depend_add(&parent->depends, cache, work->node, lists, KMPC_DEPEND_KEEP);
    (void)solo_kmp_depend_lock(work->node); /* nobody else is in the set: the parent runs us */
    solo_kmp_depend_drop(cache, work->node);
  }
  (void)retire(task, (int64_t)(uint32_t)(task->spawned - task->gone) + 1);
  if (on_device) {
    if (queue && work->node)
      solo_kmp_push_nodes(self, solo_kmp_depend_queued(cache, work->node, queue));
    solo_kmp_push_on_device(self, work);
    return 1;
  }
  /* pairs with omp_fulfill_event */
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
  return (solo_load_acquire(&task->team->cancel) & KMPC_CANCEL_PARALLEL) != 0; /* __kmpc_cancel */
}

void solo_kmp_execute(kmpc_thread *self, kmpc_explicit_task *work,
                      const kmpc_depend_list lists[2]) {
  kmpc_task *previous = self->context.task;
  self->context.task = &work->head;
  if (SOLO_LIKELY(!is_cancelled(&work->head))) {
    do {
      work->head.flags &= ~(uint32_t)KMPC_TASK_AGAIN;
      work->object.routine(self->gtid, &work->object);
    } while (SOLO_UNLIKELY(work->head.flags & KMPC_TASK_AGAIN));
  } else if (work->head.flags & KMPC_TASK_DETACHABLE) { /* perhaps nobody fulfils its event now */
    work->head.flags ^= KMPC_TASK_DETACHABLE | KMPC_TASK_ABANDONED;
  }
  self->context.task = previous;
  solo_kmp_body_ended(self, work, lists);
}

void solo_kmp_discard(kmpc_thread *self, kmpc_explicit_task *work) {
  if (work->head.flags & KMPC_TASK_DESTRUCTORS) work->object.destructors(self->gtid, &work->object);
  solo_kmp_cache_put(solo_kmp_cache(self), work);
}

/* --- submission --------------------------------------------------------------------------------*/

/* Counted, and with a node; nonzero: ready now. */
static int add_dependences(kmpc_thread *self, kmpc_explicit_task *work,
                           const kmpc_depend_list lists[2]) {
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_depend_node *node = make_node(self, work);
  int ready =
      solo_kmp_depend_add(&self->context.task->depends, cache, node, lists, KMPC_DEPEND_KEEP);
  ready = ready && solo_kmp_depend_lock(node);
  solo_kmp_depend_drop(cache, node); /* not ready: another thread may be running it by now */
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
