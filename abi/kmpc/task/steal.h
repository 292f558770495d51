/* within: a suspended task of which only descendants may be executed (task scheduling constraint);
 * NULL: any task may be executed. */
#ifndef SOLO_KMPC_TASK_STEAL_H
#define SOLO_KMPC_TASK_STEAL_H

#include "abi/kmpc/task/task.h"

SOLO_INLINE kmpc_explicit_task *solo_kmp_pop_own(kmpc_task_slot *slot, const kmpc_task *within) {
  kmpc_explicit_task *work = solo_kmp_deque_pop(&slot->deque);
  if (!work || !within || solo_kmp_descends(work, within)) return work;
  solo_kmp_deque_unpop(&slot->deque);
  slot->returned = 1;
  return NULL;
}
kmpc_explicit_task *solo_kmp_steal(kmpc_thread *self, kmpc_task_team *tasks,
                                   const kmpc_task *within, kmpc_search search);
/* For large teams: steals and executes several tasks. Returns 0 if it found none. */
int solo_kmp_steal_half(kmpc_thread *self, kmpc_task_team *tasks, const kmpc_task *within);

#endif
