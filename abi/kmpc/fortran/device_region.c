/* The device runtime's interface to regions, for kernels that flang compiles for the CPU.
 *
 * Flang gives kernels of every target the form that GPUs need (seen in flang-22's output): every
 * team enters the kernel, a kernel asks __kmpc_target_init whether it is the thread that executes
 * the region, then opens parallel regions with __kmpc_parallel_60. On the CPU the host backend
 * enters a kernel once; when it is to have several teams, __kmpc_target_init enters it again for
 * each of them and returns to the first caller that there is nothing to do.
 *
 * How many teams: as many as num_teams says. Without it, a kernel all of whose work is in one
 * parallel region that spans the teams (`target teams distribute parallel do`) has one team with
 * all threads, which costs one fork; in others (`target teams distribute`) the teams are what runs
 * at the same time: one per processor, no more than the loop has iterations.
 */
#include "abi/kmpc/fortran/device.h"

#include "runtime/backend.h"

#include <stdlib.h>

enum { RUN_USER_CODE = -1, DONE = 0 };
enum { MODE_SPMD = 2 };
enum { THREADS_NOT_SAID = 256 }; /* what flang writes without a clause */
enum { NO_TEAMS = -1 };          /* outside of teams constructs */

/* First of what a kernel passes: how a GPU would run it. As flang-22 lays it out. */
typedef struct kernel_environment {
  uint8_t state_machine, may_nest, mode;
  int32_t least_threads, most_threads; /* thread_limit or num_threads, if constant */
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

/* Is it a teams construct's? Its kernel has most_teams 0 without a constant clause, others have NO_TEAMS. With 1 `target teams
 * num_teams(1)` and `target parallel` look the same, but for one parallel region that is all there is to do: those are
 * taken for the second. */
static int has_teams(const kernel_environment *kernel, const solo_launch_record *launch) {
  if (kernel->most_teams == 1) return kernel->mode == MODE_SPMD;
  return kernel->most_teams != NO_TEAMS || launch->teams[0] != 1;
}

/* A constant thread_limit stands only in the environment. So does num_threads of a region inside, so that it does not
 * go before the setting; without teams it limits that one region only and comes again where the region opens. */
static int32_t limit_of(const kernel_environment *kernel, const solo_launch_record *launch) {
  if (launch->threads[0]) return (int32_t)launch->threads[0];
  if (!has_teams(kernel, launch)) return 0;
  int32_t limit = kernel->most_threads, setting = solo_device_teams_limit();
  if (limit <= 0 || limit == THREADS_NOT_SAID) return setting;
  return setting > 0 && setting < limit ? setting : limit;
}

/* environment: what a GPU's launcher passes. */
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

/* num_threads and proc_bind: below 0 without the clause. GPUs' worker threads enter by wrapper. */
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

/* As before LLVM 22. */
SOLO_DEVICE_ENTRY void __kmpc_parallel_51(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count);
SOLO_DEVICE_ENTRY void __kmpc_parallel_51(struct kmpc_ident *loc, int32_t gtid, int32_t condition,
                                          int32_t threads, int32_t bind, void *micro, void *wrapper,
                                          void **args, int64_t count) {
  __kmpc_parallel_60(loc, gtid, condition, threads, bind, micro, wrapper, args, count, 0);
}

/* --- variables that other threads may see: on GPUs a thread's stack is its own ---------------- */

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
