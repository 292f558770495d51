/* Device code: parallel regions of fewer threads than the block has, on NVIDIA GPUs, around two functions of Clang 19's
 * device runtime (make.sh gives them other names). Where all threads of a block run the kernel's code (SPMD), that
 * runtime starts num_threads(48) with half a warp, which its reductions and shuffles wait for in vain, and lets
 * the barriers of the region wait for the whole block, whose other threads are at the region's end. Seen on an
 * H200: the kernel never ends.
 *
 * So a team has whole warps, as that runtime itself has it where one thread runs the code between the regions,
 * or one thread (num_threads asks for no more than it says); and its barriers are its own. */
typedef int i32;
typedef long long i64;
typedef struct ident ident;

#define ENTRY __attribute__((used, visibility("hidden")))

enum { LANES = 32, TEAM_BARRIER = 7 /* that runtime's for teams; in SPMD it uses 0 alone */ };

i32 omp_get_num_threads(void);
signed char __kmpc_is_spmd_exec_mode(void);
void solo_llvm_parallel_51(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                           void *function, void *wrapper, void **arguments, i64 count);
void solo_llvm_barrier(ident *loc, i32 thread);

ENTRY __attribute__((always_inline)) void __kmpc_parallel_51(ident *loc, i32 thread, i32 condition,
                                                             i32 threads, i32 binding,
                                                             void *function, void *wrapper,
                                                             void **arguments, i64 count) {
  if (threads > 1) threads = threads < LANES ? 1 : threads - threads % LANES;
  solo_llvm_parallel_51(loc, thread, condition, threads, binding, function, wrapper, arguments,
                        count);
}

ENTRY __attribute__((convergent)) void __kmpc_barrier(ident *loc, i32 thread) {
  i32 threads = omp_get_num_threads();
  if (!__kmpc_is_spmd_exec_mode() || threads == (i32)__nvvm_read_ptx_sreg_ntid_x())
    solo_llvm_barrier(loc, thread);
  else if (threads > 1)
    __nvvm_barrier_sync_cnt(TEAM_BARRIER, (unsigned)threads);
  else
    __nvvm_membar_cta();
}
