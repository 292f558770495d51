/* Sections: a monotonic loop over the numbers of the sections, from 1. */
#include "abi/gomp/internal.h"

static void begin(unsigned count) {
  gomp_space space = {.start = 1, .trip = count, .step = 1, .past = 1};
  solo_gomp_loop_begin(&space, (gomp_schedule){KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC, 1});
}

SOLO_EXPORT unsigned GOMP_sections_next(void) {
  kmpc_loop *loop = solo_kmp_thread_record.context.loop;
  uint64_t number, end;
  /* team of one: loop/dispatch.c returns all sections as one chunk */
  if (loop->kind == KMPC_LOOP_WHOLE)
    return loop->own_chunk < loop->trip ? (unsigned)++loop->own_chunk : 0;
  return solo_gomp_loop_next(&number, &end) ? (unsigned)number : 0;
}

SOLO_EXPORT unsigned GOMP_sections_start(unsigned count) {
  (void)solo_kmp_self();
  begin(count);
  return GOMP_sections_next();
}

SOLO_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory) {
  kmpc_thread *self = solo_kmp_self();
  begin(count);
  solo_gomp_share(self, reductions, memory);
  return GOMP_sections_next();
}
