/* Corrections of Clang 19's device runtime. make.sh renames the original functions to solo_llvm_*.
 * In SPMD mode all threads of the block execute the kernel, in generic mode one thread.
 *
 * * SPMD, NVIDIA: with num_threads(48) a half warp waits forever for missing threads. Therefore a team
 *   consists of whole warps, or of one thread, and uses another barrier.
 * * SPMD, false if clause: one thread executes the region; else each thread would execute all later regions.
 * * Generic, block of at most one warp: the number of workers is wrong. Therefore one thread executes regions.
 * * Generic, team of one thread: barriers hang (AMD) or are invalid (NVIDIA). Therefore they are flushes.
 * * SPMD, after a task or a nested region: `has_environments` stays set. Then each thread would execute the next region alone. */
typedef int i32;
typedef long long i64;
typedef struct ident ident;

#define ENTRY  __attribute__((used, visibility("hidden")))
#define SHARED __attribute__((address_space(3), visibility("hidden")))

enum {
  LANES = 32,
  TEAM_BARRIER = 7 /* SPMD mode does not use it */
};

i32 omp_get_level(void);
i32 solo_get_num_threads(void);
signed char __kmpc_is_spmd_exec_mode(void);
unsigned __kmpc_get_hardware_num_threads_in_block(void);
unsigned __kmpc_get_hardware_thread_id_in_block(void);
unsigned __kmpc_get_warp_size(void);
void __kmpc_flush(ident *loc);
i32 solo_llvm_omp_get_max_threads(void);
i32 solo_llvm_omp_get_thread_limit(void);
void solo_llvm_parallel_51(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                           void *function, void *wrapper, void **arguments, i64 count);
void solo_llvm_barrier(ident *loc, i32 thread);

/* Variables of the runtime; environments: for each thread, the data environment of a task or nested region */
typedef struct team_state {
  i32 icv[8], has_environments;
} team_state;
extern SHARED team_state state __asm__("_ZN4ompx5state9TeamStateE");
extern SHARED void **environments __asm__("_ZN4ompx5state12ThreadStatesE");

/* Invariant: in SPMD mode at level 0, either no thread has an environment or all threads do.
 * Ordering:  solo_llvm_parallel_51() has a barrier before a thread creates an environment.
 * Otherwise: a thread's environment is ignored. */
static inline void reset_environments(void) {
  if (!__kmpc_is_spmd_exec_mode() || !state.has_environments || omp_get_level() != 0) return;
  if (!environments[__kmpc_get_hardware_thread_id_in_block()]) state.has_environments = 0;
}

static inline i32 has_no_workers(void) {
  return !__kmpc_is_spmd_exec_mode() &&
         __kmpc_get_hardware_num_threads_in_block() <= __kmpc_get_warp_size();
}

/* Returns nonzero in SPMD mode outside of a parallel region, where all threads of the block arrive.
 * They read the level before one writes it, because of the same barrier, which the asm statement preserves. */
static inline i32 is_whole_block(void) {
  if (!__kmpc_is_spmd_exec_mode()) return 0;
  i32 level = omp_get_level();
  __asm__ volatile("" ::: "memory");
  return level == 0;
}

ENTRY i32 omp_get_max_threads(void) {
  return has_no_workers() ? 1 : solo_llvm_omp_get_max_threads();
}

ENTRY i32 omp_get_thread_limit(void) {
  return has_no_workers() ? 1 : solo_llvm_omp_get_thread_limit();
}

ENTRY __attribute__((always_inline)) void __kmpc_parallel_51(ident *loc, i32 thread, i32 condition,
                                                             i32 threads, i32 binding,
                                                             void *function, void *wrapper,
                                                             void **arguments, i64 count) {
  reset_environments();
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
  i32 threads = solo_get_num_threads();
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
