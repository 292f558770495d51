/* The device runtime's interface to loops, for kernels that flang compiles for the CPU: iterations
 * 0 .. count - 1 of a loop are calls of its body.
 *
 * Forms (seen in flang-22's output): `for` divides among the team's threads, `distribute` among the
 * teams of the league, `distribute_for` among both. Chunk 0: one block each. Flang lets a call of
 * `for` stand for the whole construct and adds no barrier behind it (nor says whether there was
 * nowait); so it has one here: the construct that follows may need the loop's results.
 */
#include "abi/kmpc/fortran/device.h"
#include "abi/kmpc/loop/schedule.h"

/* What one of `parts` does of iterations 0 .. limit - 1: `length` of them from `next`, and so on
 * every `stride`. */
typedef struct deal {
  uint64_t next, limit, length, stride;
} deal;

/* Block `part`; the first count % parts get one more. */
static uint64_t block_begin(uint64_t count, uint64_t part, uint64_t parts) {
  uint64_t least = count / parts, more = count % parts;
  return least * part + (part < more ? part : more);
}

static deal deal_of(uint64_t count, uint64_t chunk, uint64_t part, uint64_t parts) {
  deal d = {.limit = count, .length = chunk};
  if (!chunk) {
    d.next = block_begin(count, part, parts);
    d.limit = block_begin(count, part + 1, parts);
    d.length = d.stride = d.limit - d.next;
  } else if (part && chunk > count / part) {
    d.next = count; /* the other parts have all iterations; part * chunk might overflow */
  } else {
    d.next = part * chunk;
    d.stride = chunk > count / parts ? count : parts * chunk;
  }
  return d;
}

static deal deal_for(uint64_t count, uint64_t chunk, solo_device_part part) {
  return deal_of(count, chunk, part.part, part.parts);
}

/* The next iterations, begin .. end - 1; 0: that was all. */
static int deal_next(deal *d, uint64_t *begin, uint64_t *end) {
  if (d->next >= d->limit) return 0;
  uint64_t left = d->limit - d->next;
  *begin = d->next;
  *end = left > d->length ? d->next + d->length : d->limit;
  d->next = left > d->stride ? d->next + d->stride : d->limit;
  return 1;
}

/* The types say 4u and 8u only where flang-22 does; signed ones are of the same family. `threads`
 * and `once` (no more iterations than threads) describe GPUs. */
#define DEFINE(suffix, type, unused)                                                               \
  typedef void (*body_##suffix)(type iteration, void *argument);                                   \
                                                                                                   \
  static void run_##suffix(deal d, uint64_t base, body_##suffix body, void *argument) {            \
    for (uint64_t begin, end; deal_next(&d, &begin, &end);)                                        \
      for (type i = (type)(base + begin), last = (type)(base + end); i < last; i++)                \
        body(i, argument);                                                                         \
  }                                                                                                \
                                                                                                   \
  SOLO_DEVICE_ENTRY void __kmpc_for_static_loop_##suffix(                                          \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type threads,        \
      type chunk, uint8_t once);                                                                   \
  SOLO_DEVICE_ENTRY void __kmpc_for_static_loop_##suffix(                                          \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type threads,        \
      type chunk, uint8_t once) {                                                                  \
    (void)threads, (void)once;                                                                     \
    if (count > 0)                                                                                 \
      run_##suffix(deal_for((uint64_t)count, (uint64_t)chunk, solo_device_thread()), 0, body,      \
                   argument);                                                                      \
    solo_device_barrier(loc);                                                                      \
  }                                                                                                \
                                                                                                   \
  SOLO_DEVICE_ENTRY void __kmpc_distribute_static_loop_##suffix(                                   \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type chunk,          \
      uint8_t once);                                                                               \
  SOLO_DEVICE_ENTRY void __kmpc_distribute_static_loop_##suffix(                                   \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type chunk,          \
      uint8_t once) {                                                                              \
    (void)loc, (void)once;                                                                         \
    if (count > 0)                                                                                 \
      run_##suffix(deal_for((uint64_t)count, (uint64_t)chunk, solo_device_team()), 0, body,        \
                   argument);                                                                      \
  }                                                                                                \
                                                                                                   \
  SOLO_DEVICE_ENTRY void __kmpc_distribute_for_static_loop_##suffix(                               \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type threads,        \
      type team_chunk, type chunk, uint8_t once);                                                  \
  SOLO_DEVICE_ENTRY void __kmpc_distribute_for_static_loop_##suffix(                               \
      struct kmpc_ident *loc, body_##suffix body, void *argument, type count, type threads,        \
      type team_chunk, type chunk, uint8_t once) {                                                 \
    (void)loc, (void)threads, (void)once;                                                          \
    if (!(count > 0)) return;                                                                      \
    deal teams = deal_for((uint64_t)count, (uint64_t)team_chunk, solo_device_team());              \
    const solo_device_part thread = solo_device_thread();                                          \
    for (uint64_t begin, end; deal_next(&teams, &begin, &end);)                                    \
      run_##suffix(deal_for(end - begin, (uint64_t)chunk, thread), begin, body, argument);         \
  }

KMPC_LOOP_TYPES(DEFINE)
