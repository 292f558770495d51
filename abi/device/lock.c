/* Locks (5.2, 18.9), and critical constructs with hints. The word of a nestable lock contains the nesting count and, above
 * it, the owner's thread number in the grid, plus 1. Threads of a wavefront must not contend for a lock. */
typedef int i32;
typedef unsigned u32;
typedef unsigned long long u64;

#define CALLED __attribute__((weak, visibility("hidden")))

enum { COUNT_BITS = 16, COUNT_MASK = (1 << COUNT_BITS) - 1 };

i32 omp_get_team_num(void);
u32 __kmpc_get_hardware_thread_id_in_block(void);

static void fence(void) {
#ifdef __NVPTX__
  __nvvm_membar_gl(); /* LLVM's atomic operations for NVIDIA are relaxed */
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static u64 owner(void) {
  u64 thread = (u64)omp_get_team_num() * 1024 + __kmpc_get_hardware_thread_id_in_block();
  return (thread + 1) << COUNT_BITS;
}

/* Returns the number of times that the calling thread has set the lock; 0: another thread owns it. */
static i32 try(u64 *lock) {
  u64 self = owner(), now = __atomic_fetch_add(lock, 0, __ATOMIC_SEQ_CST);
  if (now) {
    if ((now & ~(u64)COUNT_MASK) != self) return 0;
    (void)__atomic_exchange_n(lock, now + 1, __ATOMIC_SEQ_CST);
    return (i32)((now + 1) & COUNT_MASK);
  }
  if (!__atomic_compare_exchange_n(lock, &now, self + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    return 0;
  fence();
  return 1;
}

CALLED void omp_init_nest_lock(u64 *lock);
void omp_init_nest_lock(u64 *lock) {
  *lock = 0;
}
CALLED void omp_init_nest_lock_with_hint(u64 *lock, i32 hint);
void omp_init_nest_lock_with_hint(u64 *lock, i32 hint) {
  (void)hint;
  *lock = 0;
}
CALLED void omp_destroy_nest_lock(u64 *lock);
void omp_destroy_nest_lock(u64 *lock) {
  *lock = 0;
}
CALLED void omp_set_nest_lock(u64 *lock);
void omp_set_nest_lock(u64 *lock) {
  while (!try(lock)) {
  }
}
CALLED i32 omp_test_nest_lock(u64 *lock);
i32 omp_test_nest_lock(u64 *lock) {
  return try(lock);
}
CALLED void omp_unset_nest_lock(u64 *lock);
void omp_unset_nest_lock(u64 *lock) {
  fence();
  u64 now = __atomic_fetch_add(lock, 0, __ATOMIC_SEQ_CST) - 1;
  (void)__atomic_exchange_n(lock, now & COUNT_MASK ? now : 0, __ATOMIC_SEQ_CST);
}

/* LLVM's functions end the kernel (AMD); omp_test_lock sets no lock (NVIDIA). */
CALLED void omp_init_lock(u32 *lock);
void omp_init_lock(u32 *lock) {
  *lock = 0;
}
CALLED void omp_destroy_lock(u32 *lock);
void omp_destroy_lock(u32 *lock) {
  *lock = 0;
}
CALLED i32 omp_test_lock(u32 *lock);
i32 omp_test_lock(u32 *lock) {
  u32 now = 0;
  if (!__atomic_compare_exchange_n(lock, &now, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return 0;
  fence();
  return 1;
}
CALLED void omp_set_lock(u32 *lock);
void omp_set_lock(u32 *lock) {
  while (!omp_test_lock(lock)) {
  }
}
CALLED void omp_unset_lock(u32 *lock);
void omp_unset_lock(u32 *lock) {
  fence();
  (void)__atomic_exchange_n(lock, 0, __ATOMIC_SEQ_CST);
}

typedef struct ident ident;
void __kmpc_critical(ident *loc, i32 thread, i32 *name);
CALLED void __kmpc_critical_with_hint(ident *loc, i32 thread, i32 *name, u32 hint);
void __kmpc_critical_with_hint(ident *loc, i32 thread, i32 *name, u32 hint) {
  (void)hint;
  __kmpc_critical(loc, thread, name);
}
