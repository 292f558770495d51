/* Device code of the virtual GPU, compiled for GPUs: slices of loops (slices.awk), and, in generic kernels, calls of
 * parallel regions by the executor instead of LLVM's state machine (docs/design/lazy-blocks.md). */
typedef int i32;
typedef unsigned char u8;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define ENTRY __attribute__((used, visibility("hidden")))

/* State of a thread. NONE: LLVM's runtime assigns iterations. SLICE: the thread executes a slice.
 * EMPTY: it executes the parallel region, but no iteration. LAST: it executes the last iteration of
 * its team. */
enum { NONE, SLICE, EMPTY, LAST };

/* simt_is_lazy() returns whether the block runs lazily; simt_slice(), the calling thread's state. */
__attribute__((const)) u32 simt_is_lazy(void);
__attribute__((const)) u32 *simt_slice(void);
/* Makes the calling thread the main thread. For each parallel region, it calls count(), and that many of the `most`
 * workers call region(). */
void simt_set_workers(u32 (*count)(void), void (*region)(void), u32 most);

signed char __kmpc_is_spmd_exec_mode(void);
u32 __kmpc_get_hardware_thread_id_in_block(void);
u32 __kmpc_get_hardware_num_threads_in_block(void);
u32 __kmpc_get_warp_size(void);
_Bool __kmpc_kernel_parallel(void **function);
void __kmpc_kernel_end_parallel(void);
i32 omp_get_team_num(void);
i32 omp_get_num_teams(void);
i32 solo_get_num_threads(void);

typedef struct slice {
  u64 first, count; /* relative to the loop; count 0: the team has no iterations */
  u32 state, is_last;
} slice;

/* All threads of a team must execute the region, so `count` is nonzero for all of them or for none.
 * simt_for_static_init_*() makes the range of a thread in state EMPTY empty. */
static slice slice_of(u64 trips) {
  u64 teams = (u64)omp_get_num_teams(), threads = __kmpc_get_hardware_num_threads_in_block();
  u64 index = __kmpc_get_hardware_thread_id_in_block(), chunk = (trips + teams - 1) / teams;
  u64 from = (u64)omp_get_team_num() * chunk;
  if (from >= trips) return (slice){trips, 0, NONE, 0};
  if (chunk > trips - from) chunk = trips - from;
  u32 is_last = from + chunk == trips;
  if (index >= chunk) return (slice){from + chunk - 1, 1, EMPTY, is_last};
  u64 each = chunk / threads, more = chunk % threads;
  u64 first = index * each + (index < more ? index : more), count = each + (index < more);
  return (slice){from + first, count, first + count == chunk ? LAST : SLICE, is_last};
}

#define ENTRIES(suffix, integer, word, limit)                                                      \
  void __kmpc_distribute_static_init_##suffix(ident *, i32, i32, i32 *, integer *, integer *,      \
                                              word *, word, word);                                 \
  void __kmpc_for_static_init_##suffix(ident *, i32, i32, i32 *, integer *, integer *, word *,     \
                                       word, word);                                                \
  ENTRY void simt_distribute_static_init_##suffix(ident *loc, i32 thread, i32 kind, i32 *last,     \
                                                  integer *lower, integer *upper, word *stride,    \
                                                  word step, word chunk) {                         \
    u64 trips = *upper < *lower ? 0 : (u64)*upper - (u64)*lower + 1;                               \
    *simt_slice() = NONE;                                                                          \
    if (!simt_is_lazy() || !__kmpc_is_spmd_exec_mode() || !trips || trips > (limit)) {             \
      __kmpc_distribute_static_init_##suffix(loc, thread, kind, last, lower, upper, stride, step,  \
                                             chunk);                                               \
      return;                                                                                      \
    }                                                                                              \
    slice s = slice_of(trips);                                                                     \
    *simt_slice() = s.state;                                                                       \
    *stride = (word)(trips - s.first); /* so that no chunk follows */                              \
    *last = (i32)s.is_last;                                                                        \
    *lower = (integer)((u64)*lower + s.first);                                                     \
    *upper = (integer)((u64)*lower + s.count - (s.count > 0));                                     \
  }                                                                                                \
  ENTRY void simt_for_static_init_##suffix(ident *loc, i32 thread, i32 kind, i32 *last,            \
                                           integer *lower, integer *upper, word *stride,           \
                                           word step, word chunk) {                                \
    u32 state = *simt_slice();                                                                     \
    if (state == NONE) {                                                                           \
      __kmpc_for_static_init_##suffix(loc, thread, kind, last, lower, upper, stride, step, chunk); \
      return;                                                                                      \
    }                                                                                              \
    *stride = 1;                                                                                   \
    *lower += state == EMPTY;                                                                      \
    *last = state == LAST;                                                                         \
  }
ENTRIES(4, i32, i32, 1 << 30)
ENTRIES(4u, u32, i32, 1 << 30)
ENTRIES(8, i64, i64, (u64)1 << 62)
ENTRIES(8u, u64, i64, (u64)1 << 62)

/* The first members of LLVM's KernelEnvironmentTy. */
typedef struct environment {
  u8 has_state_machine, has_nested, mode;
} environment;
enum { SPMD = 2 };

i32 solo_llvm_target_init(environment *kernel, void *launch);

static u32 region_threads(void) {
  void *function = 0;
  __kmpc_kernel_parallel(&function);
  return function ? (u32)solo_get_num_threads() : 0;
}

static void region(void) {
  void *function = 0;
  __kmpc_kernel_parallel(&function);
  ((void (*)(unsigned short, u32))function)(0, __kmpc_get_hardware_thread_id_in_block());
  __kmpc_kernel_end_parallel();
}

/* The main thread is the first thread of the last warp. The other threads leave the kernel, because
 * their result is not -1. */
ENTRY i32 __kmpc_target_init(environment *kernel, void *launch) {
  u32 threads = __kmpc_get_hardware_num_threads_in_block(), warp = __kmpc_get_warp_size();
  if (simt_is_lazy() && !(kernel->mode & SPMD) && threads > warp) {
    u32 index = __kmpc_get_hardware_thread_id_in_block();
    if (index != (threads - 1) / warp * warp) return (i32)index;
    simt_set_workers(region_threads, region, threads - warp);
  }
  return solo_llvm_target_init(kernel, launch);
}

#ifdef __AMDGCN__
void solo_wave_barrier(ident *loc, i32 thread);

/* otherwise only one lane waits */
ENTRY void solo_llvm_barrier(ident *loc, i32 thread) {
  solo_wave_barrier(loc, thread);
  if (!__kmpc_is_spmd_exec_mode()) __builtin_amdgcn_wave_barrier();
}
#endif
