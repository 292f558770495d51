/* Tasks of other threads: who looks at whose deque, and how what was taken is run.
 *
 * In a small team a thread looks at all others, and takes one task. In a large one it looks where it is called to
 * (call.h), or at a few, and takes half of what it finds: it keeps it in its own deque, where others may take half
 * again, and runs it. The tasks of one take are mostly siblings; their ends are counted together.
 */
#include "abi/kmpc/task/steal.h"
#include "abi/kmpc/task/call.h"
#include "abi/kmpc/task/held.h"

enum {
  LOOKED_AT = 1, /* deques, by a thread that has nothing left */
  PATROL = 16,   /* looks of an idle thread at its own bell before one at another's deque */
};

kmpc_explicit_task *solo_kmp_steal(kmpc_thread *self, kmpc_task_team *tasks,
                                   const kmpc_task *within, kmpc_look look) {
  kmpc_task_slot *slot = &tasks->slot[self->context.tid];
  uint32_t size = (uint32_t)self->context.team->size, at = slot->victim;
  for (uint32_t i = 0; i < size; i++, at++) {
    if (at >= size) at = 0;
    if (at == (uint32_t)self->context.tid) continue;
    kmpc_deque *deque = &tasks->slot[at].deque;
    kmpc_explicit_task *work =
        look == KMPC_LOOK_QUICK
            ? solo_kmp_deque_try_take(deque, within ? solo_kmp_descends : NULL, within)
            : solo_kmp_deque_take(deque, within ? solo_kmp_descends : NULL, within);
    if (!work) continue;
    slot->victim = at;
    return work;
  }
  return NULL;
}

/* A task is held only while self runs a sibling of it in the same group: who waits for the one waits for the other. */
static void run_held(kmpc_thread *self, kmpc_explicit_task *work) {
  kmpc_held *held = self->held_tasks;
  if (held->count && (held->parent != work->head.parent || held->group != work->head.taskgroup))
    solo_kmp_release_held(self, held);
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
  solo_kmp_release_held(self, &held);
  self->held_tasks = outer;
}

/* Self keeps tasks. Who waits for one of them amid a task may sleep, for it was in no deque at its last look, and self may not
 * come to it: the task that it runs first may wait for a lock that the waiter holds. Who sleeps amid none is not told. */
static void tell_waiters(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_team *team = self->context.team;
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  if (SOLO_LIKELY(!solo_load_relaxed(&team->eventcount.sleepers)))
    return; /* ordered by the fence */
  for (int32_t tid = 0; tid < team->size; tid++) {
    if (!solo_load_relaxed(&tasks->slot[tid].waits_within)) continue; /* the same */
    solo_kmp_wake_team(team, INT32_MAX);
    return;
  }
}

/* Takes half of what is in the deque of thread victim and runs it; 0: found nothing. */
static int run_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within,
                    uint32_t victim) {
  uint32_t tid = (uint32_t)self->context.tid, size = (uint32_t)self->context.team->size;
  if (victim == tid) return 0;
  kmpc_task_slot *slot = &tasks->slot[tid];
  kmpc_deque *deque = &tasks->slot[victim].deque;
  void *items[KMPC_DEQUE_HALF_MOST];
  int count = solo_kmp_deque_try_take_half(deque, within ? solo_kmp_descends : NULL, within, items);
  if (!count) return 0;
  slot->victim = victim;
  /* of a team of several. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
  slot->callee = (2 * tid + 1) % size;
  /* it is called no more; a call that this undoes counts as answered */
  if (solo_load_relaxed(&slot->bell)) solo_store_relaxed(&slot->bell, KMPC_BELL_BUSY);
  int kept = 1;
  while (kept < count && solo_kmp_deque_push(&slot->deque, items[kept])) kept++;
  if (kept > 1) tell_waiters(self, tasks);
  if (solo_kmp_deque_count(deque) > 1) (void)solo_kmp_call(self, tasks, (int32_t)victim);
  if (kept > 1) (void)solo_kmp_call(self, tasks, (int32_t)tid);
  run_all(self, slot, within, items[0], kept);
  for (; kept < count; kept++) solo_kmp_execute(self, items[kept], NULL); /* its deque was full */
  return 1;
}

int solo_kmp_steal_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within) {
  uint32_t tid = (uint32_t)self->context.tid, size = (uint32_t)self->context.team->size;
  kmpc_task_slot *slot = &tasks->slot[tid];
  uint32_t word = solo_load_acquire(&slot->bell); /* pairs with solo_kmp_call */
  uint32_t looks = LOOKED_AT, at = slot->victim;
  if (word == KMPC_BELL_IDLE) {
    if (slot->tick % PATROL) return 0;
    looks = 1;
    at = at + 1 < size ? at + 1 : 0;
    slot->victim = at;
  } else {
    if (word != KMPC_BELL_BUSY) {
      at = word - KMPC_BELL_CALLED;
      looks = 1;
    } else if (slot->must_look) {
      looks = size;
    }
    solo_store_relaxed(&slot->bell,
                       KMPC_BELL_BUSY); /* a caller that sees it old waits for longer */
  }
  slot->must_look = 0;
  for (; looks; looks--, at++) {
    if (at >= size) at = 0;
    if (run_half(self, tasks, within, at)) return 1;
  }
  if (word != KMPC_BELL_IDLE) solo_store_relaxed(&slot->bell, KMPC_BELL_IDLE); /* orders nothing */
  return 0;
}
