#include "abi/gomp/internal.h"

SOLO_EXPORT void GOMP_barrier(void) {
  solo_gomp_barrier(solo_kmp_self());
}

bool solo_gomp_barrier_cancel(void) {
  solo_kmp_self()->context.works++;
  return __kmpc_cancel_barrier(NULL, 0) != 0;
}

SOLO_EXPORT bool GOMP_barrier_cancel(void) {
  return solo_gomp_barrier_cancel();
}

SOLO_EXPORT bool GOMP_single_start(void) {
  return __kmpc_single(NULL, 0) != 0;
}

/* single with copyprivate. Returns NULL to the thread that executes the block. The other threads
 * wait for this thread's GOMP_single_copy_end and receive its argument. GCC emits a barrier after
 * the copies. */
SOLO_EXPORT void *GOMP_single_copy_start(void) {
  if (__kmpc_single(NULL, 0)) return NULL;
  kmpc_thread *self = solo_kmp_self();
  solo_kmp_barrier(self);
  return self->context.team->worker_team->copyprivate;
}

SOLO_EXPORT void GOMP_single_copy_end(void *data) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return;
  worker_team->copyprivate = data;
  solo_kmp_barrier(self);
}
