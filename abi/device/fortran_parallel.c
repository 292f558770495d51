/* Parallel regions and array reductions of flang 22. In generic mode the device runtime needs a wrapper, which flang does not
 * emit. Therefore solo-fc renames __kmpc_parallel_60. */
typedef int i32;
typedef unsigned u32;
typedef struct ident ident;

#define CALLED __attribute__((weak, visibility("hidden")))

typedef void region_0(i32 *thread, i32 *zero);
typedef void region_1(i32 *thread, i32 *zero, void *argument);

signed char __kmpc_is_spmd_exec_mode(void);
void __kmpc_get_shared_variables(void ***variables);
void __kmpc_parallel_51(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                        void *function, void *wrapper, void **arguments, long count);

static void call_0(i32 *thread, i32 *zero, void *function, void *argument) {
  (void)argument;
  ((region_0 *)function)(thread, zero);
}

static void call_1(i32 *thread, i32 *zero, void *function, void *argument) {
  ((region_1 *)function)(thread, zero, argument);
}

static void worker_0(short unused, u32 thread) {
  i32 number = (i32)thread, zero = 0;
  void **shared;
  (void)unused;
  __kmpc_get_shared_variables(&shared);
  call_0(&number, &zero, shared[0], 0);
}

static void worker_1(short unused, u32 thread) {
  i32 number = (i32)thread, zero = 0;
  void **shared;
  (void)unused;
  __kmpc_get_shared_variables(&shared);
  call_1(&number, &zero, shared[0], shared[1]);
}

CALLED void solo_parallel_60(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                             void *function, void *wrapper, void **arguments, long count,
                             i32 strict);
void solo_parallel_60(ident *loc, i32 thread, i32 condition, i32 threads, i32 binding,
                      void *function, void *wrapper, void **arguments, long count, i32 strict) {
  (void)strict;
  if (wrapper || count > 1 || __kmpc_is_spmd_exec_mode()) {
    __kmpc_parallel_51(loc, thread, condition, threads, binding, function, wrapper, arguments,
                       count);
    return;
  }
  void *both[] = {function, count ? arguments[0] : 0};
  __kmpc_parallel_51(loc, thread, condition, threads, binding, count ? call_1 : call_0,
                     count ? worker_1 : worker_0, both, 2);
}

/* flang's functions that combine two threads' arrays copy only the descriptors. Therefore each
 * thread adds its arrays to the original under this lock. tools/cc_fortran_reduce.c inserts the
 * call of solo_reduce_end(), which unlocks. */
static i32 reduction_lock[8]; /* kmp_critical_name */

i32 omp_get_level(void);
void __kmpc_critical(ident *loc, i32 thread, i32 *name);
void __kmpc_end_critical(ident *loc, i32 thread, i32 *name);
u32 __kmpc_get_hardware_thread_id_in_block(void);

CALLED i32 solo_parallel_reduce(ident *loc, long size, void *list, void *shuffle, void *copy);
i32 solo_parallel_reduce(ident *loc, long size, void *list, void *shuffle, void *copy) {
  (void)size, (void)list, (void)shuffle, (void)copy;
  __kmpc_critical(loc, 0, reduction_lock);
  return 1;
}

/* In a combined construct, each thread of the parallel region adds its copy of the team's arrays. At level 0 in SPMD mode,
 * all threads call this function, but only the first thread adds. */
CALLED i32 solo_teams_reduce(ident *loc, void *buffer, i32 count, long size, void *list,
                             void *shuffle, void *copy, void *f, void *g, void *h, void *i);
i32 solo_teams_reduce(ident *loc, void *buffer, i32 count, long size, void *list, void *shuffle,
                      void *copy, void *f, void *g, void *h, void *i) {
  (void)buffer, (void)count, (void)f, (void)g, (void)h, (void)i;
  if (!omp_get_level() && __kmpc_is_spmd_exec_mode() && __kmpc_get_hardware_thread_id_in_block())
    return 0;
  return solo_parallel_reduce(loc, size, list, shuffle, copy);
}

CALLED void solo_reduce_end(i32 is_locked);
void solo_reduce_end(i32 is_locked) {
  if (is_locked) __kmpc_end_critical(0, 0, reduction_lock);
}
