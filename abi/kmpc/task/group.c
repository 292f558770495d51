#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"

kmpc_taskgroup *solo_kmp_taskgroup_open(kmpc_thread *self) {
  solo_kmp_ensure_task_cache(self);
  kmpc_task *task = self->context.task;
  kmpc_taskgroup *group = solo_kmp_cache_allocate(solo_kmp_cache(self), sizeof *group);
  group->outer = task->taskgroup;
  group->owner = self;
  group->local_count = 0;
  solo_store_relaxed(&group->remote_count, 0); /* relaxed: not shared yet */
  solo_store_relaxed(&group->cancelled, 0);
  group->is_implicit = 0;
  group->reductions = NULL;
  group->gomp_reductions = NULL;
  task->taskgroup = group;
  return group;
}

static int group_is_empty(void *what) {
  kmpc_taskgroup *group = what;
  return group->local_count + solo_load_acquire(&group->remote_count) ==
         0; /* pairs with leave_group_of_other */
}

void solo_kmp_taskgroup_close(kmpc_thread *self) {
  kmpc_task *task = self->context.task;
  kmpc_taskgroup *group = task->taskgroup;
  if (!group) return;
  if (!group_is_empty(group)) solo_kmp_help_until(self, group_is_empty, group);
  if (group->reductions) solo_kmp_reductions_finish(self, group);
  task->taskgroup = group->outer;
  solo_kmp_cache_free(solo_kmp_cache(self), group);
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

void *__kmpc_taskred_modifier_init(kmpc_ident *loc, int32_t gtid, int32_t workshare, int32_t count,
                                   kmpc_reduction_input *inputs);
SOLO_EXPORT void *__kmpc_taskred_modifier_init(kmpc_ident *loc, int32_t gtid, int32_t workshare,
                                               int32_t count, kmpc_reduction_input *inputs) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_taskgroup *group = solo_kmp_taskgroup_open(self);
  group->is_implicit = 1;
  solo_kmp_reductions_add(self, workshare ? KMPC_REDUCED_WORKSHARE : KMPC_REDUCED_PARALLEL, count,
                          inputs);
  return group;
}

void __kmpc_task_reduction_modifier_fini(kmpc_ident *loc, int32_t gtid, int32_t workshare);
SOLO_EXPORT void __kmpc_task_reduction_modifier_fini(kmpc_ident *loc, int32_t gtid,
                                                     int32_t workshare) {
  (void)loc, (void)gtid, (void)workshare;
  solo_kmp_taskgroup_close(solo_kmp_self());
}
