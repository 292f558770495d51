#include "abi/gomp/internal.h"

void __kmpc_doacross_fini(kmpc_ident *loc, int32_t gtid);

static void end_work(kmpc_thread *self) {
  /* a thread that left a cancelled loop is still in the slot */
  if (SOLO_UNLIKELY(self->context.in_slot)) solo_kmp_loop_leave(self);
  if (SOLO_UNLIKELY(self->context.crossing)) __kmpc_doacross_fini(NULL, 0);
  /* relaxed: solo_gomp_share locked before, so the block of this construct is counted */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_gomp_shared_blocks))) solo_gomp_share_leave(self);
}

SOLO_EXPORT void GOMP_loop_end(void) {
  kmpc_thread *self = solo_kmp_self();
  end_work(self);
  solo_gomp_barrier(self);
}

SOLO_EXPORT void GOMP_loop_end_nowait(void) {
  end_work(solo_kmp_self());
}

SOLO_EXPORT bool GOMP_loop_end_cancel(void) {
  end_work(solo_kmp_self());
  return solo_gomp_barrier_cancel();
}

SOLO_EXPORT void GOMP_sections_end(void) {
  GOMP_loop_end();
}

SOLO_EXPORT void GOMP_sections_end_nowait(void) {
  GOMP_loop_end_nowait();
}

SOLO_EXPORT bool GOMP_sections_end_cancel(void) {
  return GOMP_loop_end_cancel();
}
