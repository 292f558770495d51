/* Prototypes of the functions that objects of GCC call, and the constants that GCC passes. Source:
 * the calls in the output of gcc-12 -fopenmp -fdump-tree-optimized. */
#ifndef SOLO_GOMP_H
#define SOLO_GOMP_H

#include "runtime/base/platform.h"

#include <stdbool.h>

typedef void gomp_function(void *data);
typedef void gomp_copy(void *to, void *from);
typedef unsigned long long gomp_ull;

enum {
  GOMP_TASK_FINAL = 1 << 1,
  GOMP_TASK_DEPEND = 1 << 3,
  GOMP_TASK_PRIORITY = 1 << 4,
  GOMP_TASK_UP = 1 << 8,
  GOMP_TASK_GRAINSIZE = 1 << 9,
  GOMP_TASK_IF = 1 << 10,
  GOMP_TASK_NOGROUP = 1 << 11,
  GOMP_TASK_REDUCTION = 1 << 12,
  GOMP_TASK_DETACH = 1 << 13,
  GOMP_TASK_STRICT = 1 << 14,
};
enum {
  GOMP_CANCEL_PARALLEL = 1,
  GOMP_CANCEL_LOOP = 2,
  GOMP_CANCEL_SECTIONS = 4,
  GOMP_CANCEL_TASKGROUP = 8
};

void GOMP_parallel(gomp_function *body, void *data, unsigned threads, unsigned flags);
void GOMP_parallel_start(gomp_function *body, void *data, unsigned threads);
void GOMP_parallel_end(void);
unsigned GOMP_parallel_reductions(gomp_function *body, void *data, unsigned threads,
                                  unsigned flags);
void GOMP_parallel_sections(gomp_function *body, void *data, unsigned threads, unsigned count,
                            unsigned flags);

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
void GOMP_scope_start(uintptr_t *reductions);

void GOMP_doacross_post(long *iteration);
void GOMP_doacross_wait(long first, ...);
void GOMP_doacross_ull_post(gomp_ull *iteration);
void GOMP_doacross_ull_wait(gomp_ull first, ...);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);

bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
bool GOMP_cancel(int construct, bool cancels);
bool GOMP_cancellation_point(int construct);

void GOMP_task(gomp_function *body, void *data, gomp_copy *copy, long bytes, long alignment,
               bool deferred, unsigned flags, void **depend, int priority, void *event);
void GOMP_taskloop(gomp_function *body, void *data, gomp_copy *copy, long bytes, long alignment,
                   unsigned flags, unsigned long tasks, int priority, long start, long end,
                   long step);
void GOMP_taskloop_ull(gomp_function *body, void *data, gomp_copy *copy, long bytes, long alignment,
                       unsigned flags, unsigned long tasks, int priority, gomp_ull start,
                       gomp_ull end, gomp_ull step);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend_nowait(void **depend);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

void GOMP_taskgroup_reduction_register(uintptr_t *reductions);
void GOMP_taskgroup_reduction_unregister(uintptr_t *reductions);
void GOMP_task_reduction_remap(size_t count, size_t originals, void **addresses);
void GOMP_workshare_task_reduction_unregister(bool cancelled);

void GOMP_teams_reg(gomp_function *body, void *data, unsigned teams, unsigned thread_limit,
                    unsigned flags);
void GOMP_teams(unsigned teams, unsigned thread_limit);
bool GOMP_teams4(unsigned low, unsigned high, unsigned thread_limit, bool is_first);
void GOMP_target(int device, gomp_function *body, const void *unused, size_t count, void **hosts,
                 size_t *sizes, unsigned char *kinds);
void GOMP_target_ext(int device, gomp_function *body, size_t count, void **hosts, size_t *sizes,
                     unsigned short *kinds, unsigned flags, void **depend, void **arguments);
void GOMP_target_data(int device, const void *unused, size_t count, void **hosts, size_t *sizes,
                      unsigned char *kinds);
void GOMP_target_data_ext(int device, size_t count, void **hosts, size_t *sizes,
                          unsigned short *kinds);
void GOMP_target_end_data(void);
void GOMP_target_update(int device, const void *unused, size_t count, void **hosts, size_t *sizes,
                        unsigned char *kinds);
void GOMP_target_update_ext(int device, size_t count, void **hosts, size_t *sizes,
                            unsigned short *kinds, unsigned flags, void **depend);
void GOMP_target_enter_exit_data(int device, size_t count, void **hosts, size_t *sizes,
                                 unsigned short *kinds, unsigned flags, void **depend);
void GOMP_offload_register(const void *table, int target, const void *image);
void GOMP_offload_register_ver(unsigned version, const void *table, int target, const void *image);
void GOMP_offload_unregister(const void *table, int target, const void *image);
void GOMP_offload_unregister_ver(unsigned version, const void *table, int target,
                                 const void *image);

void *GOMP_alloc(size_t alignment, size_t bytes, uintptr_t allocator);
void GOMP_free(void *block, uintptr_t allocator);
void GOMP_warning(const char *text, size_t length);
void GOMP_error(const char *text, size_t length);

#endif
