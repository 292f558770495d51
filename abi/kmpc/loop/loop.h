/* Dynamic and doacross loops. Iterations and chunks have 64-bit numbers from 0. Loop k of a region
 * uses slot k % KMPC_LOOP_SLOTS (docs/design/host-threads.md).
 *
 *   FREE --first thread--> SETUP --> READY --last thread leaves--> FREE, turn += KMPC_LOOP_SLOTS
 *
 * Invariant: only threads of loop number `turn` use the slot.
 */
#ifndef SOLO_KMPC_LOOP_H
#define SOLO_KMPC_LOOP_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_LOOP_SLOTS = 4 };
enum { KMPC_SLOT_FREE, KMPC_SLOT_SETUP, KMPC_SLOT_READY };

enum {
  KMPC_LOOP_NONE,
  KMPC_LOOP_WHOLE,
  KMPC_LOOP_BLOCK,  /* one block per thread */
  KMPC_LOOP_STATIC, /* chunk i belongs to thread i % size */
  KMPC_LOOP_SHARED, /* shared counter of chunks, for monotonic loops */
  KMPC_LOOP_GUIDED, /* shared counter of iterations; chunks become smaller */
  KMPC_LOOP_STEAL,  /* a range of chunks per thread; thieves remove halves (nonmonotonic) */
  KMPC_LOOP_DONE,   /* state of a STEAL loop after the last chunk */
};

typedef struct kmpc_loop_slot {
  /* SHARED: next chunk; GUIDED: next iteration */
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t next;
  _Atomic uint32_t turn;
  _Atomic uint32_t state;
  _Atomic uint32_t left;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t over;
  _Atomic uint64_t *_Atomic flags;
} kmpc_loop_slot;

/* The numbers of a thread's chunks or teams. The low half of `span` is the begin, the high half the
 * end. The owner removes numbers from the front; a thief removes the back half. Relaxed: the
 * construct's barriers order the work.
 * Invariant: only the owner stores to an empty range, and `span` is the whole state. Therefore a
 *            successful exchange of `span` is valid, and each number is removed once.
 */
typedef struct kmpc_loop_range {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t span;
} kmpc_loop_range;

/* Divides the numbers below `count` among the ranges. Called before other threads use the ranges. */
SOLO_INLINE void solo_kmp_ranges_divide(kmpc_loop_range *ranges, int32_t size, uint64_t count) {
  uint64_t least = count / (uint64_t)size, more = count % (uint64_t)size, begin = 0;
  for (uint64_t i = 0; i < (uint64_t)size; i++) {
    uint64_t end = begin + least + (i < more);
    solo_store_relaxed(&ranges[i].span, end << 32 | begin); /* relaxed: the caller publishes */
    begin = end;
  }
}

SOLO_INLINE void solo_kmp_range_fill_own(kmpc_loop_range *ranges, int32_t size, int32_t tid,
                                         uint32_t count) {
  uint32_t least = count / (uint32_t)size, more = count % (uint32_t)size, number = (uint32_t)tid;
  uint64_t begin = least * number + (number < more ? number : more);
  uint64_t end = begin + least + (number < more);
  solo_store_relaxed(&ranges[tid].span, end << 32 | begin);
}

/* Removes up to `most` numbers from the front. Returns 0 if the range is empty. */
SOLO_INLINE int solo_kmp_range_reserve(kmpc_loop_range *own, uint32_t most, uint64_t *out_begin,
                                       uint64_t *out_end) {
  uint64_t span = solo_load_relaxed(&own->span), end;
  do {
    *out_begin = (uint32_t)span;
    end = span >> 32;
    if (*out_begin >= end) return 0;
    *out_end = end - *out_begin < most ? end : *out_begin + most;
    /* relaxed: see kmpc_loop_range */
  } while (!solo_cas_relaxed(&own->span, &span, end << 32 | *out_end));
  return 1;
}

SOLO_INLINE int solo_kmp_range_steal_half(kmpc_loop_range *range, uint64_t *out_begin,
                                          uint64_t *out_end) {
  uint64_t span = solo_load_relaxed(&range->span);
  uint64_t begin, end, middle;
  do {
    begin = (uint32_t)span;
    end = span >> 32;
    if (begin >= end) return 0;
    middle = begin + (end - begin) / 2;
    /* relaxed: see kmpc_loop_range */
  } while (!solo_cas_relaxed(&range->span, &span, middle << 32 | begin));
  *out_begin = middle;
  *out_end = end;
  return 1;
}

/* Moves half of another range to the empty range of thread tid. Returns 0 if all ranges are empty. */
SOLO_INLINE int solo_kmp_ranges_steal(kmpc_loop_range *ranges, int32_t size, int32_t tid) {
  uint64_t begin, end;
  for (int32_t i = 1; i < size; i++) {
    kmpc_loop_range *victim = &ranges[tid + i < size ? tid + i : tid + i - size];
    if (!solo_kmp_range_steal_half(victim, &begin, &end)) continue;
    solo_store_relaxed(&ranges[tid].span, end << 32 | begin);
    return 1;
  }
  return 0;
}

struct kmpc_loop {
  uint64_t lower;
  int64_t step;
  uint64_t trip;
  uint64_t chunk; /* iterations per chunk; GUIDED: minimum */
  uint64_t chunks;
  uint64_t own_chunk; /* STATIC: the thread's next chunk */
  uint64_t first;
  kmpc_loop_slot *slot;
  kmpc_loop_range *ranges;
  int16_t kind;
  int16_t ordered;
  int32_t bumped; /* 1: __kmpc_end_ordered has already counted this iteration in slot->over */
  int32_t victim;
  int32_t cross_dimensions;
  struct kmpc_extent *extent;
  kmpc_loop_slot *cross;
  /* only abi/gomp: iterations of the current chunk of an ordered loop; direction of the loop */
  uint64_t reserved;
  int32_t past;
};

/* Waits until the slot belongs to loop `number`. FIRST: the caller initialises the slot and calls
 * solo_kmp_slot_ready(). CANCELLED: the region is cancelled, and the slot may never become free. */
enum { KMPC_ENTER_READY, KMPC_ENTER_FIRST, KMPC_ENTER_CANCELLED };
int solo_kmp_slot_enter(kmpc_thread *self, kmpc_loop_slot *slot, uint32_t number);
void solo_kmp_slot_ready(kmpc_thread *self, kmpc_loop_slot *slot);
/* Returns 1 to the last thread, which must call solo_kmp_slot_free(). */
int solo_kmp_slot_leave(kmpc_thread *self, kmpc_loop_slot *slot);
void solo_kmp_slot_free(kmpc_thread *self, kmpc_loop_slot *slot);

void solo_kmp_loop_leave(kmpc_thread *self);

#endif
