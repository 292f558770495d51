/* Complete tasks that `parent`, `group` and the team still count as unfinished. A thief that steals
 * several tasks has this record on its stack (steal.c). */
#ifndef SOLO_KMPC_TASK_HELD_H
#define SOLO_KMPC_TASK_HELD_H

#include "abi/kmpc/task/task.h"

typedef struct kmpc_held {
  const kmpc_explicit_task *running; /* the task in execution, the only task that can be added */
  kmpc_task *parent;
  kmpc_taskgroup *group;
  int64_t count;
  kmpc_block_chain blocks;
} kmpc_held;

void solo_kmp_held_count_done(kmpc_thread *self, kmpc_held *held);

#endif
