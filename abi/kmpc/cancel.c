/* cancel and cancellation points of parallel regions, loops and sections.
 *
 * Taskgroups are task.c's (solo_kmp_cancel_taskgroup). Only OMP_CANCELLATION=true cancels.
 */
#include "abi/kmpc/cancel.h"
#include "abi/kmpc/crew.h"

enum { PARALLEL = 1, LOOP = 2, SECTIONS = 3, TASKGROUP = 4 };

int32_t __kmpc_cancel(kmpc_ident *loc, int32_t gtid, int32_t kind);
SOLO_EXPORT int32_t __kmpc_cancel(kmpc_ident *loc, int32_t gtid, int32_t kind) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  if (!solo_kmp_config()->cancellation) return 0;
  if (kind == TASKGROUP) {
    const kmpc_task_ops *ops = solo_load_acquire(&solo_kmp_task_ops); /* pairs with task.c */
    return ops ? ops->cancel_taskgroup(self, 1) : 0;
  }
  kmpc_team *team = self->now.team;
  /* pairs with is_cancelled in barrier.c and is_set below */
  solo_or_seq_cst(&team->cancel, 1 << kind);
  solo_kmp_notify(&team->event);
  return 1;
}

static int is_set(kmpc_team *team, int32_t kind) {
  return (solo_load_acquire(&team->cancel) & 1 << kind) != 0; /* pairs with __kmpc_cancel */
}

int32_t __kmpc_cancellationpoint(kmpc_ident *loc, int32_t gtid, int32_t kind);
SOLO_EXPORT int32_t __kmpc_cancellationpoint(kmpc_ident *loc, int32_t gtid, int32_t kind) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  if (!solo_kmp_config()->cancellation) return 0;
  if (kind == TASKGROUP) {
    const kmpc_task_ops *ops = solo_load_acquire(&solo_kmp_task_ops); /* pairs with task.c */
    return ops ? ops->cancel_taskgroup(self, 0) : 0;
  }
  return is_set(self->now.team, kind);
}

/* The barrier of a construct that can be cancelled: 1 if the parallel region is. A loop or sections
 * ends its own cancellation here: everybody has arrived, so nobody is inside any more; the second
 * barrier keeps the mark from being cleared under the next construct. */
int32_t __kmpc_cancel_barrier(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_cancel_barrier(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_team *team = self->now.team;
  solo_kmp_barrier(self);
  if (!solo_kmp_config()->cancellation) return 0;
  if (is_set(team, PARALLEL)) return 1;
  if (!is_set(team, LOOP) && !is_set(team, SECTIONS)) return 0;
  solo_kmp_barrier(self);
  if (self->now.tid == 0) {
    int32_t mask = ~(KMPC_CANCEL_LOOP | KMPC_CANCEL_SECTIONS);
    solo_and_acq_rel(&team->cancel, mask); /* pairs with is_set */
    if (team->crew) solo_kmp_reset_loops(team->crew);
  }
  solo_kmp_barrier(self);
  self->now.loops = 0;
  self->now.crosses = 0;
  return is_set(team, PARALLEL);
}
