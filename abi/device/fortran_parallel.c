/* Device code: parallel regions of flang 22. In generic mode the device runtime needs a wrapper
 * function for the worker threads, which flang does not emit. Therefore solo-fc renames
 * __kmpc_parallel_60 to solo_parallel_60, which passes its own wrapper. A region has at most one
 * argument, the address of a structure. */
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
