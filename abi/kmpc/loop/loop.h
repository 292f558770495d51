/* Worksharing loops that threads take chunks of (dispatch_init/next/fini) and doacross loops.
 *
 * Iterations are counted from 0 in 64 bits whatever the loop's type is; chunks are numbered from 0.
 * The k-th such loop of a region uses slot k % KMPC_LOOP_SLOTS of the worker team's ring, so that threads
 * may be that many nowait loops apart. slot.turn is the number of the loop that may use it now:
 *
 *   FREE --first thread (cas)--> SETUP --> READY --last thread leaves--> FREE, turn += SLOTS
 */
#ifndef SOLO_KMPC_LOOP_H
#define SOLO_KMPC_LOOP_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_LOOP_SLOTS = 4 };
enum { KMPC_SLOT_FREE, KMPC_SLOT_SETUP, KMPC_SLOT_READY };

/* How chunks are handed out, once schedule clauses and ICVs are resolved. */
enum {
  KMPC_LOOP_NONE,   /* no iterations left for this thread */
  KMPC_LOOP_WHOLE,  /* everything at once: team of one */
  KMPC_LOOP_BLOCK,  /* one block per thread */
  KMPC_LOOP_STATIC, /* chunk i belongs to thread i % size */
  KMPC_LOOP_SHARED, /* one shared counter of chunks (monotonic) */
  KMPC_LOOP_GUIDED, /* one shared counter of iterations, shrinking chunks */
  KMPC_LOOP_STEAL,  /* a range of chunks per thread, halves stolen (nonmonotonic) */
  KMPC_LOOP_DONE,   /* STEAL, after the very last chunk */
};

typedef struct kmpc_loop_slot {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t next; /* SHARED: chunk; GUIDED: iteration */
  _Atomic uint32_t turn;
  _Atomic uint32_t state;
  _Atomic uint32_t left;                               /* threads that are through */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t over; /* iterations whose ordered part is over */
  _Atomic uint64_t *_Atomic flags; /* doacross: one bit per finished iteration */
} kmpc_loop_slot;

/* A thread's chunks (KMPC_LOOP_STEAL) or teams (team/league.c): begin in the low half, end in the high
 * half. Its thread takes from the front, others halve it from the back. A range never comes back
 * once it was cut (its first number has been taken), so a compare-and-swap against an old value
 * fails. Numbers only: all orders are relaxed, the construct's barriers order the work. */
typedef struct kmpc_loop_range {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic uint64_t span;
} kmpc_loop_range;

/* Deals 0 .. count - 1 out in blocks; nobody takes yet. */
SOLO_INLINE void solo_kmp_ranges_deal(kmpc_loop_range *ranges, int32_t size, uint64_t count) {
  uint64_t least = count / (uint64_t)size, more = count % (uint64_t)size, begin = 0;
  for (uint64_t i = 0; i < (uint64_t)size; i++) {
    uint64_t end = begin + least + (i < more);
    solo_store_relaxed(&ranges[i].span, end << 32 | begin); /* published by the caller */
    begin = end;
  }
}

/* The same block for thread tid alone, which does it itself; nothing is left in its range. */
SOLO_INLINE void solo_kmp_range_deal(kmpc_loop_range *ranges, int32_t size, int32_t tid,
                                     uint32_t count) {
  uint32_t least = count / (uint32_t)size, more = count % (uint32_t)size, number = (uint32_t)tid;
  uint64_t begin = least * number + (number < more ? number : more);
  uint64_t end = begin + least + (number < more);
  solo_store_relaxed(&ranges[tid].span, end << 32 | begin); /* numbers only */
}

/* Takes no more than most from the front; 0: nothing left. */
SOLO_INLINE int solo_kmp_range_take(kmpc_loop_range *own, uint32_t most, uint64_t *out_begin,
                                    uint64_t *out_end) {
  uint64_t span = solo_load_relaxed(&own->span), end; /* numbers only */
  do {
    *out_begin = (uint32_t)span;
    end = span >> 32;
    if (*out_begin >= end) return 0;
    *out_end = end - *out_begin < most ? end : *out_begin + most;
  } while (!solo_cas_relaxed(&own->span, &span, end << 32 | *out_end)); /* numbers only */
  return 1;
}

/* Takes the back half of another's range. */
SOLO_INLINE int solo_kmp_range_halve(kmpc_loop_range *range, uint64_t *out_begin,
                                     uint64_t *out_end) {
  uint64_t span = solo_load_relaxed(&range->span); /* numbers only */
  uint64_t begin, end, middle;
  do {
    begin = (uint32_t)span;
    end = span >> 32;
    if (begin >= end) return 0;
    middle = begin + (end - begin) / 2;
  } while (!solo_cas_relaxed(&range->span, &span, middle << 32 | begin)); /* numbers only */
  *out_begin = middle;
  *out_end = end;
  return 1;
}

/* Gives thread tid, whose range is empty, half of what is left of another thread's range; 0: all ranges are empty. */
SOLO_INLINE int solo_kmp_ranges_steal(kmpc_loop_range *ranges, int32_t size, int32_t tid) {
  uint64_t begin, end;
  for (int32_t i = 1; i < size; i++) {
    kmpc_loop_range *victim = &ranges[tid + i < size ? tid + i : tid + i - size];
    if (!solo_kmp_range_halve(victim, &begin, &end)) continue;
    solo_store_relaxed(&ranges[tid].span, end << 32 | begin); /* numbers only */
    return 1;
  }
  return 0;
}

/* A thread's side of the loop it is in. Uninitialised until dispatch_init or doacross_init. */
struct kmpc_loop {
  uint64_t lower; /* first value of the loop variable, as 64 bits */
  int64_t step;
  uint64_t trip;   /* iterations in all */
  uint64_t chunk;  /* iterations per chunk; GUIDED: least */
  uint64_t chunks; /* chunks in all */
  uint64_t mine;   /* STATIC: next own chunk */
  uint64_t first;  /* first iteration of the current chunk */
  kmpc_loop_slot *slot;
  kmpc_loop_range *ranges;
  int16_t kind;
  int16_t ordered; /* has an ordered clause */
  int32_t bumped;  /* end_ordered has counted this iteration already */
  int32_t victim;  /* the thread from which it stole last */
  /* doacross */
  int32_t cross_dimensions;
  struct kmpc_extent *extent; /* per dimension */
  kmpc_loop_slot *cross;
};

/* Waits until slot is the loop's with this number and set up. FIRST: this thread must set it up and
 * call solo_kmp_slot_ready. CANCELLED: others left the region and will never free the slot. */
enum { KMPC_ENTER_READY, KMPC_ENTER_FIRST, KMPC_ENTER_CANCELLED };
int solo_kmp_slot_enter(kmpc_thread *self, kmpc_loop_slot *slot, uint32_t number);
void solo_kmp_slot_ready(kmpc_thread *self, kmpc_loop_slot *slot);
/* The thread is through; returns 1 in the last one, which then calls solo_kmp_slot_free. */
int solo_kmp_slot_leave(kmpc_thread *self, kmpc_loop_slot *slot);
void solo_kmp_slot_free(kmpc_thread *self, kmpc_loop_slot *slot);

/* loop/dispatch.c: the thread leaves its dynamic loop, if it is in one (through, or cancelled). */
void solo_kmp_loop_leave(kmpc_thread *self);

#endif
