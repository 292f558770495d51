/* Reductions across a league. Each thread adds to the variable once, because the variable's cache
 * line would otherwise move between processors for each team. The thread's first team waits in its
 * reduction call. Inside this call the thread runs its other teams, and adds their results to the
 * first team's private copies. */
#include "abi/kmpc/team/league.h"

/* Maximum stack size of a waiting team. */
enum { STACK_MOST = 64 << 10 };

/* Returns whether the waiting team has no state except its private copies. */
static int is_clean(const kmpc_team_frame *frame) {
  const kmpc_task *task = &frame->solo.frame.task;
  const char *here = __builtin_frame_address(0);
  return !task->spawned && !task->depends && !task->taskgroup &&
         !solo_load_relaxed(&frame->solo.team.task_team) && /* own store */
         !solo_load_relaxed(&frame->solo.team.cancel) && (const char *)frame - here < STACK_MOST;
}

int solo_kmp_league_reduce(kmpc_thread *self, void *data, kmpc_combine combine, void *lock) {
  kmpc_team_frame *frame = (kmpc_team_frame *)(void *)((char *)self->context.team -
                                                       offsetof(kmpc_team_frame, solo.team));
  if (frame->collect) {
    if (frame->collect != combine || frame->lock != lock) return 0;
    combine(frame->data, data);
    return 1;
  }
  if (!is_clean(frame)) return 0;
  frame->collect = combine;
  frame->data = data;
  frame->lock = lock;
  int32_t number = frame->league.team;
  const kmpc_icvs *icvs = frame->solo.frame.task.icvs;
  kmpc_context context = self->context;
  solo_kmp_league_own_teams(self, frame);
  frame->collect = NULL;
  self->context = context;
  frame->league.team = number;
  frame->solo.frame.task.icvs = icvs;
  return 0;
}
