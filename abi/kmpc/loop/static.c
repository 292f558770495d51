/* Loops whose iterations are divided in advance: for, distribute and both at once.
 *
 * One body in 64 bits for four types: bounds are widened (sign or zero), the trip count is
 * computed modulo 2^64, results are truncated back. Divisions are done in 32 bits when they fit:
 * on common processors that is several times faster.
 */
#include "abi/kmpc/loop/schedule.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

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

/* How many of `trip` iterations are block `part` of `parts`, and the first of them: the first
 * trip % parts blocks get one more. */
SOLO_INLINE uint64_t share(uint64_t trip, uint32_t part, uint32_t parts, uint64_t *out_first) {
  uint64_t least, more;
  if (parts == 1) { /* loops in teams of one thread: no division */
    *out_first = 0;
    return trip;
  }
  if (SOLO_LIKELY(trip <= UINT32_MAX)) { /* one short division */
    least = (uint32_t)trip / parts;
    more = (uint32_t)trip % parts;
  } else {
    least = trip / parts;
    more = trip % parts;
  }
  *out_first = least * part + (part < more ? part : more);
  return least + (part < more);
}

/* One block per part; without iterations: an empty range on the right side of the loop. */
SOLO_INLINE void block(portion *p, uint64_t trip, int64_t step, uint32_t part, uint32_t parts) {
  uint64_t first, count = share(trip, part, parts, &first);
  p->stride = (int64_t)trip * step;
  p->last = count && first + count == trip;
  p->lower = count ? p->lower + first * (uint64_t)step : p->upper + (uint64_t)step;
  if (count) p->upper = p->lower + (count - 1) * (uint64_t)step;
}

/* Chunks dealt out in turn; the compiler's loop steps by stride and clips at the end. It does so in
 * the loop's type: a huge chunk is cut to the loop, and nobody's first chunk or stride goes farther
 * beyond the end than it must. */
static void deal(portion *p, const divide *d) {
  uint64_t chunk = d->trip && d->trip < d->chunk ? d->trip : d->chunk;
  uint64_t span = chunk * (uint64_t)d->step;
  uint64_t rest = quotient(d->trip - 1, chunk); /* chunks after the first */
  p->stride = (int64_t)(span * (rest < d->parts ? rest + 1 : d->parts));
  p->last = rest - quotient(rest, d->parts) * d->parts == d->part;
  if (d->part > rest) { /* none for this part */
    p->lower = p->upper + (uint64_t)d->step;
    return;
  }
  p->lower += d->part * span;
  p->upper = p->lower + span - (uint64_t)d->step;
}

static uint64_t trip_count(uint64_t lower, uint64_t upper, int64_t step) {
  if (step == 1) return upper - lower + 1;
  if (step > 0) return quotient(upper - lower, (uint64_t)step) + 1;
  return quotient(lower - upper, (uint64_t)-step) + 1;
}

/* Which part of how many the thread takes under this kind of schedule. */
SOLO_INLINE uint32_t parts_of(int32_t kind, uint32_t *out_part) {
  kmpc_thread *self = solo_kmp_self();
  const kmpc_team *team = self->context.team;
  self->context.works++; /* the same in all of the team: it has the same loop */
  if (SOLO_LIKELY(kind < KMPC_DISTRIBUTE_FIRST || kind > KMPC_DISTRIBUTE_LAST)) {
    *out_part = (uint32_t)self->context.tid;
    return (uint32_t)team->size;
  }
  const kmpc_league *league = team->league;
  *out_part = league ? (uint32_t)league->team : 0;
  return league ? (uint32_t)league->teams : 1;
}

static int is_chunked(int32_t schedule) {
  return schedule == KMPC_STATIC_CHUNKED || schedule == KMPC_ORDERED_STATIC_CHUNKED ||
         schedule == KMPC_DISTRIBUTE_CHUNKED;
}

static void divide_loop(portion *p, int64_t step, int32_t kind, int64_t chunk) {
  divide d = {.trip = trip_count(p->lower, p->upper, step), .step = step};
  d.parts = parts_of(kind, &d.part);
  if (kind == KMPC_STATIC_BALANCED_CHUNKED) { /* simd: blocks that are multiples of chunk */
    uint64_t least = quotient(d.trip + d.parts - 1, d.parts);
    uint64_t unit = chunk > 1 ? (uint64_t)chunk : 1;
    d.chunk = quotient(least + unit - 1, unit) * unit;
    uint64_t end = p->upper;
    deal(p, &d);
    uint64_t from = d.chunk * d.part;
    if (from >= d.trip)
      p->lower = (p->upper = end) + (uint64_t)d.step;
    else if (d.trip - from <= d.chunk)
      p->upper = end;
    p->last = from < d.trip && d.trip - from <= d.chunk;
    return;
  }
  d.chunk = is_chunked(kind) ? (chunk > 0 ? (uint64_t)chunk : 1) : 0;
  if (d.chunk)
    deal(p, &d);
  else
    block(p, d.trip, step, d.part, d.parts);
}

SOLO_INLINE int is_block(int32_t kind) {
  return kind == KMPC_STATIC || kind == KMPC_DISTRIBUTE_STATIC;
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
    int32_t kind = KMPC_SCHEDULE_KIND(schedule);                                                   \
    uint32_t part;                                                                                 \
    portion p = {.lower = (uint64_t)*lower, .upper = (uint64_t)*upper};                            \
    if (SOLO_LIKELY(is_block(kind))) {                                                             \
      uint32_t parts = parts_of(kind, &part);                                                      \
      if (parts == 1) { /* teams and regions of one are frequent: they have it all */              \
        if (last) *last = 1;                                                                       \
        *stride = (steptype)(p.upper - p.lower + (uint64_t)step);                                  \
        return;                                                                                    \
      }                                                                                            \
      block(&p, trip_count(p.lower, p.upper, step), step, part, parts);                            \
    } else {                                                                                       \
      divide_loop(&p, step, kind, chunk);                                                          \
    }                                                                                              \
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
