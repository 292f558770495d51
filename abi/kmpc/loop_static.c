/* Loops whose iterations are divided in advance: for, distribute and both at once.
 *
 * One body in 64 bits for four types: bounds are widened (sign or zero), the trip count is
 * computed modulo 2^64, results are truncated back. Divisions are done in 32 bits when they fit:
 * on common processors that is several times faster.
 */
#include "abi/kmpc/crew.h"
#include "abi/kmpc/schedule.h"

/* A loop as it comes and as it goes: the part of one of `parts`, number `part`. */
typedef struct portion {
  uint64_t lower, upper; /* inclusive; widened */
  int64_t stride;        /* to this part's next chunk */
  int32_t last;
} portion;

typedef struct divide {
  uint64_t trip;
  int64_t step;
  uint32_t part, parts;
  uint64_t chunk; /* 0: one block per part */
} divide;

static uint64_t quotient(uint64_t a, uint64_t b) {
  if (SOLO_LIKELY(!((a | b) >> 32))) return (uint32_t)a / (uint32_t)b;
  return a / b;
}

/* One block per part: the first trip % parts parts get one more. */
static void block(portion *p, const divide *d) {
  uint64_t least = quotient(d->trip, d->parts);
  uint64_t more = d->trip - least * d->parts;
  uint64_t first = least * d->part + (d->part < more ? d->part : more);
  uint64_t count = least + (d->part < more);
  p->stride = (int64_t)d->trip * d->step;
  if (count == 0) { /* nothing: an empty range on the right side of the loop */
    p->lower = p->upper + (uint64_t)d->step;
    p->last = 0;
    return;
  }
  p->last = first + count == d->trip;
  uint64_t lower = p->lower + first * (uint64_t)d->step;
  p->upper = lower + (count - 1) * (uint64_t)d->step;
  p->lower = lower;
}

/* Chunks dealt out in turn; the compiler's loop steps by stride and clips at the end. */
static void deal(portion *p, const divide *d) {
  uint64_t span = d->chunk * (uint64_t)d->step;
  p->stride = (int64_t)(span * d->parts);
  p->lower += d->part * span;
  p->upper = p->lower + span - (uint64_t)d->step;
  uint64_t chunks = quotient(d->trip - 1, d->chunk);
  p->last = chunks - quotient(chunks, d->parts) * d->parts == d->part;
}

static uint64_t trip_count(uint64_t lower, uint64_t upper, int64_t step) {
  if (step == 1) return upper - lower + 1;
  if (step > 0) return quotient(upper - lower, (uint64_t)step) + 1;
  return quotient(lower - upper, (uint64_t)-step) + 1;
}

/* Which part of how many the thread takes under this schedule. */
static void parts_of(divide *d, int32_t schedule) {
  const kmpc_thread *self = solo_kmp_self();
  const kmpc_team *team = self->now.team;
  if (schedule >= KMPC_DISTRIBUTE_FIRST && schedule <= KMPC_DISTRIBUTE_LAST) {
    const kmpc_league *league = team->league;
    d->part = league ? (uint32_t)league->team : 0;
    d->parts = league ? (uint32_t)league->teams : 1;
    return;
  }
  d->part = (uint32_t)self->now.tid;
  d->parts = (uint32_t)team->size;
}

static int is_chunked(int32_t schedule) {
  return schedule == KMPC_STATIC_CHUNKED || schedule == KMPC_ORDERED_STATIC_CHUNKED ||
         schedule == KMPC_DISTRIBUTE_CHUNKED;
}

static void divide_loop(portion *p, divide *d, int32_t schedule, int64_t chunk) {
  schedule = KMPC_SCHEDULE_KIND(schedule);
  parts_of(d, schedule);
  d->trip = trip_count(p->lower, p->upper, d->step);
  if (schedule == KMPC_STATIC_BALANCED_CHUNKED) { /* simd: blocks that are multiples of chunk */
    uint64_t least = quotient(d->trip + d->parts - 1, d->parts);
    uint64_t unit = chunk > 1 ? (uint64_t)chunk : 1;
    d->chunk = quotient(least + unit - 1, unit) * unit;
    uint64_t end = p->upper;
    deal(p, d);
    uint64_t from = d->chunk * d->part;
    if (from >= d->trip)
      p->lower = (p->upper = end) + (uint64_t)d->step;
    else if (d->trip - from <= d->chunk)
      p->upper = end;
    p->last = from < d->trip && d->trip - from <= d->chunk;
    return;
  }
  d->chunk = is_chunked(schedule) ? (chunk > 0 ? (uint64_t)chunk : 1) : 0;
  if (d->chunk)
    deal(p, d);
  else
    block(p, d);
}

#define IS_EMPTY(lower, upper, step) ((step) > 0 ? (upper) < (lower) : (lower) < (upper))

#define DEFINE(suffix, type, steptype)                                                             \
  SOLO_EXPORT void __kmpc_for_static_init_##suffix(                                                \
      kmpc_ident *loc, int32_t gtid, int32_t schedule, int32_t *last, type *lower, type *upper,    \
      steptype *stride, steptype step, steptype chunk) {                                           \
    (void)loc, (void)gtid;                                                                         \
    if (IS_EMPTY(*lower, *upper, step)) {                                                          \
      if (last) *last = 0;                                                                         \
      *stride = step;                                                                              \
      return;                                                                                      \
    }                                                                                              \
    portion p = {.lower = (uint64_t)*lower, .upper = (uint64_t)*upper};                            \
    divide d = {.step = step};                                                                     \
    divide_loop(&p, &d, schedule, chunk);                                                          \
    if (last) *last = p.last;                                                                      \
    *lower = (type)p.lower;                                                                        \
    *upper = (type)p.upper;                                                                        \
    *stride = (steptype)p.stride;                                                                  \
  }                                                                                                \
                                                                                                   \
  /* distribute parallel for: the team's block of the whole, then the thread's part of it */       \
  void __kmpc_dist_for_static_init_##suffix(                                                       \
      kmpc_ident *loc, int32_t gtid, int32_t schedule, int32_t *last, type *lower, type *upper,    \
      type *team_upper, steptype *stride, steptype step, steptype chunk);                          \
  SOLO_EXPORT void __kmpc_dist_for_static_init_##suffix(                                           \
      kmpc_ident *loc, int32_t gtid, int32_t schedule, int32_t *last, type *lower, type *upper,    \
      type *team_upper, steptype *stride, steptype step, steptype chunk) {                         \
    int32_t last_team = 0, last_thread = 0;                                                        \
    __kmpc_for_static_init_##suffix(loc, gtid, KMPC_DISTRIBUTE_STATIC, &last_team, lower, upper,   \
                                    stride, step, 0);                                              \
    *team_upper = *upper;                                                                          \
    __kmpc_for_static_init_##suffix(loc, gtid, schedule, &last_thread, lower, upper, stride, step, \
                                    chunk);                                                        \
    if (last) *last = last_team && last_thread;                                                    \
  }                                                                                                \
                                                                                                   \
  /* dist_schedule(static, chunk): the team's first chunk and its stride */                        \
  void __kmpc_team_static_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t *last, type *lower, \
                                        type *upper, steptype *stride, steptype step,              \
                                        steptype chunk);                                           \
  SOLO_EXPORT void __kmpc_team_static_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t *last,  \
                                                    type *lower, type *upper, steptype *stride,    \
                                                    steptype step, steptype chunk) {               \
    __kmpc_for_static_init_##suffix(loc, gtid, KMPC_DISTRIBUTE_CHUNKED, last, lower, upper,        \
                                    stride, step, chunk);                                          \
  }

KMPC_LOOP_TYPES(DEFINE)

void __kmpc_for_static_fini(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_for_static_fini(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
}
