/* Schedule numbers that compilers emit. */
#ifndef SOLO_KMPC_SCHEDULE_H
#define SOLO_KMPC_SCHEDULE_H

#include "abi/kmpc/kmpc.h"

enum {
  KMPC_STATIC_CHUNKED = 33,
  KMPC_STATIC = 34,
  KMPC_DYNAMIC_CHUNKED = 35,
  KMPC_GUIDED_CHUNKED = 36,
  KMPC_RUNTIME = 37,
  KMPC_AUTO = 38,
  KMPC_TRAPEZOIDAL = 39,
  KMPC_STATIC_GREEDY = 40,
  KMPC_STATIC_BALANCED = 41,
  KMPC_GUIDED_ITERATIVE = 42,
  KMPC_GUIDED_ANALYTICAL = 43,
  KMPC_STATIC_STEAL = 44,
  KMPC_STATIC_BALANCED_CHUNKED = 45,
  KMPC_GUIDED_SIMD = 46,
  KMPC_RUNTIME_SIMD = 47,
  KMPC_ORDERED_FIRST = 64, /* ordered: kind + 32 */
  KMPC_ORDERED_STATIC_CHUNKED = 65,
  KMPC_ORDERED_STATIC = 66,
  KMPC_ORDERED_LAST = 72,
  KMPC_DISTRIBUTE_FIRST = 91,
  KMPC_DISTRIBUTE_CHUNKED = 91,
  KMPC_DISTRIBUTE_STATIC = 92,
  KMPC_DISTRIBUTE_LAST = 92,
  KMPC_NOMERGE_FIRST = 160, /* nomerge: kind + 128 */
  KMPC_MONOTONIC = 1 << 29,
  KMPC_NONMONOTONIC = 1 << 30,
};
#define KMPC_SCHEDULE_KIND(schedule) ((schedule) & ~(KMPC_MONOTONIC | KMPC_NONMONOTONIC))

#define KMPC_LOOP_TYPES(XX)                                                                        \
  XX(4, int32_t, int32_t)                                                                          \
  XX(4u, uint32_t, int32_t)                                                                        \
  XX(8, int64_t, int64_t)                                                                          \
  XX(8u, uint64_t, int64_t)

#define KMPC_DECLARE_STATIC_INIT(suffix, type, steptype)                                           \
  void __kmpc_for_static_init_##suffix(kmpc_ident *loc, int32_t gtid, int32_t schedule,            \
                                       int32_t *last, type *lower, type *upper, steptype *stride,  \
                                       steptype step, steptype chunk);
KMPC_LOOP_TYPES(KMPC_DECLARE_STATIC_INIT)

#endif
