/* Regions of flang kernels on the CPU. flang emits the GPU form, in which each team enters the
 * kernel and __kmpc_target_init selects the thread that executes the region. On the CPU the backend
 * enters the kernel once, and __kmpc_target_init enters it again for each team.
 *
 * The number of teams is the clause num_teams or the setting OMP_NUM_TEAMS. Without both it is one if
 * the whole kernel is one parallel region, because one fork suffices; else one per processor, at most
 * one per iteration. */
#include "abi/kmpc/fortran/device.h"

#include "runtime/backend.h"

#include <stdlib.h>

enum { RUN_USER_CODE = -1, DONE = 0 };
enum { MODE_SPMD = 2 };
enum { THREADS_UNSET = 256 }; /* value of most_threads without a clause in flang */
enum { NO_TEAMS = -1 };       /* value of most_teams outside of teams constructs */

typedef struct kernel_environment {
  uint8_t state_machine, may_nest, mode;
  int32_t least_threads, most_threads; /* a constant thread_limit or num_threads */
  int32_t least_teams, most_teams;
} kernel_environment;

static int32_t teams_of(const kernel_environment *kernel, const solo_launch_record *launch) {
  if (launch->teams[0]) return (int32_t)launch->teams[0];
  int32_t wanted = solo_device_teams_wanted();
  if (wanted > 0) return wanted;
  if (kernel->mode & MODE_SPMD || launch->trip_count < 2) return 1;
  int32_t budget = solo_device_budget();
  return launch->trip_count < (uint64_t)budget ? (int32_t)launch->trip_count : budget;
}

/* Returns whether the kernel is a teams construct. If most_teams is 1, `target teams num_teams(1)`
 * and `target parallel` cannot be distinguished; a kernel that is not one parallel region then
 * counts as `target parallel`. */
static int has_teams(const kernel_environment *kernel, const solo_launch_record *launch) {
  if (kernel->most_teams == 1) return kernel->mode == MODE_SPMD;
  return kernel->most_teams != NO_TEAMS || launch->teams[0] != 1;
}

/* Returns the thread limit of each team; 0: none. most_threads may be num_threads of an inner region,
 * so it does not override OMP_TEAMS_THREAD_LIMIT. Without teams, most_threads is ignored, because the
 * inner region passes num_threads again. */
static int32_t limit_of(const kernel_environment *kernel, const solo_launch_record *launch) {
  if (launch->threads[0]) return (int32_t)launch->threads[0];
  if (!has_teams(kernel, launch)) return 0;
  int32_t limit = kernel->most_threads, setting = solo_device_teams_limit();
  if (limit <= 0 || limit == THREADS_UNSET) return setting;
  return setting > 0 && setting < limit ? setting : limit;
}

SOLO_DEVICE_ENTRY int32_t __kmpc_target_init(const kernel_environment *kernel,
                                             const void *environment);
SOLO_DEVICE_ENTRY int32_t __kmpc_target_init(const kernel_environment *kernel,
                                             const void *environment) {
  (void)environment;
  const solo_target_call *call = solo_device_launch();
  if (!call) return RUN_USER_CODE;
  int32_t teams = teams_of(kernel, call->launch);
  return solo_device_league(call, teams, limit_of(kernel, call->launch)) ? DONE : RUN_USER_CODE;
}

SOLO_DEVICE_ENTRY void __kmpc_target_deinit(void);
SOLO_DEVICE_ENTRY void __kmpc_target_deinit(void) {}

/* threads, bind: negative without a clause. Only GPUs use wrapper. */
SOLO_DEVICE_ENTRY void __kmpc_parallel_60(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count, int32_t strict);
SOLO_DEVICE_ENTRY void __kmpc_parallel_60(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count, int32_t strict) {
  (void)gtid, (void)wrapper, (void)strict;
  const solo_device_region region = {micro, args, (int32_t)count, threads, bind, !condition};
  solo_device_fork(loc, &region);
}

SOLO_DEVICE_ENTRY void __kmpc_parallel_51(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count);
SOLO_DEVICE_ENTRY void __kmpc_parallel_51(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count) {
  __kmpc_parallel_60(loc, gtid, condition, threads, bind, micro, wrapper, args, count, 0);
}

SOLO_DEVICE_ENTRY void *__kmpc_alloc_shared(uint64_t size);
SOLO_DEVICE_ENTRY void *__kmpc_alloc_shared(uint64_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) solo_device_no_memory();
  return memory;
}

SOLO_DEVICE_ENTRY void __kmpc_free_shared(void *memory, uint64_t size);
SOLO_DEVICE_ENTRY void __kmpc_free_shared(void *memory, uint64_t size) {
  (void)size;
  free(memory);
}
