/* Loops that assign chunks at run time. For a dynamic loop without the monotonic modifier, each
 * thread first receives a range of chunks; idle threads steal halves of other ranges. Ordered loops,
 * including doacross, are monotonic (OpenMP 5.2, 11.5.3). */
#include "abi/kmpc/loop/schedule.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"

typedef struct wish {
  int32_t schedule;
  int64_t chunk;
} wish;

static void resolve_runtime(kmpc_thread *self, wish *w) {
  const kmpc_icvs *icvs = self->context.task->icvs;
  static const int32_t kinds[] = {0, KMPC_STATIC, KMPC_DYNAMIC_CHUNKED, KMPC_GUIDED_CHUNKED,
                                  KMPC_AUTO};
  int32_t modifiers = w->schedule & (KMPC_MONOTONIC | KMPC_NONMONOTONIC);
  if ((uint32_t)icvs->schedule & 0x80000000u) modifiers = KMPC_MONOTONIC;
  int32_t kind = kinds[icvs->schedule & 7];
  w->chunk = icvs->chunk;
  if (kind == KMPC_STATIC && icvs->chunk > 0) kind = KMPC_STATIC_CHUNKED;
  w->schedule = kind | modifiers;
}

static int32_t kind_of(kmpc_thread *self, wish *w, int32_t *ordered) {
  int32_t kind = KMPC_SCHEDULE_KIND(w->schedule);
  if (kind >= KMPC_NOMERGE_FIRST) kind -= 128;
  *ordered = kind >= KMPC_ORDERED_FIRST && kind <= KMPC_ORDERED_LAST;
  if (*ordered) kind -= 32;
  if (kind == KMPC_RUNTIME || kind == KMPC_RUNTIME_SIMD) {
    w->schedule = kind | (w->schedule & (KMPC_MONOTONIC | KMPC_NONMONOTONIC));
    resolve_runtime(self, w);
    kind = KMPC_SCHEDULE_KIND(w->schedule);
  }
  if (self->context.team->size == 1) return KMPC_LOOP_WHOLE;
  switch (kind) {
  case KMPC_STATIC:
  case KMPC_STATIC_GREEDY:
  case KMPC_STATIC_BALANCED:
  case KMPC_AUTO:
    return KMPC_LOOP_BLOCK;
  case KMPC_STATIC_CHUNKED:
  case KMPC_STATIC_BALANCED_CHUNKED:
    return KMPC_LOOP_STATIC;
  case KMPC_GUIDED_CHUNKED:
  case KMPC_GUIDED_ITERATIVE:
  case KMPC_GUIDED_ANALYTICAL:
  case KMPC_GUIDED_SIMD:
  case KMPC_TRAPEZOIDAL:
    return KMPC_LOOP_GUIDED;
  default:
    return w->schedule & KMPC_MONOTONIC || *ordered || self->context.crossing ? KMPC_LOOP_SHARED
                                                                              : KMPC_LOOP_STEAL;
  }
}

static void set_up(kmpc_thread *self, const kmpc_loop *loop) {
  kmpc_loop_slot *slot = loop->slot;
  solo_store_relaxed(&slot->next, 0); /* relaxed: solo_kmp_slot_ready publishes */
  solo_store_relaxed(&slot->over, 0);
  if (loop->kind != KMPC_LOOP_STEAL) return;
  /* The ranges omit the last chunk, because its thread must execute no other chunk after it
   * (lastprivate). The first thread that finds no other chunk executes the last chunk. */
  solo_kmp_ranges_divide(loop->ranges, self->context.team->size,
                         loop->chunks ? loop->chunks - 1 : 0);
}

static void begin_loop(kmpc_thread *self, kmpc_loop *loop, wish w) {
  int32_t ordered;
  loop->kind = (int16_t)kind_of(self, &w, &ordered);
  loop->ordered = (int16_t)ordered;
  loop->chunk = w.chunk > 0 ? (uint64_t)w.chunk : 1;
  loop->bumped = 0;
  loop->own_chunk = (uint64_t)self->context.tid;
  loop->victim = self->context.tid;
  loop->slot = NULL;
  loop->first = 0;
  self->context.works++;
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return;
  loop->chunks = loop->trip / loop->chunk + (loop->trip % loop->chunk != 0);
  if (loop->kind == KMPC_LOOP_STEAL && loop->chunks >> 32) loop->kind = KMPC_LOOP_SHARED;
  int needs_slot = ordered || loop->kind >= KMPC_LOOP_SHARED;
  if (!needs_slot) return;
  uint32_t number = self->context.loops++;
  loop->slot = &worker_team->loops[number % KMPC_LOOP_SLOTS];
  loop->ranges = worker_team->ranges[number % KMPC_LOOP_SLOTS];
  int entered = solo_kmp_slot_enter(self, loop->slot, number);
  if (SOLO_UNLIKELY(entered == KMPC_ENTER_CANCELLED)) {
    loop->slot = NULL;
    loop->kind = KMPC_LOOP_NONE;
    return;
  }
  self->context.in_slot = 1;
  if (entered == KMPC_ENTER_READY) return;
  set_up(self, loop);
  solo_store_relaxed(&worker_team->dirty, 1); /* relaxed: read after the join */
  solo_kmp_slot_ready(self, loop->slot);
}

void solo_kmp_loop_leave(kmpc_thread *self) {
  if (!self->context.in_slot) return;
  kmpc_loop *loop = self->context.loop;
  self->context.in_slot = 0;
  if (solo_kmp_slot_leave(self, loop->slot)) solo_kmp_slot_free(self, loop->slot);
  loop->slot = NULL;
  loop->kind = KMPC_LOOP_NONE;
}

typedef struct piece {
  uint64_t first, count;
} piece;

static int chunk_piece(const kmpc_loop *loop, uint64_t chunk, piece *p) {
  if (chunk >= loop->chunks) return 0;
  p->first = chunk * loop->chunk;
  p->count = loop->trip - p->first < loop->chunk ? loop->trip - p->first : loop->chunk;
  return 1;
}

static int next_whole(kmpc_loop *loop, piece *p) {
  if (loop->first) return 0;
  loop->first = 1;
  p->first = 0;
  p->count = loop->trip;
  return p->count != 0;
}

static int next_block(kmpc_thread *self, kmpc_loop *loop, piece *p) {
  uint64_t size = (uint64_t)self->context.team->size, tid = (uint64_t)self->context.tid;
  uint64_t least = loop->trip / size, more = loop->trip % size;
  if (loop->own_chunk == UINT64_MAX) return 0;
  loop->own_chunk = UINT64_MAX;
  p->first = least * tid + (tid < more ? tid : more);
  p->count = least + (tid < more);
  return p->count != 0;
}

static int next_guided(kmpc_thread *self, kmpc_loop *loop, piece *p) {
  uint64_t threads = 2 * (uint64_t)self->context.team->size;
  uint64_t at = solo_load_relaxed(&loop->slot->next);
  uint64_t reserved;
  do {
    uint64_t rest = loop->trip - at;
    if (rest == 0) return 0;
    reserved = rest / threads + (rest % threads != 0);
    if (reserved < loop->chunk) reserved = loop->chunk;
    if (reserved > rest) reserved = rest;
  } while (!solo_cas_relaxed(&loop->slot->next, &at, at + reserved)); /* relaxed: only a number */
  p->first = at;
  p->count = reserved;
  return 1;
}

static int next_steal(kmpc_thread *self, kmpc_loop *loop, piece *p) {
  kmpc_loop_range *own = &loop->ranges[self->context.tid];
  uint64_t chunk, end;
  if (solo_kmp_range_reserve(own, 1, &chunk, &end)) return chunk_piece(loop, chunk, p);
  int32_t size = self->context.team->size;
  for (int32_t i = 0; i < size; i++) {
    int32_t victim = loop->victim + i < size ? loop->victim + i : loop->victim + i - size;
    if (victim == self->context.tid ||
        !solo_kmp_range_steal_half(&loop->ranges[victim], &chunk, &end))
      continue;
    loop->victim = victim;
    /* relaxed: only numbers */
    if (end - chunk > 1) solo_store_relaxed(&own->span, end << 32 | (chunk + 1));
    return chunk_piece(loop, chunk, p);
  }
  uint64_t untaken = 0;
  /* relaxed: only a number */
  if (solo_load_relaxed(&loop->slot->next) || !solo_cas_relaxed(&loop->slot->next, &untaken, 1))
    return 0;
  loop->kind = KMPC_LOOP_DONE;
  return loop->chunks && chunk_piece(loop, loop->chunks - 1, p);
}

static int next_piece(kmpc_thread *self, kmpc_loop *loop, piece *p) {
  switch (loop->kind) {
  case KMPC_LOOP_WHOLE:
    return next_whole(loop, p);
  case KMPC_LOOP_BLOCK:
    return next_block(self, loop, p);
  case KMPC_LOOP_STATIC: {
    uint64_t chunk = loop->own_chunk;
    loop->own_chunk += (uint64_t)self->context.team->size;
    return chunk_piece(loop, chunk, p);
  }
  case KMPC_LOOP_SHARED:
    /* relaxed: only a number */
    return chunk_piece(loop, solo_add_relaxed(&loop->slot->next, 1), p);
  case KMPC_LOOP_GUIDED:
    return next_guided(self, loop, p);
  case KMPC_LOOP_STEAL:
    return next_steal(self, loop, p);
  default:
    return 0;
  }
}

static int next(kmpc_thread *self, piece *p) {
  kmpc_loop *loop = self->context.loop;
  if (next_piece(self, loop, p)) {
    if (loop->kind != KMPC_LOOP_WHOLE) loop->first = p->first;
    return 1;
  }
  loop->kind = KMPC_LOOP_NONE;
  solo_kmp_loop_leave(self);
  return 0;
}

/* Returns whether the ordered parts of all earlier iterations have ended. */
static int is_its_turn(void *what) {
  const kmpc_loop *loop = what;
  return solo_load_acquire(&loop->slot->over) >= loop->first; /* pairs with bump */
}

static void wait_for_ordered_turn(kmpc_thread *self, kmpc_loop *loop) {
  solo_kmp_wait(self, &self->context.team->eventcount, is_its_turn, solo_kmp_no_help, loop);
}

static void bump(kmpc_thread *self, kmpc_loop *loop) {
  /* pairs with is_its_turn: the stores of earlier ordered parts are visible */
  solo_add_seq_cst(&loop->slot->over, 1);
  solo_kmp_notify(&self->context.team->eventcount);
}

/* flang's target regions call no __kmpc_dispatch function, so their loops have no slot. Their
 * ordered regions lock a mutex instead, so that they execute one at a time, in any order. */
void __kmpc_ordered(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_ordered(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return;
  if (self->context.in_slot)
    wait_for_ordered_turn(self, self->context.loop);
  else
    solo_lock_acquire(&worker_team->ordered);
}

void __kmpc_end_ordered(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_ordered(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return;
  if (!self->context.in_slot) {
    solo_lock_release(&worker_team->ordered);
    return;
  }
  self->context.loop->bumped = 1;
  bump(self, self->context.loop);
}

static void end_iteration(void) {
  kmpc_thread *self = solo_kmp_self();
  kmpc_loop *loop = self->context.loop;
  if (!self->context.in_slot || !loop->ordered) return;
  if (!loop->bumped) {
    wait_for_ordered_turn(self, loop);
    bump(self, loop);
  }
  loop->bumped = 0;
}

static uint64_t trip_count(uint64_t lower, uint64_t upper, int64_t step) {
  uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  uint64_t distance = step > 0 ? upper - lower : lower - upper;
  return stride ? distance / stride + 1 : 0;
}

void __kmpc_dispatch_deinit(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_dispatch_deinit(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
}

#define DEFINE(suffix, type, steptype)                                                             \
  void __kmpc_dispatch_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule, type lower,  \
                                     type upper, steptype step, steptype chunk);                   \
  SOLO_EXPORT void __kmpc_dispatch_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule,  \
                                                 type lower, type upper, steptype step,            \
                                                 steptype chunk) {                                 \
    (void)loc, (void)gtid;                                                                         \
    kmpc_thread *self = solo_kmp_self();                                                           \
    kmpc_loop *loop = self->context.loop;                                                          \
    int is_empty = step > 0 ? upper < lower : lower < upper;                                       \
    loop->lower = (uint64_t)lower;                                                                 \
    loop->step = step;                                                                             \
    loop->trip = is_empty ? 0 : trip_count((uint64_t)lower, (uint64_t)upper, step);                \
    begin_loop(self, loop, (wish){schedule, chunk});                                               \
  }                                                                                                \
                                                                                                   \
  void __kmpc_dist_dispatch_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule,         \
                                          int32_t *last, type lower, type upper, steptype step,    \
                                          steptype chunk);                                         \
  SOLO_EXPORT void __kmpc_dist_dispatch_init_##suffix(kmpc_ident *loc, int32_t gtid,               \
                                                      int32_t schedule, int32_t *last, type lower, \
                                                      type upper, steptype step, steptype chunk) { \
    steptype stride;                                                                               \
    __kmpc_for_static_init_##suffix(loc, gtid, KMPC_DISTRIBUTE_STATIC, last, &lower, &upper,       \
                                    &stride, step, 0);                                             \
    __kmpc_dispatch_init_##suffix(loc, gtid, schedule, lower, upper, step, chunk);                 \
  }                                                                                                \
                                                                                                   \
  int32_t __kmpc_dispatch_next_##suffix(kmpc_ident *loc, int32_t gtid, int32_t *last, type *lower, \
                                        type *upper, steptype *stride);                            \
  SOLO_EXPORT int32_t __kmpc_dispatch_next_##suffix(kmpc_ident *loc, int32_t gtid, int32_t *last,  \
                                                    type *lower, type *upper, steptype *stride) {  \
    (void)loc, (void)gtid;                                                                         \
    kmpc_thread *self = solo_kmp_self();                                                           \
    const kmpc_loop *loop = self->context.loop;                                                    \
    piece p;                                                                                       \
    if (!next(self, &p)) return 0;                                                                 \
    *lower = (type)(loop->lower + p.first * (uint64_t)loop->step);                                 \
    *upper = (type)(loop->lower + (p.first + p.count - 1) * (uint64_t)loop->step);                 \
    if (stride) *stride = (steptype)loop->step;                                                    \
    if (last && p.first + p.count == loop->trip) *last = 1;                                        \
    return 1;                                                                                      \
  }                                                                                                \
                                                                                                   \
  void __kmpc_dispatch_fini_##suffix(kmpc_ident *loc, int32_t gtid);                               \
  SOLO_EXPORT void __kmpc_dispatch_fini_##suffix(kmpc_ident *loc, int32_t gtid) {                  \
    (void)loc, (void)gtid;                                                                         \
    end_iteration();                                                                               \
  }

KMPC_LOOP_TYPES(DEFINE)
