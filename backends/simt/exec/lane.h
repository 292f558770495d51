/* Between translated device code and the executor: what a thread of the virtual GPU sees of itself,
 * and what it asks of the executor.
 *
 * Device code imports nothing. It finds its thread by the second word behind the gs base, which the
 * executor points to a simt_lane before it lets a thread go on; everything that involves another
 * thread, or the host, goes through the table that the lane names. device/ has the functions that
 * stand for a vendor's intrinsics; they are bitcode and are inlined into the kernels.
 *
 * Threads: a call works for the thread of the virtual GPU that is current on this host thread.
 */
#ifndef SIMT_LANE_H
#define SIMT_LANE_H

#include "runtime/image/simt.h"
#include <stdint.h>

/* What the threads of a warp do together. value is a thread's own operand, other a second one. */
typedef enum simt_kind {
  SIMT_SYNC,      /* nothing but meeting */
  SIMT_ACTIVE,    /* which lanes are here */
  SIMT_BALLOT,    /* lanes whose value is not 0 */
  SIMT_SHUFFLE,   /* the value of lane `other`; a lane that is not here: one's own */
  SIMT_PERMUTE,   /* the same, 0 from a lane that is not here */
  SIMT_FIRST,     /* the value of the lowest lane here */
  SIMT_MATCH_ANY, /* lanes of an equal value */
  SIMT_MATCH_ALL, /* all lanes if every value is equal, else 0 */
  SIMT_ADD_U32,   /* 32-bit reductions over the lanes here */
  SIMT_MIN_U32,
  SIMT_MAX_U32,
  SIMT_MIN_S32,
  SIMT_MAX_S32,
  SIMT_AND,
  SIMT_OR,
  SIMT_XOR,
} simt_kind;

/* Why a thread cannot go on. */
typedef enum simt_stop { SIMT_STOP_TRAP, SIMT_STOP_EXIT, SIMT_STOP_ASSERT } simt_stop;

/* A variable in shared memory: what LLVM's emulated TLS makes of it (control variable), with our
 * offset in place of its index. Aligned as LLVM says; offset is 0 until the executor places it. */
typedef struct simt_shared {
  uint64_t bytes, align;
  _Atomic uint64_t offset; /* one more than where it lies */
  const void *initial;
} simt_shared;

/* What simt_calls.access is told. */
enum {
  SIMT_WRITES = 1,
  SIMT_ATOMIC = 2,
  SIMT_ACQUIRES = 4, /* of an atomic operation's order */
  SIMT_RELEASES = 8,
  SIMT_FENCE = 16,   /* no access: a fence */
  SIMT_FORGETS = 32, /* no access: the memory is given out anew */
};

/* In a barrier's id: every thread of the block has to come, to the same place. */
enum { SIMT_ALIGNED = 0x100 };

typedef struct simt_assertion {
  const char *expression, *file, *function;
  uint32_t line;
} simt_assertion;

/* What the host computes for device code. */
typedef enum simt_function {
#define XX(name) SIMT_MATH_##name,
  SOLO_SIMT_FUNCTIONS_1(XX) SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
} simt_function;

typedef struct simt_calls {
  /* mask: the lanes that are waited for; 0: those that are here when no other can come. */
  uint64_t (*collect)(simt_kind kind, uint64_t mask, uint64_t value, uint64_t other);
  /* id: which barrier of the block; count: threads that it waits for, 0: all that have not ended */
  void (*barrier)(uint32_t id, uint32_t count);
  void (*yield)(void);
  /* used: how much of the image's shared variables is placed */
  void *(*shared)(simt_shared *variable, _Atomic uint64_t *used);
  void *(*allocate)(uint64_t bytes);
  void (*release)(void *address);
  int32_t (*print)(const char *format, const void *arguments);
  void (*stop)(simt_stop why, const simt_assertion *assertion); /* does not return */
  uint64_t (*clock_ns)(void);
  void (*access)(const void *address, uint64_t bytes, uint32_t flags);
  double (*math)(simt_function function, double x, double y); /* y: where it has two */
} simt_calls;

typedef struct simt_lane {
  const simt_calls *calls;
  uint32_t block[3], thread[3], blocks[3], threads[3];
  uint32_t lane, warp, warp_size;
  uint32_t patience;        /* atomic operations until others are let on */
  uint32_t place;           /* of what it does with its warp, in the order of the code */
  const char *shared_begin; /* of the block */
  uint64_t shared_bytes;
  char *dynamic_shared;
  uint32_t dynamic_bytes;
  const void *packet;   /* HSA: the dispatch packet */
  const void *implicit; /* HSA: the hidden arguments */
} simt_lane;

enum { SIMT_PATIENCE = 64 };

#endif
