/* Completed tasks of one steal whose completion is not counted yet, so that they can be counted
 * together. On the stack of the thread that executes them (steal.c). */
#ifndef SOLO_KMPC_TASK_HELD_H
#define SOLO_KMPC_TASK_HELD_H

#include "abi/kmpc/task/task.h"

typedef struct kmpc_held {
  const kmpc_explicit_task *running; /* the only task that may be added */
  kmpc_task *parent;
  kmpc_taskgroup *group;
  int64_t count;
  kmpc_block_chain blocks; /* their records */
} kmpc_held;

/* Counts the held tasks as done. */
void solo_kmp_release_held(kmpc_thread *self, kmpc_held *held);

#endif
