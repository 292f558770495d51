/* OpenMP routines for Fortran programs without omp_lib. */
typedef int i32;
typedef long long i64;
typedef unsigned long long u64;

#define CALLED __attribute__((weak, visibility("hidden")))
#define ROUTINE(name)                                                                              \
  i32 name(void);                                                                                  \
  CALLED i32 name##_(void);                                                                        \
  i32 name##_(void) {                                                                              \
    return name();                                                                                 \
  }

ROUTINE(omp_get_num_teams)
ROUTINE(omp_get_team_num)
ROUTINE(omp_get_num_threads)
ROUTINE(omp_get_thread_num)
ROUTINE(omp_get_max_threads)
ROUTINE(omp_get_num_procs)
ROUTINE(omp_get_level)
ROUTINE(omp_get_active_level)
ROUTINE(omp_get_thread_limit)
ROUTINE(omp_in_parallel)
ROUTINE(omp_is_initial_device)

CALLED void load_8(i64 size, u64 *from, u64 *to, i32 order) __asm__("__atomic_load");
CALLED _Bool exchange_8(i64 size, u64 *at, u64 *old, u64 *new, i32 order,
                        i32 otherwise) __asm__("__atomic_compare_exchange");

void load_8(i64 size, u64 *from, u64 *to, i32 order) {
  (void)order;
  if (size != 8) __builtin_trap();
  *to = __atomic_load_n(from, __ATOMIC_RELAXED);
}

_Bool exchange_8(i64 size, u64 *at, u64 *old, u64 *new, i32 order, i32 otherwise) {
  (void)order, (void)otherwise;
  if (size != 8) __builtin_trap();
  return __atomic_compare_exchange_n(at, old, *new, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}
