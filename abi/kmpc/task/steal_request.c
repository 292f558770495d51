#include "abi/kmpc/task/steal_request.h"

enum {
  SENT_TO = 2,   /* request words read per call */
  PACE = 8,      /* pushes between two reads of a request word, because a read may miss the cache */
  PATIENCE = 32, /* pushes after which an unanswered request is withdrawn */
  QUIET = 8,     /* pushes without requests after a push has found no idle thread */
};

int32_t solo_kmp_steal_request_send(kmpc_thread *self, kmpc_task_team *tasks, int32_t victim) {
  kmpc_task_slot *own = &tasks->slot[self->context.tid];
  uint32_t size = (uint32_t)self->context.team->size;
  for (int i = 0; i < SENT_TO; i++) {
    uint32_t at = own->callee < size ? own->callee : 0;
    own->callee = at + 1;
    uint32_t idle = KMPC_STEAL_REQUEST_IDLE;
    /* pairs with solo_kmp_steal_half: the receiver sees the pushed task */
    if (solo_load_relaxed(&tasks->slot[at].steal_request) == KMPC_STEAL_REQUEST_IDLE &&
        solo_cas_release(&tasks->slot[at].steal_request, &idle,
                         KMPC_STEAL_REQUEST_SENT + (uint32_t)victim))
      return (int32_t)at + 1;
  }
  return 0;
}

void solo_kmp_steal_request_for_push(kmpc_thread *self, kmpc_task_team *tasks) {
  kmpc_task_slot *own = &tasks->slot[self->context.tid];
  uint32_t word = KMPC_STEAL_REQUEST_SENT + (uint32_t)self->context.tid;
  if (own->quiet && own->quiet--) return;
  if (own->called) {
    if (++own->waited < PACE) return;
    _Atomic uint32_t *steal_request = &tasks->slot[own->called - 1].steal_request;
    /* relaxed, both: they order nothing. The exchange fails if the receiver has answered. */
    if (solo_load_relaxed(steal_request) == word) {
      if (own->waited < PATIENCE) return;
      (void)solo_cas_relaxed(steal_request, &word, KMPC_STEAL_REQUEST_BUSY);
    }
  }
  own->waited = 0;
  own->called = solo_kmp_steal_request_send(self, tasks, self->context.tid);
  if (!own->called) own->quiet = QUIET;
}
