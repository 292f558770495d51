/* Counting the end of tasks that were taken from another thread together.
 *
 * Ownership: on the stack of the thread that runs them (task/steal.c). Threads: that one. Errors: none.
 */
#ifndef SOLO_KMPC_TASK_HELD_H
#define SOLO_KMPC_TASK_HELD_H

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

#endif
