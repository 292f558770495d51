/* Loops of flang kernels on the CPU: `for` divides iterations among threads, `distribute` among
 * teams, `distribute_for` among both. With chunk 0 each part is one block. `for` ends with a
 * barrier, because flang emits no barrier and passes no nowait flag. */
#include "abi/kmpc/fortran/device.h"
#include "abi/kmpc/loop/schedule.h"

/* Blocks of `length` iterations, which begin at `next`, next + stride, ..., below `limit`. */
typedef struct deal {
  uint64_t next, limit, length, stride;
} deal;

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
    d.next = count; /* no iterations; avoids overflow */
  } else {
    d.next = part * chunk;
    d.stride = chunk > count / parts ? count : parts * chunk;
  }
  return d;
}

static deal deal_for(uint64_t count, uint64_t chunk, solo_device_part part) {
  return deal_of(count, chunk, part.part, part.parts);
}

static int deal_next(deal *d, uint64_t *begin, uint64_t *end) {
  if (d->next >= d->limit) return 0;
  uint64_t left = d->limit - d->next;
  *begin = d->next;
  *end = left > d->length ? d->next + d->length : d->limit;
  d->next = left > d->stride ? d->next + d->stride : d->limit;
  return 1;
}

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
