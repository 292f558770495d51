/* Loops with schedule(dynamic), (guided) and (runtime). In Clang 19's functions a late warp can use
 * the state of another loop; then the kernel hangs or accesses invalid addresses. Here the first
 * thread of a team stores the loop's description in shared memory between two barriers. Therefore a
 * loop begins after all threads have left the previous loop, even with nowait. One thread executes a loop with ordered,
 * because threads of a wavefront cannot wait.
 *
 * Clang calls these functions (abi-facts 14) with steps of 1, and sets *lower and *upper before
 * __kmpc_dispatch_next. */
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define SHARED __attribute__((address_space(3), loader_uninitialized))
#define ENTRY  __attribute__((used, visibility("hidden")))

enum {
  STATIC_CHUNKED = 33,
  STATIC = 34,
  DYNAMIC = 35,
  GUIDED = 36,
  RUNTIME = 37,
  AUTO = 38,
  ORDERED = 32,
  KINDS = (1 << 29) - 1
};
enum { OMP_STATIC = 1, OMP_DYNAMIC = 2, OMP_GUIDED = 3, OMP_KINDS = 0xff };
enum { BITS = 32, MOST_THREADS = 1024 };

i32 omp_get_num_threads(void);
i32 omp_get_thread_num(void);
void omp_get_schedule(i32 *kind, i32 *chunk);
void __kmpc_barrier(ident *loc, i32 thread);

typedef struct loop {
  u64 lower;
  u64 trips;
  u64 assigned;
  u64 chunk;
  u32 kind, is_ordered;
} loop;

static SHARED loop shared;
static SHARED u32
    /* one bit per thread of the block, set until the thread receives its first iterations */
    fresh[MOST_THREADS / BITS];

static u32 thread_of_block(void) {
#if defined(__NVPTX__)
  return (u32)__nvvm_read_ptx_sreg_tid_x();
#else
  return __builtin_amdgcn_workitem_id_x();
#endif
}

static void set_fresh(void) {
  u32 index = thread_of_block();
  __atomic_fetch_or(&fresh[index / BITS], 1u << index % BITS, __ATOMIC_RELAXED);
}

static int clear_fresh(void) {
  u32 index = thread_of_block(), bit = 1u << index % BITS;
  return (__atomic_fetch_and(&fresh[index / BITS], ~bit, __ATOMIC_RELAXED) & bit) != 0;
}

static void describe(u32 kind, u64 lower, u64 trips, u64 chunk) {
  kind &= KINDS;
  shared.is_ordered = kind > 2 * ORDERED;
  if (shared.is_ordered) kind -= ORDERED;
  if (kind == RUNTIME) {
    i32 set = 0, of = 0;
    omp_get_schedule(&set, &of);
    set &= OMP_KINDS;
    kind = set == OMP_DYNAMIC  ? DYNAMIC
           : set == OMP_GUIDED ? GUIDED
           : set == OMP_STATIC ? STATIC_CHUNKED
                               : AUTO;
    chunk = of > 0 ? (u64)of : 0;
    if (!chunk && kind == STATIC_CHUNKED) kind = STATIC;
  }
  if (kind != STATIC_CHUNKED && kind != DYNAMIC && kind != GUIDED) {
    u64 threads = (u64)omp_get_num_threads();
    chunk = (trips + threads - 1) / threads;
    kind = STATIC_CHUNKED;
  }
  shared.kind = kind;
  shared.lower = lower;
  shared.trips = trips;
  /* at most `trips`, so that `assigned` does not overflow */
  shared.chunk = chunk > trips ? trips : chunk ? chunk : 1;
  shared.assigned = 0;
}

static void init(ident *loc, i32 thread, u32 kind, u64 lower, u64 trips, i64 chunk) {
  set_fresh();
  if (omp_get_num_threads() == 1) return;
  __kmpc_barrier(loc, thread);
  if (omp_get_thread_num() == 0) describe(kind, lower, trips, chunk > 0 ? (u64)chunk : 0);
  __kmpc_barrier(loc, thread);
}

static u64 reserve_guided(u64 *first) {
  u64 threads = (u64)omp_get_num_threads(),
      assigned = __atomic_load_n(&shared.assigned, __ATOMIC_RELAXED), count;
  do {
    if (assigned >= shared.trips) return 0;
    count = (shared.trips - assigned + 2 * threads - 1) / (2 * threads);
    if (count < shared.chunk) count = shared.chunk;
  } while (!__atomic_compare_exchange_n(&shared.assigned, &assigned, assigned + count, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  *first = assigned;
  return count;
}

/* Assigns the calling thread's next iterations. *first is relative to the loop's first iteration.
 * previous: *first of the last call. Returns the number of iterations; 0: the loop has ended. */
static u64 assign(u64 previous, u64 *first) {
  u64 count = shared.chunk;
  if (shared.is_ordered) return clear_fresh() && omp_get_thread_num() == 0 ? shared.trips : 0;
  switch (shared.kind) {
  case DYNAMIC:
    *first = __atomic_fetch_add(&shared.assigned, count, __ATOMIC_RELAXED);
    break;
  case GUIDED:
    count = reserve_guided(first);
    break;
  default:
    *first = clear_fresh() ? (u64)omp_get_thread_num() * count
                           : previous + (u64)omp_get_num_threads() * count;
    break;
  }
  if (!count || *first >= shared.trips) return 0;
  return count < shared.trips - *first ? count : shared.trips - *first;
}

#define ENTRIES(suffix, integer, word)                                                             \
  ENTRY void __kmpc_dispatch_init_##suffix(ident *loc, i32 thread, i32 kind, integer lower,        \
                                           integer upper, word step, word chunk) {                 \
    (void)step;                                                                                    \
    init(loc, thread, (u32)kind, (u64)lower, upper < lower ? 0 : (u64)upper - (u64)lower + 1,      \
         chunk);                                                                                   \
  }                                                                                                \
  ENTRY i32 __kmpc_dispatch_next_##suffix(ident *loc, i32 thread, i32 *last, integer *lower,       \
                                          integer *upper, word *step) {                            \
    (void)loc, (void)thread;                                                                       \
    *step = 1;                                                                                     \
    if (omp_get_num_threads() == 1) {                                                              \
      *last = 1;                                                                                   \
      return clear_fresh() && *lower <= *upper;                                                    \
    }                                                                                              \
    u64 first = 0, count = assign((u64)*lower - shared.lower, &first);                             \
    if (!count) return 0;                                                                          \
    *lower = (integer)(shared.lower + first);                                                      \
    *upper = (integer)(shared.lower + first + count - 1);                                          \
    *last = first + count == shared.trips;                                                         \
    return 1;                                                                                      \
  }                                                                                                \
  ENTRY void __kmpc_dispatch_fini_##suffix(ident *loc, i32 thread) {                               \
    (void)loc, (void)thread;                                                                       \
  }
ENTRIES(4, i32, i32)
ENTRIES(4u, u32, i32)
ENTRIES(8, i64, i64)
ENTRIES(8u, u64, i64)

ENTRY void __kmpc_dispatch_deinit(ident *loc, i32 thread) {
  (void)loc, (void)thread;
}
