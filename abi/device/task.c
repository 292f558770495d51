/* Functions of tasks that Clang 19's device runtime lacks. The encountering thread executes a task
 * at once. Therefore the tasks of a reduction need no private copies: they update the list item. In
 * a region with reduction(task, ...) the list item is the encountering thread's private copy. */
typedef int i32;
typedef long long i64;
typedef unsigned long long u64;
typedef struct ident ident;

#define CALLED __attribute__((weak, visibility("hidden")))

CALLED void *__kmpc_taskred_init(i32 thread, i32 count, void *items);
void *__kmpc_taskred_init(i32 thread, i32 count, void *items) {
  (void)thread, (void)count;
  return items;
}

CALLED void *__kmpc_taskred_modifier_init(ident *loc, i32 thread, i32 is_loop, i32 count,
                                          void *items);
void *__kmpc_taskred_modifier_init(ident *loc, i32 thread, i32 is_loop, i32 count, void *items) {
  (void)loc, (void)thread, (void)is_loop, (void)count;
  return items;
}

CALLED void __kmpc_task_reduction_modifier_fini(ident *loc, i32 thread, i32 is_loop);
void __kmpc_task_reduction_modifier_fini(ident *loc, i32 thread, i32 is_loop) {
  (void)loc, (void)thread, (void)is_loop;
}

CALLED void *__kmpc_task_reduction_get_th_data(i32 thread, void *group, void *item);
void *__kmpc_task_reduction_get_th_data(i32 thread, void *group, void *item) {
  (void)thread, (void)group;
  return item;
}

CALLED i32 __kmpc_omp_reg_task_with_affinity(ident *loc, i32 thread, void *task, i32 count,
                                             void *list);
i32 __kmpc_omp_reg_task_with_affinity(ident *loc, i32 thread, void *task, i32 count, void *list) {
  (void)loc, (void)thread, (void)task, (void)count, (void)list;
  return 0;
}

CALLED void __kmpc_omp_taskwait_deps_51(ident *loc, i32 thread, i32 count, void *list,
                                        i32 count_noalias, void *list_noalias, i32 nowait);
void __kmpc_omp_taskwait_deps_51(ident *loc, i32 thread, i32 count, void *list, i32 count_noalias,
                                 void *list_noalias, i32 nowait) {
  (void)loc, (void)thread, (void)count, (void)list, (void)count_noalias, (void)list_noalias;
  (void)nowait;
}

void __kmpc_taskloop(ident *loc, i32 thread, void *task, i32 condition, u64 *lower, u64 *upper,
                     i64 step, i32 no_group, i32 schedule, u64 grain, void *copy);

/* grainsize(strict: ...), num_tasks(strict: ...): one task executes all iterations. */
CALLED void __kmpc_taskloop_5(ident *loc, i32 thread, void *task, i32 condition, u64 *lower,
                              u64 *upper, i64 step, i32 no_group, i32 schedule, u64 grain,
                              i32 modifier, void *copy);
void __kmpc_taskloop_5(ident *loc, i32 thread, void *task, i32 condition, u64 *lower, u64 *upper,
                       i64 step, i32 no_group, i32 schedule, u64 grain, i32 modifier, void *copy) {
  (void)modifier;
  __kmpc_taskloop(loc, thread, task, condition, lower, upper, step, no_group, schedule, grain,
                  copy);
}
