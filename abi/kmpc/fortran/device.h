/* Device runtime of flang kernels on the CPU (device_region.c, device_loop.c), and its interface to
 * the host threads. The interface is implemented by device_kmpc.c (libsolo.a), device_libomp.c
 * (core, over libomp) and device_inline.h (bitcode). Design: docs/design/fortran.md. */
#ifndef SOLO_KMPC_DEVICE_H
#define SOLO_KMPC_DEVICE_H

#include "runtime/host_threads.h"

/* Functions, without the prefix __kmpc_, that flang 22 calls and libomp 19 lacks. */
#define SOLO_DEVICE_NAMES(XX)                                                                      \
  XX(target_init)                                                                                  \
  XX(target_deinit)                                                                                \
  XX(parallel_51)                                                                                  \
  XX(parallel_60)                                                                                  \
  XX(alloc_shared)                                                                                 \
  XX(free_shared)                                                                                  \
  XX(for_static_loop_4)                                                                            \
  XX(for_static_loop_4u)                                                                           \
  XX(for_static_loop_8)                                                                            \
  XX(for_static_loop_8u)                                                                           \
  XX(distribute_static_loop_4)                                                                     \
  XX(distribute_static_loop_4u)                                                                    \
  XX(distribute_static_loop_8)                                                                     \
  XX(distribute_static_loop_8u)                                                                    \
  XX(distribute_for_static_loop_4)                                                                 \
  XX(distribute_for_static_loop_4u)                                                                \
  XX(distribute_for_static_loop_8)                                                                 \
  XX(distribute_for_static_loop_8u)

#ifdef SOLO_DEVICE_OVER_LIBOMP
#define SOLO_DEVICE_ENTRY                    SOLO_HIDDEN
#define SOLO_DEVICE_SEAM(name)               solo_libomp_device_##name
#define __kmpc_target_init                   solo_libomp_target_init
#define __kmpc_target_deinit                 solo_libomp_target_deinit
#define __kmpc_parallel_51                   solo_libomp_parallel_51
#define __kmpc_parallel_60                   solo_libomp_parallel_60
#define __kmpc_alloc_shared                  solo_libomp_alloc_shared
#define __kmpc_free_shared                   solo_libomp_free_shared
#define __kmpc_for_static_loop_4             solo_libomp_for_static_loop_4
#define __kmpc_for_static_loop_4u            solo_libomp_for_static_loop_4u
#define __kmpc_for_static_loop_8             solo_libomp_for_static_loop_8
#define __kmpc_for_static_loop_8u            solo_libomp_for_static_loop_8u
#define __kmpc_distribute_static_loop_4      solo_libomp_distribute_static_loop_4
#define __kmpc_distribute_static_loop_4u     solo_libomp_distribute_static_loop_4u
#define __kmpc_distribute_static_loop_8      solo_libomp_distribute_static_loop_8
#define __kmpc_distribute_static_loop_8u     solo_libomp_distribute_static_loop_8u
#define __kmpc_distribute_for_static_loop_4  solo_libomp_distribute_for_static_loop_4
#define __kmpc_distribute_for_static_loop_4u solo_libomp_distribute_for_static_loop_4u
#define __kmpc_distribute_for_static_loop_8  solo_libomp_distribute_for_static_loop_8
#define __kmpc_distribute_for_static_loop_8u solo_libomp_distribute_for_static_loop_8u
#else
#ifdef SOLO_DEVICE_INLINE
/* otherwise the optimiser may call the loop body once per iteration */
#define SOLO_DEVICE_ENTRY __attribute__((always_inline)) SOLO_EXPORT
#else
#define SOLO_DEVICE_ENTRY SOLO_EXPORT
#endif
#define SOLO_DEVICE_SEAM(name) solo_kmp_device_##name
#endif
#define solo_device_fork         SOLO_DEVICE_SEAM(fork)
#define solo_device_barrier      SOLO_DEVICE_SEAM(barrier)
#define solo_device_team         SOLO_DEVICE_SEAM(team)
#define solo_device_thread       SOLO_DEVICE_SEAM(thread)
#define solo_device_launch       SOLO_DEVICE_SEAM(launch)
#define solo_device_budget       SOLO_DEVICE_SEAM(budget)
#define solo_device_teams_wanted SOLO_DEVICE_SEAM(teams_wanted)
#define solo_device_teams_limit  SOLO_DEVICE_SEAM(teams_limit)
#define solo_device_league       SOLO_DEVICE_SEAM(league)
#define solo_device_no_memory    SOLO_DEVICE_SEAM(no_memory)

struct kmpc_ident;

typedef struct solo_device_region {
  void *micro;
  void **args;
  int32_t count;
  int32_t threads; /* <= 0: no clause */
  int32_t bind;    /* < 0: no clause */
  int32_t serial;
} solo_device_region;

typedef struct solo_device_part {
  uint64_t part, parts;
} solo_device_part;

#ifdef SOLO_DEVICE_INLINE
#include "abi/kmpc/fortran/device_inline.h"
#else
void solo_device_fork(struct kmpc_ident *loc, const solo_device_region *region);
void solo_device_barrier(struct kmpc_ident *loc);
/* Return the number of the thread's team in its league, and of the thread in its team. */
solo_device_part solo_device_team(void);
solo_device_part solo_device_thread(void);

/* Returns the launch that the thread must divide among teams; NULL if it is already in a team. */
const solo_target_call *solo_device_launch(void);
/* Return the number of threads that a league may use, OMP_NUM_TEAMS, and OMP_TEAMS_THREAD_LIMIT.
 * 0: not set. */
int32_t solo_device_budget(void);
int32_t solo_device_teams_wanted(void);
int32_t solo_device_teams_limit(void);
/* Enters the kernel once per team and returns 1. Returns 0 if the calling thread is the only team:
 * then the caller executes the kernel. thread_limit 0: none. */
int32_t solo_device_league(const solo_target_call *call, int32_t teams, int32_t thread_limit);
void solo_device_no_memory(void) SOLO_COLD __attribute__((noreturn));
#endif

#endif
