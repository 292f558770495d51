/* The device runtime's interface to regions, for kernels that flang compiles for the CPU.
 *
 * Flang gives kernels of every target the form that GPUs need (seen in flang-22's output): a kernel
 * asks __kmpc_target_init whether it is the thread that executes the region, then opens parallel
 * regions with __kmpc_parallel_60. Here one thread enters the kernel, in the initial team that
 * solo_threads_enter_target made, and forks as it does for Clang's kernels. A league has one team,
 * whatever num_teams says (an upper limit): its threads are all there are.
 */
#include "abi/kmpc/crew.h"

#include <stdlib.h>
#include <string.h>

enum { RUN_USER_CODE = -1 };

/* First argument: how a GPU would run the kernel; second: what its launcher passes. */
int32_t __kmpc_target_init(const void *kernel, const void *launch);
SOLO_EXPORT int32_t __kmpc_target_init(const void *kernel, const void *launch) {
  (void)kernel, (void)launch;
  return RUN_USER_CODE;
}

void __kmpc_target_deinit(void);
SOLO_EXPORT void __kmpc_target_deinit(void) {}

/* num_threads and proc_bind: below 0 without the clause. GPUs' worker threads enter by wrapper. */
void __kmpc_parallel_60(kmpc_ident *loc, int32_t gtid, int32_t condition, int32_t threads,
                        int32_t bind, void *micro, void *wrapper, void **args, int64_t count,
                        int32_t strict);
SOLO_EXPORT void __kmpc_parallel_60(kmpc_ident *loc, int32_t gtid, int32_t condition,
                                    int32_t threads, int32_t bind, void *micro, void *wrapper,
                                    void **args, int64_t count, int32_t strict) {
  (void)loc, (void)gtid, (void)wrapper, (void)strict;
  kmpc_thread *self = solo_kmp_self();
  const kmpc_icvs *icvs = self->now.task->icvs;
  if (bind < 0) bind = icvs->proc_bind_count ? icvs->proc_bind[0] : 0;
  kmpc_region region = {.args = args, .arg_count = (int32_t)count, .bind = bind};
  memcpy(&region.micro, &micro, sizeof micro); /* a function, though ISO C keeps them apart */
  region.size = condition ? solo_kmp_region_size(self, threads) : 1;
  if (region.size > 1)
    solo_kmp_region_run(self, &region);
  else
    solo_kmp_region_serial(self, &region);
}

/* As before LLVM 22. */
void __kmpc_parallel_51(kmpc_ident *loc, int32_t gtid, int32_t condition, int32_t threads,
                        int32_t bind, void *micro, void *wrapper, void **args, int64_t count);
SOLO_EXPORT void __kmpc_parallel_51(kmpc_ident *loc, int32_t gtid, int32_t condition,
                                    int32_t threads, int32_t bind, void *micro, void *wrapper,
                                    void **args, int64_t count) {
  __kmpc_parallel_60(loc, gtid, condition, threads, bind, micro, wrapper, args, count, 0);
}

/* --- variables that other threads may see: on GPUs a thread's stack is its own
 * ------------------*/

void *__kmpc_alloc_shared(uint64_t size);
SOLO_EXPORT void *__kmpc_alloc_shared(uint64_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory) solo_kmp_fatal("out of memory for a variable that threads share");
  return memory;
}

void __kmpc_free_shared(void *memory, uint64_t size);
SOLO_EXPORT void __kmpc_free_shared(void *memory, uint64_t size) {
  (void)size;
  free(memory);
}
