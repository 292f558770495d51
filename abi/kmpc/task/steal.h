/* Tasks of other threads: looking for them.
 *
 * Ownership: a task that is taken is its taker's to run. Threads: each function is called by the thread whose record or slot
 * it is given. Errors: none.
 */
#ifndef SOLO_KMPC_TASK_STEAL_H
#define SOLO_KMPC_TASK_STEAL_H

#include "abi/kmpc/task/task.h"

/* The last task of the own deque, if it may run within. */
SOLO_INLINE kmpc_explicit_task *solo_kmp_pop_own(kmpc_task_slot *slot, const kmpc_task *within) {
  kmpc_explicit_task *work = solo_kmp_deque_pop(&slot->deque);
  if (!work || !within || solo_kmp_descends(work, within)) return work;
  solo_kmp_deque_unpop(&slot->deque);
  return NULL;
}
/* One of any other thread's, taken out. */
kmpc_explicit_task *solo_kmp_steal(kmpc_thread *self, kmpc_task_team *tasks,
                                   const kmpc_task *within, kmpc_look look);
/* In a large team: runs some of another thread's, where self is called to or finds them; 0: none. */
int solo_kmp_steal_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within);

#endif
