/* cancel and cancellation point, if OMP_CANCELLATION=true. Taskgroups: task/cancel.c. */
#include "abi/kmpc/team/cancellation.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

enum { PARALLEL = 1, LOOP = 2, SECTIONS = 3, TASKGROUP = 4 };

static void cancel_region(kmpc_team *team) {
  /* pairs with solo_kmp_is_cancelled and is_set: other threads see this thread's earlier stores */
  solo_or_seq_cst(&team->cancel, KMPC_CANCEL_PARALLEL);
  solo_kmp_notify_team(team);
}

/* Marks the current loop or sections construct. All threads that cancel it store the same mark. */
static void cancel_work(kmpc_thread *self) {
  kmpc_team *team = self->context.team;
  uint32_t own_work = self->context.works * KMPC_CANCEL_WORK;
  uint32_t was = solo_load_relaxed(&team->cancel); /* relaxed: the exchange validates `was` */
  while (!solo_cas_acq_rel(&team->cancel, &was, (was & KMPC_CANCEL_PARALLEL) | own_work)) {
  } /* pairs with is_set */
  solo_kmp_loop_leave(self);
}

static int32_t cancel_taskgroup_of(kmpc_thread *self, int request) {
  /* pairs with solo_kmp_tasks_begin */
  const kmpc_task_ops *ops = solo_load_acquire(&solo_kmp_task_ops);
  return ops ? ops->cancel_taskgroup(self, request) : 0;
}

int32_t __kmpc_cancel(kmpc_ident *loc, int32_t gtid, int32_t kind);
SOLO_EXPORT int32_t __kmpc_cancel(kmpc_ident *loc, int32_t gtid, int32_t kind) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  if (!solo_kmp_config()->cancellation) return 0;
  if (kind == TASKGROUP) return cancel_taskgroup_of(self, 1);
  if (kind == PARALLEL)
    cancel_region(self->context.team);
  else
    cancel_work(self);
  return 1;
}

static int is_set(const kmpc_thread *self, int32_t kind) {
  uint32_t cancel = solo_load_acquire(&self->context.team->cancel); /* pairs with cancel_region */
  if (kind == PARALLEL) return (cancel & KMPC_CANCEL_PARALLEL) != 0;
  uint32_t own_work = self->context.works * KMPC_CANCEL_WORK;
  return own_work && (cancel & ~(uint32_t)KMPC_CANCEL_PARALLEL) == own_work;
}

int32_t __kmpc_cancellationpoint(kmpc_ident *loc, int32_t gtid, int32_t kind);
SOLO_EXPORT int32_t __kmpc_cancellationpoint(kmpc_ident *loc, int32_t gtid, int32_t kind) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  if (!solo_kmp_config()->cancellation) return 0;
  if (kind == TASKGROUP) return cancel_taskgroup_of(self, 0);
  if (!is_set(self, kind)) return 0;
  if (kind != PARALLEL) solo_kmp_loop_leave(self);
  return 1;
}

int32_t __kmpc_cancel_barrier(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_cancel_barrier(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  solo_kmp_barrier(self);
  return solo_kmp_config()->cancellation && is_set(self, PARALLEL);
}
