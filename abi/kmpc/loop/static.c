#include "abi/kmpc/loop/portion.h"
#include "abi/kmpc/loop/schedule.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

SOLO_INLINE uint32_t parts_of(int32_t kind, uint32_t *out_part) {
  kmpc_thread *self = solo_kmp_self();
  const kmpc_team *team = self->context.team;
  self->context.works++; /* for cancellation: the same number in all threads */
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

static uint32_t width_of_league(void) {
  const kmpc_league *league = solo_kmp_self()->context.team->league;
  return league ? (uint32_t)league->width : 1;
}

static void divide_loop(kmpc_portion *p, kmpc_division d, int32_t kind, int64_t chunk) {
  d.trip = solo_loop_trip_count(p->lower, p->upper, d.step);
  /* schedule(simd: static): block sizes are multiples of chunk */
  if (kind == KMPC_STATIC_BALANCED_CHUNKED) {
    uint64_t least = solo_loop_quotient(d.trip + d.parts - 1, d.parts);
    uint64_t unit = chunk > 1 ? (uint64_t)chunk : 1;
    d.chunk = solo_loop_quotient(least + unit - 1, unit) * unit;
    uint64_t end = p->upper;
    solo_loop_divide_chunks(p, &d);
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
    solo_loop_divide_chunks(p, &d);
  else
    solo_loop_team_block(p, &d, kind == KMPC_DISTRIBUTE_STATIC ? width_of_league() : 1);
}

#define DEFINE(suffix, type, steptype)                                                             \
  SOLO_EXPORT void __kmpc_for_static_init_##suffix(                                                \
      kmpc_ident *loc, int32_t gtid, int32_t schedule, int32_t *last, type *lower, type *upper,    \
      steptype *stride, steptype step, steptype chunk) {                                           \
    (void)loc, (void)gtid;                                                                         \
    if (KMPC_IS_EMPTY(*lower, *upper, step)) {                                                     \
      if (last) *last = 0;                                                                         \
      *stride = step;                                                                              \
      return;                                                                                      \
    }                                                                                              \
    int32_t kind = KMPC_SCHEDULE_KIND(schedule);                                                   \
    kmpc_division d = {.step = step};                                                              \
    kmpc_portion p = {.lower = (uint64_t)*lower, .upper = (uint64_t)*upper};                       \
    d.parts = parts_of(kind, &d.part);                                                             \
    if (d.parts == 1) {                                                                            \
      if (last) *last = 1;                                                                         \
      *stride = (steptype)(p.upper - p.lower + (uint64_t)step);                                    \
      return;                                                                                      \
    }                                                                                              \
    if (SOLO_LIKELY(kind == KMPC_STATIC))                                                          \
      solo_loop_block(&p, solo_loop_trip_count(p.lower, p.upper, step), step, d.part, d.parts);    \
    else                                                                                           \
      divide_loop(&p, d, kind, chunk);                                                             \
    if (last) *last = p.last;                                                                      \
    *lower = (type)p.lower;                                                                        \
    *upper = (type)p.upper;                                                                        \
    *stride = (steptype)p.stride;                                                                  \
  }                                                                                                \
                                                                                                   \
  /* distribute parallel for: first the team's block, then the thread's part of it */              \
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
  /* dist_schedule(static, chunk) */                                                               \
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
