/* The interface between device code and the executor. Device code imports no symbols. The word at
 * the gs base plus 8 is the address of the thread's simt_lane. */
#ifndef SIMT_LANE_H
#define SIMT_LANE_H

#include "runtime/image/simt.h"
#include <stdint.h>

typedef enum simt_kind {
  SIMT_SYNC,
  SIMT_ACTIVE,    /* mask of participants */
  SIMT_BALLOT,    /* lanes with a nonzero value */
  SIMT_SHUFFLE,   /* value of lane `other`; own value if that lane does not participate */
  SIMT_PERMUTE,   /* value of lane `other`; 0 if that lane does not participate */
  SIMT_FIRST,     /* value of the lowest lane */
  SIMT_MATCH_ANY, /* lanes with an equal value */
  SIMT_MATCH_ALL, /* all lanes if all values are equal, else 0 */
  SIMT_ADD_U32,
  SIMT_MIN_U32,
  SIMT_MAX_U32,
  SIMT_MIN_S32,
  SIMT_MAX_S32,
  SIMT_AND,
  SIMT_OR,
  SIMT_XOR,
} simt_kind;

typedef enum simt_stop { SIMT_STOP_TRAP, SIMT_STOP_EXIT, SIMT_STOP_ASSERT } simt_stop;

/* A shared variable, compiled as LLVM's emulated TLS. `offset` replaces LLVM's member `index`. */
typedef struct simt_shared {
  uint64_t bytes, align;
  _Atomic uint64_t offset; /* offset in shared memory plus 1; 0: not allocated */
  const void *initial;
} simt_shared;

/* Flags of simt_calls.access. */
enum {
  SIMT_WRITES = 1,
  SIMT_ATOMIC = 2,
  SIMT_ACQUIRES = 4, /* memory order of an atomic operation */
  SIMT_RELEASES = 8,
  SIMT_FENCE = 16,
  SIMT_CLEARS = 32, /* no access: the memory has a new owner, so its records are cleared */
};

/* Flag in a barrier number: all threads of the block must execute the same barrier. */
enum { SIMT_ALIGNED = 0x100 };

typedef struct simt_assertion {
  const char *expression, *file, *function;
  uint32_t line;
} simt_assertion;

/* functions of the C library that device code calls */
typedef enum simt_function {
#define XX(name) SIMT_MATH_##name,
  SOLO_SIMT_FUNCTIONS_1(XX) SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
} simt_function;

typedef struct simt_calls {
  /* mask: lanes that must participate; 0: the lanes that arrive together (warp.c) */
  uint64_t (*collect)(simt_kind kind, uint64_t mask, uint64_t value, uint64_t other);
  /* count 0: all live threads */
  void (*barrier)(uint32_t id, uint32_t count);
  void (*yield)(void);
  /* used: allocated bytes of all shared variables */
  void *(*shared)(simt_shared *variable, _Atomic uint64_t *used);
  void *(*allocate)(uint64_t bytes);
  void (*release)(void *address);
  int32_t (*print)(const char *format, const void *arguments);
  void (*stop)(simt_stop why, const simt_assertion *assertion); /* does not return */
  uint64_t (*clock_ns)(void);
  void (*access)(const void *address, uint64_t bytes, uint32_t flags);
  double (*math)(simt_function function, double x, double y);
  void (*workers)(uint32_t (*count)(void), void (*region)(void), uint32_t most);
} simt_calls;

typedef struct simt_lane {
  const simt_calls *calls;
  uint32_t block[3], thread[3], blocks[3], threads[3];
  uint32_t lane, warp, warp_size;
  uint32_t patience; /* remaining atomic operations before the thread yields */
  uint32_t place;
  uint32_t is_lazy, slice;
  const char *shared_begin;
  uint64_t shared_bytes;
  char *dynamic_shared;
  uint32_t dynamic_bytes;
  const void *packet;   /* AMD GPUs: HSA dispatch packet */
  const void *implicit; /* AMD GPUs: hidden arguments */
} simt_lane;

enum { SIMT_ATOMICS_BEFORE_YIELD = 64 };
/* offset of shared memory from the gs base (translate.sh) */
enum { SIMT_SHARED_AT = 4096 };

#endif
