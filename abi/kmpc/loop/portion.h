/* Divides iterations in advance, for static.c and team/league_libomp.c. One 64-bit version serves
 * four types: callers widen bounds and truncate results. Small numbers use the faster 32-bit
 * division. */
#ifndef SOLO_KMPC_PORTION_H
#define SOLO_KMPC_PORTION_H

#include "runtime/base/platform.h"

/* Input: the whole loop. Output: part `part` of `parts`. */
typedef struct kmpc_portion {
  uint64_t lower, upper; /* inclusive */
  int64_t stride;        /* distance to the next chunk of the same part */
  int32_t last;
} kmpc_portion;

typedef struct kmpc_division {
  uint64_t trip;
  int64_t step;
  uint32_t part, parts;
  uint64_t chunk; /* 0: one block per part */
} kmpc_division;

static uint64_t solo_loop_quotient(uint64_t a, uint64_t b) {
  if (SOLO_LIKELY(!((a | b) >> 32))) return (uint32_t)a / (uint32_t)b;
  return a / b;
}

SOLO_INLINE uint64_t solo_loop_share(uint64_t trip, uint32_t part, uint32_t parts,
                                     uint64_t *out_first) {
  uint64_t least, more;
  if (SOLO_LIKELY(trip <= UINT32_MAX)) {
    least = (uint32_t)trip / parts;
    more = (uint32_t)trip % parts;
  } else {
    least = trip / parts;
    more = trip % parts;
  }
  *out_first = least * part + (part < more ? part : more);
  return least + (part < more);
}

SOLO_INLINE void solo_loop_range(kmpc_portion *p, uint64_t trip, int64_t step, uint64_t first,
                                 uint64_t count) {
  p->stride = (int64_t)trip * step;
  p->last = count && first + count == trip;
  p->lower = count ? p->lower + first * (uint64_t)step : p->upper + (uint64_t)step;
  if (count) p->upper = p->lower + (count - 1) * (uint64_t)step;
}

SOLO_INLINE void solo_loop_block(kmpc_portion *p, uint64_t trip, int64_t step, uint32_t part,
                                 uint32_t parts) {
  uint64_t first, count = solo_loop_share(trip, part, parts, &first);
  solo_loop_range(p, trip, step, first, count);
}

/* Returns whether some threads of a league of `width` threads execute more teams than others. This
 * is relevant only if teams are few. */
enum { FEW_TEAMS_PER_THREAD = 64, MANY_ITERATIONS_PER_TEAM = 8 };
SOLO_INLINE int solo_loop_is_unbalanced(const kmpc_division *d, uint32_t width) {
  return d->parts > width && d->parts % width && d->parts / width < FEW_TEAMS_PER_THREAD &&
         d->trip / MANY_ITERATIONS_PER_TEAM >= d->parts;
}

/* Computes the iterations of a team. In an unbalanced league each thread executes an equal number
 * of iterations and divides them among its teams. The specification permits this without
 * dist_schedule. */
static void solo_loop_team_block(kmpc_portion *p, const kmpc_division *d, uint32_t width) {
  uint32_t number = d->part, own = d->parts;
  uint64_t begin = 0, first, count = d->trip;
  if (solo_loop_is_unbalanced(d, width)) {
    uint32_t more = own % width, thread = 0, in_longer;
    own /= width;
    in_longer = more * (own + 1);
    if (number < in_longer)
      own++;
    else
      number -= in_longer, thread = more;
    count = solo_loop_share(count, thread + number / own, width, &begin);
    number %= own;
  }
  count = solo_loop_share(count, number, own, &first);
  solo_loop_range(p, d->trip, d->step, begin + first, count);
}

/* Assigns chunks to parts in turn. The compiled loop adds the stride in its own type, so the stride
 * is limited to prevent overflow. */
static void solo_loop_divide_chunks(kmpc_portion *p, const kmpc_division *d) {
  uint64_t chunk = d->trip && d->trip < d->chunk ? d->trip : d->chunk;
  uint64_t span = chunk * (uint64_t)d->step;
  uint64_t rest = solo_loop_quotient(d->trip - 1, chunk);
  p->stride = (int64_t)(span * (rest < d->parts ? rest + 1 : d->parts));
  p->last = rest - solo_loop_quotient(rest, d->parts) * d->parts == d->part;
  if (d->part > rest) {
    p->lower = p->upper + (uint64_t)d->step;
    return;
  }
  p->lower += d->part * span;
  p->upper = p->lower + span - (uint64_t)d->step;
}

static uint64_t solo_loop_trip_count(uint64_t lower, uint64_t upper, int64_t step) {
  if (step == 1) return upper - lower + 1;
  if (step > 0) return solo_loop_quotient(upper - lower, (uint64_t)step) + 1;
  return solo_loop_quotient(lower - upper, (uint64_t)-step) + 1;
}

#define KMPC_IS_EMPTY(lower, upper, step) ((step) > 0 ? (upper) < (lower) : (lower) < (upper))

#endif
