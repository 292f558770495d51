/* Device code: parallel regions of fewer threads than the block has, around functions of Clang 19's device
 * runtime (make.sh gives them other names), which goes wrong in these:
 *
 * NVIDIA, all threads of a block run the kernel's code (SPMD): num_threads(48) starts half a warp, which its reductions
 * and shuffles wait for in vain, and the barriers of the region wait for the whole block, whose other threads are at the
 * region's end. Seen on an H200: the kernel never ends. So a team has whole warps, as that runtime itself has it where one
 * thread runs the code between the regions (generic), or one thread (num_threads asks for no more than it says); and
 * its barriers are its own.
 *
 * SPMD, a region whose if clause is false: each thread of the block runs it and, as that leaves a state of its own to each, all regions
 * behind it, too, so that what they add is added as many times. It is a region of one thread of the block.
 *
 * Generic, a block of one warp or less, as Clang has it for thread_limit(n), n up to a warp: a warp is kept for the thread
 * between the regions, so that nobody is there for a region; the size of the block less a warp is taken for the
 * number of workers all the same, which is billions, and their barriers wait for as many. That thread runs the region.
 *
 * Generic, a barrier in a team of one: AMD's waits for no wave for ever, NVIDIA's is for a part of a warp, which no barrier may be. */
typedef int i32;
typedef long long i64;
typedef struct ident ident;

#define ENTRY __attribute__((used, visibility("hidden")))

enum { LANES = 32, TEAM_BARRIER = 7 /* that runtime's for teams; in SPMD it uses 0 alone */ };

i32 omp_get_level(void);
i32 omp_get_num_threads(void);
signed char __kmpc_is_spmd_exec_mode(void);
unsigned __kmpc_get_hardware_num_threads_in_block(void);
unsigned __kmpc_get_warp_size(void);
void __kmpc_flush(ident *loc);
i32 solo_llvm_omp_get_max_threads(void);
void solo_llvm_parallel_51(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                           void *function, void *wrapper, void **arguments, i64 count);
void solo_llvm_barrier(ident *loc, i32 thread);

static inline i32 has_no_workers(void) {
  return !__kmpc_is_spmd_exec_mode() &&
         __kmpc_get_hardware_num_threads_in_block() <= __kmpc_get_warp_size();
}

/* Nonzero: all threads of the block come here, none of them in a region. The first may not write the level before the others have
 * read it: that runtime's barrier is between the two, which Clang takes away unless something before it may have an effect. */
static inline i32 is_whole_block(void) {
  if (!__kmpc_is_spmd_exec_mode()) return 0;
  i32 level = omp_get_level();
  __asm__ volatile("" ::: "memory");
  return level == 0;
}

ENTRY i32 omp_get_max_threads(void) {
  return has_no_workers() ? 1 : solo_llvm_omp_get_max_threads();
}

ENTRY __attribute__((always_inline)) void __kmpc_parallel_51(ident *loc, i32 thread, i32 condition,
                                                             i32 threads, i32 binding,
                                                             void *function, void *wrapper,
                                                             void **arguments, i64 count) {
  if (has_no_workers())
    condition = 0;
  else if (!condition && is_whole_block())
    condition = threads = 1;
#ifdef __NVPTX__
  if (threads > 1) threads = threads < LANES ? 1 : threads - threads % LANES;
#endif
  solo_llvm_parallel_51(loc, thread, condition, threads, binding, function, wrapper, arguments,
                        count);
}

ENTRY __attribute__((convergent)) void __kmpc_barrier(ident *loc, i32 thread) {
  i32 threads = omp_get_num_threads();
#ifdef __NVPTX__
  if (__kmpc_is_spmd_exec_mode() && threads == 1) {
    __nvvm_membar_cta();
    return;
  }
  if (__kmpc_is_spmd_exec_mode() && threads != (i32)__nvvm_read_ptx_sreg_ntid_x()) {
    __nvvm_barrier_sync_cnt(TEAM_BARRIER, (unsigned)threads);
    return;
  }
#endif
  if (threads == 1)
    __kmpc_flush(loc);
  else
    solo_llvm_barrier(loc, thread);
}
