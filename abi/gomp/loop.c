/* Worksharing loops of GCC over loop/dispatch.c. GCC orders chunks, not iterations: a thread begins
 * its ordered region when all chunks before its own have ended. */
#include "abi/gomp/internal.h"
#include "abi/kmpc/team/wait.h"

void solo_gomp_loop_begin(const gomp_space *space, gomp_schedule schedule) {
  uint64_t lower = space->trip ? 0 : 1, upper = space->trip ? space->trip - 1 : 0;
  __kmpc_dispatch_init_8u(NULL, 0, schedule.kind, lower, upper, 1, schedule.chunk);
  kmpc_loop *loop = solo_kmp_thread_record.context.loop;
  loop->lower = space->start;
  loop->step = space->step;
  loop->past = space->past;
  loop->reserved = 0;
}

static int is_its_turn(void *what) {
  const kmpc_loop *loop = what;
  return solo_load_acquire(&loop->slot->over) >= loop->first; /* pairs with end_ordered_chunk */
}

static void wait_for_turn(kmpc_thread *self, kmpc_loop *loop) {
  solo_kmp_wait(self, &self->context.team->eventcount, is_its_turn, solo_kmp_no_help, loop);
}

static SOLO_NOINLINE void end_ordered_chunk(kmpc_thread *self, kmpc_loop *loop) {
  wait_for_turn(self, loop);
  /* Invariant: the ordered regions of all iterations before `over` have ended.
   * Ordering:  this addition pairs with the acquire load in is_its_turn().
   * Otherwise: two ordered regions could overlap.
   */
  solo_add_seq_cst(&loop->slot->over, loop->reserved);
  solo_kmp_notify(&self->context.team->eventcount);
  loop->reserved = 0;
}

static uint64_t length_of(const kmpc_loop *loop, uint64_t lower, uint64_t upper) {
  if (loop->past > 0) return (upper - lower) / (uint64_t)loop->step + 1;
  return (lower - upper) / (0 - (uint64_t)loop->step) + 1;
}

int solo_gomp_loop_next(uint64_t *start, uint64_t *end) {
  kmpc_thread *self = &solo_kmp_thread_record;
  kmpc_loop *loop = self->context.loop;
  uint64_t lower, upper;
  if (SOLO_UNLIKELY(self->context.in_slot && loop->ordered) && loop->reserved)
    end_ordered_chunk(self, loop);
  if (!__kmpc_dispatch_next_8u(NULL, 0, NULL, &lower, &upper, NULL)) return 0;
  if (SOLO_UNLIKELY(self->context.in_slot && loop->ordered))
    loop->reserved = length_of(loop, lower, upper);
  *start = lower;
  *end = upper + (uint64_t)(int64_t)loop->past;
  return 1;
}

gomp_schedule solo_gomp_static(int64_t chunk) {
  return (gomp_schedule){chunk > 0 ? KMPC_STATIC_CHUNKED : KMPC_STATIC, chunk};
}

gomp_schedule solo_gomp_schedule(long schedule, int64_t chunk) {
  enum { RUNTIME, STATIC, DYNAMIC, GUIDED, NONMONOTONIC_RUNTIME };
  int32_t modifier = (uint32_t)schedule >> 31 ? KMPC_MONOTONIC : 0;
  switch ((uint32_t)schedule & 7) {
  case STATIC:
    return solo_gomp_static(chunk);
  case DYNAMIC:
    return (gomp_schedule){KMPC_DYNAMIC_CHUNKED | modifier, chunk};
  case GUIDED:
    return (gomp_schedule){KMPC_GUIDED_CHUNKED | modifier, chunk};
  case NONMONOTONIC_RUNTIME:
    return (gomp_schedule){KMPC_RUNTIME | KMPC_NONMONOTONIC, 0};
  default:
    return (gomp_schedule){KMPC_RUNTIME | modifier, 0};
  }
}

SOLO_EXPORT void GOMP_ordered_start(void) {
  kmpc_thread *self = solo_kmp_self();
  if (self->context.in_slot) wait_for_turn(self, self->context.loop);
}

/* Empty: the ordered region ends with the chunk, in solo_gomp_loop_next(). */
SOLO_EXPORT void GOMP_ordered_end(void) {}
