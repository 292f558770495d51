/* Completed tasks of one steal that are not counted yet (steal.c). On the stack of the thief. */
#ifndef SOLO_KMPC_TASK_HELD_H
#define SOLO_KMPC_TASK_HELD_H

#include "abi/kmpc/task/task.h"

typedef struct kmpc_held {
  const kmpc_explicit_task *running; /* executes; only this task can be added */
  kmpc_task *parent;
  kmpc_taskgroup *group;
  int64_t count;
  kmpc_block_chain blocks;
} kmpc_held;

/* Counts the held tasks as done. */
void solo_kmp_held_count_done(kmpc_thread *self, kmpc_held *held);

#endif
