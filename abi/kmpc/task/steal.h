/* Tasks of other threads: looking for them, and counting the end of those that were taken together.
 *
 * Ownership: a task that is taken is its taker's to run. Threads: each function is called by the thread whose record, slot
 * or held tasks it is given. Errors: none.
 */
#ifndef SOLO_KMPC_TASK_STEAL_H
#define SOLO_KMPC_TASK_STEAL_H

#include "abi/kmpc/task/task.h"

/* Siblings of one group that a thread has run and that are not counted as done yet (hold in life.c). */
typedef struct kmpc_held {
  const kmpc_explicit_task *running; /* the task that may be held next */
  kmpc_task *parent;
  kmpc_taskgroup *group;
  int64_t count;
  kmpc_block_chain blocks; /* their records */
} kmpc_held;

/* life.c: counts as done what is held. */
void solo_kmp_release_held(kmpc_thread *self, kmpc_held *held);

/* The last task of the own deque, if it may run within. */
SOLO_INLINE kmpc_explicit_task *solo_kmp_pop_own(kmpc_task_slot *slot, const kmpc_task *within) {
  kmpc_explicit_task *work = solo_kmp_deque_pop(&slot->deque);
  if (!work || !within || solo_kmp_descends(work, within)) return work;
  (void)solo_kmp_deque_push(&slot->deque, work); /* its place is free again */
  return NULL;
}
/* One of any other thread's, taken out. */
kmpc_explicit_task *solo_kmp_steal(kmpc_thread *self, kmpc_task_team *tasks,
                                   const kmpc_task *within, kmpc_look look);
/* In a large team: runs some of another thread's, where self is called to or finds them; 0: none. */
int solo_kmp_steal_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within);

#endif
