/* GOMP_taskloop over task/loop.c. The first two words of GCC's private data are the first and the
 * last bound of the task's iterations. With a reduction the third word is the address of its array. */
#include "abi/gomp/internal.h"
#include "abi/kmpc/task/task.h"

#include <string.h>

/* Arguments of the construct. Each task has a copy, because with nogroup the task can run after
 * GOMP_taskloop returns. */
typedef struct gomp_taskloop {
  kmpc_task_entry entry;
  uint64_t lower, upper;
  gomp_function *body;
  gomp_copy *copy;
  const void *source;
  size_t bytes, alignment;
  uint64_t end;
  gomp_space space;
} gomp_taskloop;

void __kmpc_taskloop_5(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object, int32_t if_value,
                       uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup,
                       int32_t schedule, uint64_t amount, int32_t strict,
                       void (*copy)(kmpc_task_entry *to, kmpc_task_entry *from, int32_t is_last));

static void *data_of(gomp_taskloop *task) {
  uintptr_t at = (uintptr_t)(task + 1);
  return (void *)((at + task->alignment - 1) / task->alignment * task->alignment);
}

static int32_t run(int32_t gtid, kmpc_task_entry *object) {
  gomp_taskloop *task = (gomp_taskloop *)(void *)object;
  const gomp_space *space = &task->space;
  uint64_t *data = data_of(task);
  (void)gtid;
  data[0] = space->start + task->lower * (uint64_t)space->step;
  data[1] = task->upper + 1 == space->trip
                ? task->end
                : space->start + (task->upper + 1) * (uint64_t)space->step;
  task->body(data);
  return 0;
}

static void copy_data(kmpc_task_entry *to, kmpc_task_entry *from, int32_t is_last) {
  gomp_taskloop *task = (gomp_taskloop *)(void *)to;
  (void)from, (void)is_last;
  if (task->copy) {
    void *source;
    memcpy(&source, &task->source, sizeof source);
    task->copy(data_of(task), source);
  } else {
    memcpy(data_of(task), task->source, task->bytes);
  }
}

typedef struct clauses {
  unsigned flags;
  uint64_t tasks; /* num_tasks or grainsize; 0: no clause */
  int priority;
} clauses;

static void run_taskloop(const gomp_taskloop *model, clauses given) {
  enum { NONE, GRAINSIZE, NUM_TASKS };
  kmpc_thread *self = solo_kmp_self();
  int has_group = !(given.flags & GOMP_TASK_NOGROUP);
  uintptr_t *reductions = NULL;
  if (given.flags & GOMP_TASK_REDUCTION) reductions = ((uintptr_t *const *)model->source)[2];
  if (!model->space.trip) {
    if (reductions) reductions[GOMP_REDUCTION_COPIES] = 0; /* 0: GCC's code combines nothing */
    return;
  }
  if (has_group) GOMP_taskgroup_start();
  if (reductions) GOMP_taskgroup_reduction_register(reductions);
  size_t object_bytes = sizeof *model + model->alignment + model->bytes;
  kmpc_task_layout layout = {object_bytes, 0, KMPC_ALLOC_TIED, run};
  if (given.flags & GOMP_TASK_FINAL) layout.alloc_flags |= KMPC_ALLOC_FINAL;
  if (given.flags & GOMP_TASK_PRIORITY) layout.alloc_flags |= KMPC_ALLOC_PRIORITY;
  solo_kmp_ensure_task_cache(self);
  kmpc_explicit_task *work = solo_kmp_task_make(self, &layout);
  gomp_taskloop *task = (gomp_taskloop *)(void *)&work->object;
  kmpc_task_entry entry = work->object;
  *task = *model;
  task->entry = entry;
  task->entry.priority = given.priority;
  task->lower = 0;
  task->upper = model->space.trip - 1;
  int32_t schedule = !given.tasks                        ? NONE
                     : given.flags & GOMP_TASK_GRAINSIZE ? GRAINSIZE
                                                         : NUM_TASKS;
  __kmpc_taskloop_5(NULL, 0, &work->object, (given.flags & GOMP_TASK_IF) != 0, &task->lower,
                    &task->upper, 1, 1, schedule, given.tasks,
                    (given.flags & GOMP_TASK_STRICT) != 0, copy_data);
  if (has_group) GOMP_taskgroup_end();
}

#define MODEL(space_)                                                                              \
  gomp_taskloop model = {.body = body,                                                             \
                         .copy = copy,                                                             \
                         .source = data,                                                           \
                         .bytes = (size_t)bytes,                                                   \
                         .alignment = alignment > 8 ? (size_t)alignment : 8,                       \
                         .end = (uint64_t)end,                                                     \
                         .space = space_};                                                         \
  run_taskloop(&model, (clauses){flags, tasks, priority})

SOLO_EXPORT void GOMP_taskloop(gomp_function *body, void *data, gomp_copy *copy, long bytes,
                               long alignment, unsigned flags, unsigned long tasks, int priority,
                               long start, long end, long step) {
  MODEL(solo_gomp_long_space(start, end, step));
}

SOLO_EXPORT void GOMP_taskloop_ull(gomp_function *body, void *data, gomp_copy *copy, long bytes,
                                   long alignment, unsigned flags, unsigned long tasks,
                                   int priority, gomp_ull start, gomp_ull end, gomp_ull step) {
  MODEL(solo_gomp_ull_space((flags & GOMP_TASK_UP) != 0, start, end, step));
}
