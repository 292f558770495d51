/* Cancellation of taskgroups: tasks of a cancelled group do not begin. */
#include "abi/kmpc/task/task.h"

int solo_kmp_group_is_cancelled(const kmpc_taskgroup *group) {
  for (; group; group = group->outer) /* pairs with solo_kmp_cancel_taskgroup */
    if (solo_load_acquire(&group->cancelled)) return 1;
  return 0;
}

int solo_kmp_cancel_taskgroup(kmpc_thread *self, int request) {
  kmpc_taskgroup *group = self->context.task->taskgroup;
  if (!request) return solo_kmp_group_is_cancelled(group);
  if (!group) return 0;
  /* A clause reduction(task) makes no taskgroup region. */
  while (group->is_implicit && group->outer) group = group->outer;
  /* pairs with solo_kmp_group_is_cancelled: other tasks see the stores before `cancel` */
  solo_store_release(&group->cancelled, 1);
  return 1;
}
