#include "abi/kmpc/task/steal.h"
#include "abi/kmpc/task/steal_request.h"
#include "abi/kmpc/team/thread.h"

enum { POLL_DEVICE_EVERY = 8, PAUSES_AFTER_POLL = 32 };

static int complete_fulfilled(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_explicit_task *work = solo_kmp_list_pop(tasks, &tasks->fulfilled, NULL);
  if (!work) return 0;
  solo_kmp_complete_late(self, work);
  return 1;
}

/* Polls one task that is on a device. Returns 0 if there is none. Otherwise the caller must not sleep,
 * because a device wakes no thread. */
static int poll_device_task(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_explicit_task *work = solo_kmp_list_pop(tasks, &tasks->on_device, NULL);
  if (!work) return 0;
  if (solo_kmp_device_is_done(work)) {
    solo_kmp_complete_late(self, work);
    return 1;
  }
  solo_kmp_list_on_device(tasks, work);
  solo_kmp_task_slot(self)->returned = 1;
  for (int i = 0; i < PAUSES_AFTER_POLL; i++) solo_cpu_relax();
  return 1;
}

/* Notifies once for all tasks that self has completed, because a sleeping thread may wait for them. */
static void announce(kmpc_thread *self, kmpc_task_slot *slot) {
  if (SOLO_LIKELY(!slot->unannounced)) return;
  slot->unannounced = 0;
  solo_kmp_publish_and_notify_team(self->context.team);
}

/* Called when self is about to sleep. Sleeping threads may have missed tasks in the deque of self: a
 * push does not wake all threads, and solo_kmp_pop_own() removes a task for a short time. */
static void notify_before_sleep(kmpc_thread *self, kmpc_task_team *tasks, kmpc_task_slot *slot) {
  slot->returned = 0;
  if (solo_kmp_deque_is_empty(&slot->deque) && !solo_load_relaxed(&tasks->ready.count)) return;
  solo_kmp_publish_and_notify_team(self->context.team);
}

/* While self polled a device task, or examined a task of its deque that it must not execute, that
 * task was in no list.
 * Invariant: if a sleeping thread has missed a task, a running thread still searches for tasks.
 * Ordering:  the fence pairs with the fence in solo_kmp_eventcount_prepare().
 * Otherwise: a thread that scanned all lists meanwhile would sleep, and self could wait forever for a
 *            lock that this thread owns.
 */
void solo_kmp_notify_returned(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  /* pairs with solo_kmp_task_team_make */
  kmpc_task_team *tasks = solo_load_acquire(&team->task_team);
  if (!tasks || SOLO_LIKELY(!tasks->slot[self->context.tid].returned)) return;
  tasks->slot[self->context.tid].returned = 0;
  solo_kmp_publish_and_notify_team(team);
}

/* KMPC_SEARCH_LAST skips the own deque: only self pushes to it, and the last scan found it empty. */
int solo_kmp_run_one(kmpc_thread *self, const kmpc_task *within, kmpc_search search) {
  /* pairs with solo_kmp_task_team_make */
  kmpc_task_team *tasks = solo_load_acquire(&self->context.team->task_team);
  if (!tasks) return 0;
  solo_kmp_ensure_task_cache(self);
  kmpc_task_slot *slot = &tasks->slot[self->context.tid];
  if (search == KMPC_SEARCH_BEFORE_SLEEP) {
    solo_kmp_steal_request_disable(slot);
    if (within) notify_before_sleep(self, tasks, slot);
    return 0;
  }
  if (complete_fulfilled(self, tasks)) return 1;
  if (++slot->tick % POLL_DEVICE_EVERY == 0 && poll_device_task(self, tasks)) return 1;
  kmpc_explicit_task *work = solo_kmp_list_pop(tasks, &tasks->ready, within);
  if (!work && search == KMPC_SEARCH_QUICK) work = solo_kmp_pop_own(slot, within);
  if (!work) {
    if (SOLO_UNLIKELY(tasks->has_steal_requests) && search == KMPC_SEARCH_QUICK) {
      if (solo_kmp_steal_half(self, tasks, within)) return 1;
    } else {
      work = solo_kmp_steal(self, tasks, within, search);
    }
  }
  if (work) {
    solo_kmp_execute(self, work, NULL);
    return 1;
  }
  if (poll_device_task(self, tasks)) return 1;
  announce(self, slot);
  return 0;
}

static int help_within(kmpc_thread *self, kmpc_search search) {
  return solo_kmp_run_one(self, self->context.task, search);
}

void solo_kmp_help_until(kmpc_thread *self, kmpc_is_over is_over, void *what) {
  kmpc_team *team = self->context.team;
  /* pairs with solo_kmp_task_team_make */
  kmpc_task_team *tasks = solo_load_acquire(&team->task_team);
  if (SOLO_LIKELY(!tasks || !tasks->has_steal_requests)) {
    solo_kmp_wait(self, &team->eventcount, is_over, help_within, what);
    solo_kmp_notify_returned(self);
    return;
  }
  _Atomic int32_t *waits = &tasks->slot[self->context.tid].waits_in_task;
  /* relaxed: the fence in solo_kmp_eventcount_prepare() pairs with the fence in wake_task_waiters */
  int32_t outer = solo_load_relaxed(waits);
  solo_store_relaxed(waits, 1);
  solo_kmp_await(self, &team->eventcount, NULL, is_over, help_within, what);
  solo_store_relaxed(waits, outer);
  solo_kmp_notify_returned(self);
}

static int run_any(kmpc_thread *self, kmpc_search search) {
  return solo_kmp_run_one(self, NULL, search);
}

static void implicit_end(kmpc_task *task) {
  solo_kmp_depend_close(task->depends, solo_kmp_self()->task_cache);
  task->depends = NULL;
}

static void thread_end(kmpc_thread *self) {
  kmpc_team *team = self->context.team; /* NULL: a worker without a worker team */
  if (team && self->context.task->depends) implicit_end(self->context.task);
  if (team && solo_kmp_tasks_all_done(team)) solo_kmp_task_team_release(team);
  if (self->task_cache) solo_kmp_cache_close(self->task_cache);
  self->task_cache = NULL;
}

static const kmpc_task_ops ops = {
    .run_one = run_any,
    .all_done = solo_kmp_tasks_all_done,
    .implicit_end = implicit_end,
    .cancel_taskgroup = solo_kmp_cancel_taskgroup,
    .cancelled = solo_kmp_commons_drop,
    .team_end = solo_kmp_task_team_release,
    .thread_end = thread_end,
    .check = solo_kmp_tasks_check,
};

void solo_kmp_tasks_begin(kmpc_thread *self) {
  self->task_cache = solo_kmp_cache_open();
  solo_kmp_register_thread_end(self);
  solo_store_release(&solo_kmp_task_ops, &ops); /* pairs with solo_kmp_help */
}
