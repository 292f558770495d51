/* taskloop: one task per chunk, each a copy of the task that the compiler created. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"

enum { SCHEDULE_NONE = 0, SCHEDULE_GRAINSIZE = 1, SCHEDULE_NUM_TASKS = 2, TASKS_PER_THREAD = 10 };

typedef void (*copy_privates)(kmpc_task_entry *to, kmpc_task_entry *from, int32_t is_last);

typedef struct taskloop {
  kmpc_explicit_task *model;
  uint64_t *lower, *upper;
  int64_t step;
  int32_t schedule, strict;
  uint64_t amount;
  int32_t undeferred;
  copy_privates copy;
} taskloop;

/* The first `longer` chunks have size + 1 iterations. */
typedef struct division {
  uint64_t tasks, size, longer;
} division;

/* The compiler passes 64-bit bounds without signedness. A distance above INT64_MAX means an empty
 * loop. */
static uint64_t trip_count(const taskloop *loop) {
  uint64_t step = loop->step > 0 ? (uint64_t)loop->step : -(uint64_t)loop->step;
  uint64_t distance = loop->step > 0 ? *loop->upper - *loop->lower : *loop->lower - *loop->upper;
  return distance > INT64_MAX ? 0 : distance / step + 1;
}

static division divide(const kmpc_thread *self, const taskloop *loop, uint64_t trips) {
  uint64_t amount = loop->amount ? loop->amount : 1;
  division d = {.longer = 0};
  if (loop->schedule == SCHEDULE_GRAINSIZE && loop->strict) {
    d.size = amount < trips ? amount : trips;
    d.tasks = (trips - 1) / d.size + 1;
    return d;
  }
  if (loop->schedule == SCHEDULE_GRAINSIZE)
    d.tasks = trips / amount;
  else if (loop->schedule == SCHEDULE_NUM_TASKS)
    d.tasks = amount;
  else
    d.tasks = (uint64_t)self->context.team->size * TASKS_PER_THREAD;
  if (d.tasks > trips) d.tasks = trips;
  if (d.tasks == 0) d.tasks = 1;
  d.size = trips / d.tasks;
  d.longer = trips % d.tasks;
  return d;
}

static void run_taskloop(kmpc_thread *self, const taskloop *loop) {
  uint64_t trips = trip_count(loop);
  if (trips) {
    division d = divide(self, loop, trips);
    size_t lower_at = (size_t)((char *)loop->lower - (char *)&loop->model->object);
    size_t upper_at = (size_t)((char *)loop->upper - (char *)&loop->model->object);
    uint64_t step = (uint64_t)loop->step, begin = 0;
    for (uint64_t i = 0; i < d.tasks; i++) {
      uint64_t end = begin + d.size + (i < d.longer);
      if (end > trips) end = trips;
      kmpc_explicit_task *work = solo_kmp_task_copy(self, loop->model);
      uint64_t *lower = (uint64_t *)(void *)((char *)&work->object + lower_at);
      uint64_t *upper = (uint64_t *)(void *)((char *)&work->object + upper_at);
      *lower = *loop->lower + begin * step;
      *upper = *loop->lower + (end - 1) * step;
      if (loop->copy) loop->copy(&work->object, &loop->model->object, end == trips);
      if (loop->undeferred)
        solo_kmp_execute(self, work, NULL);
      else
        solo_kmp_submit(self, work, NULL);
      begin = end;
    }
  }
  solo_kmp_discard(self, loop->model);
}

void __kmpc_taskloop_5(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object, int32_t if_value,
                       uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup,
                       int32_t schedule, uint64_t amount, int32_t strict, copy_privates copy);
SOLO_EXPORT void __kmpc_taskloop_5(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object,
                                   int32_t if_value, uint64_t *lower, uint64_t *upper, int64_t step,
                                   int32_t nogroup, int32_t schedule, uint64_t amount,
                                   int32_t strict, copy_privates copy) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  taskloop loop = {.model = solo_kmp_task_of(object),
                   .lower = lower,
                   .upper = upper,
                   .step = step,
                   .schedule = schedule,
                   .strict = strict,
                   .amount = amount,
                   .undeferred = !if_value,
                   .copy = copy};
  if (!nogroup) {
    kmpc_taskgroup *group = solo_kmp_taskgroup_open(self);
    loop.model->head.taskgroup = group;
  }
  run_taskloop(self, &loop);
  if (!nogroup) solo_kmp_taskgroup_close(self);
}

void __kmpc_taskloop(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object, int32_t if_value,
                     uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup,
                     int32_t schedule, uint64_t amount, copy_privates copy);
SOLO_EXPORT void __kmpc_taskloop(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object,
                                 int32_t if_value, uint64_t *lower, uint64_t *upper, int64_t step,
                                 int32_t nogroup, int32_t schedule, uint64_t amount,
                                 copy_privates copy) {
  __kmpc_taskloop_5(loc, gtid, object, if_value, lower, upper, step, nogroup, schedule, amount, 0,
                    copy);
}
