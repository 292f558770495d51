/* Worksharing loops that threads take chunks of (dispatch_init/next/fini) and doacross loops.
 *
 * Iterations are counted from 0 in 64 bits whatever the loop's type is; chunks are numbered from 0.
 * A loop instance of a team uses slot (instance % KMPC_LOOP_SLOTS) of the crew's ring, so that
 * threads may be that many nowait loops apart.
 *
 *   slot.turn  = instance that may use it now; the first thread of the team to come takes
 *   FREE --cas--> SETUP --> READY --last thread leaves--> FREE with turn + KMPC_LOOP_SLOTS
 */
#ifndef SOLO_KMPC_LOOP_H
#define SOLO_KMPC_LOOP_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_LOOP_SLOTS = 4 };
enum { KMPC_SLOT_FREE, KMPC_SLOT_SETUP, KMPC_SLOT_READY };

/* How chunks are handed out, once schedule clauses and ICVs are resolved. */
enum {
  KMPC_LOOP_NONE,
  KMPC_LOOP_WHOLE,  /* team of one: everything at once */
  KMPC_LOOP_STATIC, /* chunk i belongs to thread i % size */
  KMPC_LOOP_SHARED, /* one shared counter of chunks (monotonic) */
  KMPC_LOOP_GUIDED, /* one shared counter of iterations, shrinking chunks */
  KMPC_LOOP_STEAL,  /* a range of chunks per thread, halves stolen (nonmonotonic) */
};

typedef struct kmpc_loop_slot {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t next; /* SHARED: chunk; GUIDED: iteration */
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint32_t turn;
  _Atomic uint32_t state;
  _Atomic uint32_t left;           /* threads that are through */
  _Atomic uint32_t waiters_word;   /* unused by now: keeps the line's layout plain */
  _Atomic uint64_t ordered;        /* iterations whose ordered part is over */
  _Atomic uint64_t *_Atomic flags; /* doacross: one bit per finished iteration */
} kmpc_loop_slot;

/* KMPC_LOOP_STEAL: a thread's chunks, begin in the low half and end in the high half. */
typedef struct kmpc_loop_range {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t span;
} kmpc_loop_range;

/* A thread's side of the loop it is in. Uninitialised until dispatch_init. */
struct kmpc_loop {
  uint64_t lower; /* first value of the loop variable, as 64 bits */
  int64_t step;
  uint64_t trip;   /* iterations in all */
  uint64_t chunk;  /* iterations per chunk; GUIDED: least */
  uint64_t chunks; /* chunks in all */
  uint64_t mine;   /* STATIC: next own chunk */
  uint64_t first;  /* first iteration of the current chunk (ordered) */
  kmpc_loop_slot *slot;
  int32_t kind;
  int32_t ordered; /* ordered clause */
  int32_t bumped;  /* end_ordered already counted this iteration */
  int32_t victim;
  /* doacross */
  struct kmpc_dimension *dimensions;
  kmpc_loop_slot *cross;
  int32_t dimension_count;
};

#endif
