/* Cancellation of taskgroups: of what belongs to them nothing begins any more. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/cancellation.h"

static int group_is_cancelled(const kmpc_taskgroup *group) {
  for (; group; group = group->outer)
    if (solo_load_acquire(&group->cancelled)) return 1; /* pairs with solo_kmp_cancel_taskgroup */
  return 0;
}

int solo_kmp_task_is_cancelled(const kmpc_explicit_task *work) {
  const kmpc_task *task = &work->head;
  if (SOLO_UNLIKELY(task->taskgroup != NULL) && group_is_cancelled(task->taskgroup)) return 1;
  return (solo_load_acquire(&task->team->cancel) & KMPC_CANCEL_PARALLEL) != 0; /* __kmpc_cancel */
}

int solo_kmp_cancel_taskgroup(kmpc_thread *self, int request) {
  kmpc_taskgroup *group = self->context.task->taskgroup;
  if (!request) return group_is_cancelled(group);
  if (!group) return 0;
  solo_store_release(&group->cancelled, 1); /* pairs with group_is_cancelled */
  return 1;
}
