/* Taskgroups, and the cancellation of what belongs to them. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/thread.h"

kmpc_taskgroup *solo_kmp_taskgroup_open(kmpc_thread *self) {
  kmpc_task *task = self->context.task;
  kmpc_taskgroup *group = solo_kmp_cache_get(solo_kmp_cache(self), sizeof *group);
  group->outer = task->taskgroup;
  group->owner = self;
  group->local_count = 0;
  solo_store_relaxed(&group->remote_count, 0); /* not shared yet */
  solo_store_relaxed(&group->cancelled, 0);    /* as above */
  group->reductions = NULL;
  task->taskgroup = group;
  return group;
}

static int group_is_empty(void *what) {
  kmpc_taskgroup *group = what;
  return group->local_count + solo_load_acquire(&group->remote_count) ==
         0; /* pairs with leave_group */
}

void solo_kmp_taskgroup_close(kmpc_thread *self) {
  kmpc_task *task = self->context.task;
  kmpc_taskgroup *group = task->taskgroup;
  if (!group) return;
  if (!group_is_empty(group)) solo_kmp_help_until(self, group_is_empty, group);
  if (group->reductions) solo_kmp_reductions_finish(self, group);
  task->taskgroup = group->outer;
  solo_kmp_cache_put(solo_kmp_cache(self), group);
}

void __kmpc_taskgroup(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_taskgroup(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  (void)solo_kmp_taskgroup_open(solo_kmp_self());
}

void __kmpc_end_taskgroup(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_taskgroup(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  solo_kmp_taskgroup_close(solo_kmp_self());
}

/* --- cancellation ------------------------------------------------------------------------------*/

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
