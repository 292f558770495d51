/* Stealing. In a small team a thread scans all deques and steals one task. In a large team it scans
 * one deque, or the deque that a steal request names (steal_request.h), moves half of its tasks to
 * its own deque, and counts their completion together (held.h). */
#include "abi/kmpc/task/steal.h"
#include "abi/kmpc/task/held.h"
#include "abi/kmpc/task/steal_request.h"

enum {
  LOOKED_AT = 1, /* number of deques per scan */
  PATROL = 16,   /* number of polls after which an idle thread scans a deque */
};

kmpc_explicit_task *solo_kmp_steal(kmpc_thread *self, kmpc_task_team *tasks,
                                   const kmpc_task *within, kmpc_search search) {
  kmpc_task_slot *slot = &tasks->slot[self->context.tid];
  uint32_t size = (uint32_t)self->context.team->size, at = slot->victim;
  for (uint32_t i = 0; i < size; i++, at++) {
    if (at >= size) at = 0;
    if (at == (uint32_t)self->context.tid) continue;
    kmpc_deque *deque = &tasks->slot[at].deque;
    kmpc_explicit_task *work =
        search == KMPC_SEARCH_QUICK
            ? solo_kmp_deque_try_steal(deque, within ? solo_kmp_descends : NULL, within)
            : solo_kmp_deque_steal(deque, within ? solo_kmp_descends : NULL, within);
    if (!work) continue;
    slot->victim = at;
    return work;
  }
  return NULL;
}

/* Executes a stolen task and holds its completion. Only siblings of one group are held together,
 * because a thread that waits for one of them waits for all. */
static void run_held(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_held *held = self->held_tasks;
  if (held->count && (held->parent != work->head.parent || held->group != work->head.taskgroup))
    solo_kmp_held_count_done(self, held);
  held->running = work;
  solo_kmp_execute(self, work, NULL);
}

static void run_all(kmpc_thread *self, kmpc_task_slot *slot, const kmpc_task *within,
                    kmpc_explicit_task *first, int count) {
  kmpc_held held = {0}, *outer = self->held_tasks;
  self->held_tasks = &held;
  run_held(self, first);
  kmpc_explicit_task *work;
  while (--count > 0 && (work = solo_kmp_pop_own(slot, within))) run_held(self, work);
  solo_kmp_held_count_done(self, &held);
  self->held_tasks = outer;
}

/* Wakes threads that sleep inside a task. Such a thread may wait for one of the stolen tasks, and
 * may have scanned all deques before self pushed these tasks. self may never execute the awaited
 * task, because the first stolen task can wait for a lock that the sleeping thread owns. A thread
 * in a barrier owns no such lock, so it is not woken.
 * Invariant: the sleeping thread finds the tasks, or self finds the sleeping thread.
 * Ordering:  this fence pairs with the fence in solo_kmp_eventcount_prepare().
 * Otherwise: both could wait forever.
 */
static void wake_task_waiters(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_team *team = self->context.team;
  solo_fence_seq_cst();
  if (SOLO_LIKELY(!solo_load_relaxed(&team->eventcount.sleepers))) return;
  for (int32_t tid = 0; tid < team->size; tid++) {
    if (!solo_load_relaxed(&tasks->slot[tid].waits_in_task)) continue;
    solo_kmp_wake_team(team, INT32_MAX);
    return;
  }
}

static int run_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within,
                    uint32_t victim) {
  uint32_t tid = (uint32_t)self->context.tid, size = (uint32_t)self->context.team->size;
  if (victim == tid) return 0;
  kmpc_task_slot *slot = &tasks->slot[tid];
  kmpc_deque *deque = &tasks->slot[victim].deque;
  void *items[KMPC_DEQUE_MAX_STEAL];
  int count =
      solo_kmp_deque_try_steal_half(deque, within ? solo_kmp_descends : NULL, within, items);
  if (!count) return 0;
  slot->victim = victim;
  /* size > 1. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
  slot->callee = (2 * tid + 1) % size;
  /* relaxed: affects speed only */
  if (solo_load_relaxed(&slot->steal_request))
    solo_store_relaxed(&slot->steal_request, KMPC_STEAL_REQUEST_BUSY);
  int kept = 1;
  while (kept < count && solo_kmp_deque_push(&slot->deque, items[kept])) kept++;
  /* All other stolen tasks become visible to other threads before self runs the first: the first task
   * may wait for a thread that waits for one of these tasks. */
  if (kept < count) solo_kmp_push_stolen(self, items + kept, count - kept);
  if (count > 1) wake_task_waiters(self, tasks);
  if (solo_kmp_deque_count(deque) > 1)
    (void)solo_kmp_steal_request_send(self, tasks, (int32_t)victim);
  if (kept > 1) (void)solo_kmp_steal_request_send(self, tasks, (int32_t)tid);
  run_all(self, slot, within, items[0], kept);
  return 1;
}

int solo_kmp_steal_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within) {
  uint32_t tid = (uint32_t)self->context.tid, size = (uint32_t)self->context.team->size;
  kmpc_task_slot *slot = &tasks->slot[tid];
  /* pairs with solo_kmp_steal_request_send */
  uint32_t word = solo_load_acquire(&slot->steal_request);
  uint32_t attempts = LOOKED_AT, at = slot->victim;
  if (word == KMPC_STEAL_REQUEST_IDLE) {
    if (slot->tick % PATROL) return 0;
    attempts = 1;
    at = at + 1 < size ? at + 1 : 0;
    slot->victim = at;
  } else {
    if (word != KMPC_STEAL_REQUEST_BUSY) {
      at = word - KMPC_STEAL_REQUEST_SENT;
      attempts = 1;
    } else if (slot->must_search) {
      attempts = size;
    }
    solo_store_relaxed(&slot->steal_request,
                       KMPC_STEAL_REQUEST_BUSY); /* relaxed: affects speed only */
  }
  slot->must_search = 0;
  for (; attempts; attempts--, at++) {
    if (at >= size) at = 0;
    if (run_half(self, tasks, within, at)) return 1;
  }
  /* relaxed: affects speed only */
  if (word != KMPC_STEAL_REQUEST_IDLE)
    solo_store_relaxed(&slot->steal_request, KMPC_STEAL_REQUEST_IDLE);
  return 0;
}
