/* Calling an idle thread of a large team (call.h). */
#include "abi/kmpc/task/call.h"

enum {
  ASKED = 2, /* threads that a call looks at */
  PACE =
      8, /* pushes between two calls: a producer whose tasks go one by one waits for its lines with each */
  PATIENCE = 32, /* pushes until a thread that does not answer is let go */
  QUIET = 8,     /* pushes after a call that found nobody */
};

int32_t solo_kmp_call(kmpc_thread *self, kmpc_task_team *tasks, int32_t victim) {
  kmpc_task_slot *own = &tasks->slot[self->context.tid];
  uint32_t size = (uint32_t)self->context.team->size;
  for (int i = 0; i < ASKED; i++) {
    uint32_t at = own->callee < size ? own->callee : 0;
    own->callee = at + 1;
    uint32_t idle = KMPC_BELL_IDLE;
    /* relaxed: a hint, which the exchange checks; release: pairs with solo_kmp_steal_half */
    if (solo_load_relaxed(&tasks->slot[at].bell) == KMPC_BELL_IDLE &&
        solo_cas_release(&tasks->slot[at].bell, &idle, KMPC_BELL_CALLED + (uint32_t)victim))
      return (int32_t)at + 1;
  }
  return 0;
}

void solo_kmp_call_for_push(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_task_slot *own = &tasks->slot[self->context.tid];
  uint32_t word = KMPC_BELL_CALLED + (uint32_t)self->context.tid;
  if (own->quiet && own->quiet--) return;
  if (own->called) {
    if (++own->waited < PACE) return;
    _Atomic uint32_t *bell = &tasks->slot[own->called - 1].bell;
    if (solo_load_relaxed(bell) == word) { /* a number: the deque's words order what is in it */
      if (own->waited < PATIENCE) return;
      (void)solo_cas_relaxed(bell, &word,
                             KMPC_BELL_BUSY); /* as said; if it fails there was an answer */
    }
  }
  own->waited = 0;
  own->called = solo_kmp_call(self, tasks, self->context.tid);
  if (!own->called) own->quiet = QUIET;
}
