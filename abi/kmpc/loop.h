/* Worksharing loops that threads take chunks of (dispatch_init/next/fini) and doacross loops.
 *
 * Iterations are counted from 0 in 64 bits whatever the loop's type is; chunks are numbered from 0.
 * The k-th such loop of a region uses slot k % KMPC_LOOP_SLOTS of the crew's ring, so that threads
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
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t next; /* SHARED: chunk; GUIDED: iteration */
  _Atomic uint32_t turn;
  _Atomic uint32_t state;
  _Atomic uint32_t left;                               /* threads that are through */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t over; /* iterations whose ordered part is over */
  _Atomic uint64_t *_Atomic flags; /* doacross: one bit per finished iteration */
} kmpc_loop_slot;

/* KMPC_LOOP_STEAL: a thread's chunks, begin in the low half and end in the high half. */
typedef struct kmpc_loop_range {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t span;
} kmpc_loop_range;

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
  int32_t victim;  /* from whom it stole last */
  /* doacross */
  int32_t cross_dimensions;
  struct kmpc_extent *extent; /* per dimension */
  kmpc_loop_slot *cross;
};

/* Waits until slot is the loop's with this number and set it up; the thread that must do the setup
 * gets 1 and calls solo_kmp_slot_ready when it has. */
int solo_kmp_slot_enter(kmpc_thread *self, kmpc_loop_slot *slot, uint32_t number);
void solo_kmp_slot_ready(kmpc_thread *self, kmpc_loop_slot *slot);
/* The thread is through; returns 1 in the last one, which then calls solo_kmp_slot_free. */
int solo_kmp_slot_leave(kmpc_thread *self, kmpc_loop_slot *slot);
void solo_kmp_slot_free(kmpc_thread *self, kmpc_loop_slot *slot);

#endif
