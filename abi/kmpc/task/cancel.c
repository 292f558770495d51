/* Cancellation of taskgroups: of what belongs to them nothing begins any more. */
#include "abi/kmpc/task/task.h"

int solo_kmp_group_is_cancelled(const kmpc_taskgroup *group) {
  for (; group; group = group->outer)
    if (solo_load_acquire(&group->cancelled)) return 1; /* pairs with solo_kmp_cancel_taskgroup */
  return 0;
}

int solo_kmp_cancel_taskgroup(kmpc_thread *self, int request) {
  kmpc_taskgroup *group = self->context.task->taskgroup;
  if (!request) return solo_kmp_group_is_cancelled(group);
  if (!group) return 0;
  solo_store_release(&group->cancelled, 1); /* pairs with solo_kmp_group_is_cancelled */
  return 1;
}
