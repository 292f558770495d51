/* GOMP_task. GCC's private data are stored after the runtime's task record. */
#include "abi/kmpc/task/task.h"
#include "abi/gomp/internal.h"
#include "abi/kmpc/env/icv.h"
#include "abi/kmpc/team/cancellation.h"

#include <stdlib.h>
#include <string.h>

typedef struct gomp_task {
  kmpc_task_entry entry;
  gomp_function *body;
  void *data;
} gomp_task;

static int32_t run(int32_t gtid, kmpc_task_entry *object) {
  gomp_task *task = (gomp_task *)(void *)object;
  (void)gtid;
  task->body(task->data);
  return 0;
}

typedef struct source {
  gomp_function *body;
  void *data;
  gomp_copy *copy;
  size_t bytes, alignment;
} source;

static kmpc_explicit_task *make(kmpc_thread *self, const source *from, uint32_t alloc_flags) {
  size_t slack = from->alignment > 8 ? from->alignment : 0;
  kmpc_task_layout layout = {sizeof(gomp_task) + from->bytes + slack, 0, alloc_flags, run};
  solo_kmp_ensure_task_cache(self);
  kmpc_explicit_task *work = solo_kmp_task_make(self, &layout);
  gomp_task *task = (gomp_task *)(void *)&work->object;
  uintptr_t at = (uintptr_t)(task + 1);
  if (slack) at = (at + from->alignment - 1) / from->alignment * from->alignment;
  task->body = from->body;
  task->data = (void *)at;
  return work;
}

static void copy_data(const source *from, void *to) {
  if (from->copy)
    from->copy(to, from->data);
  else if (from->bytes)
    memcpy(to, from->data, from->bytes);
}

static uint32_t alloc_flags_of(unsigned flags) {
  uint32_t alloc_flags = KMPC_ALLOC_TIED;
  if (flags & GOMP_TASK_FINAL) alloc_flags |= KMPC_ALLOC_FINAL;
  if (flags & GOMP_TASK_PRIORITY) alloc_flags |= KMPC_ALLOC_PRIORITY;
  if (flags & GOMP_TASK_DETACH) alloc_flags |= KMPC_ALLOC_DETACHABLE;
  return alloc_flags;
}

static SOLO_NOINLINE void submit_with_depend(kmpc_thread *self, kmpc_explicit_task *work,
                                             bool deferred, void **depend) {
  kmpc_depend few[GOMP_FEW_DEPENDS], *list = few;
  int32_t count = solo_gomp_depend_count(depend);
  if (count > GOMP_FEW_DEPENDS && !(list = malloc((size_t)count * sizeof *list)))
    solo_kmp_fatal("out of memory for %d dependences", (int)count);
  if (count) solo_gomp_depend_convert(depend, list);
  kmpc_depend_list lists[2] = {{list, count}, {NULL, 0}};
  if (deferred && !(work->head.parent->flags & KMPC_TASK_FINAL)) {
    solo_kmp_submit(self, work, count ? lists : NULL);
  } else {
    if (count) solo_gomp_depend_wait(depend);
    solo_kmp_execute(self, work, count ? lists : NULL);
  }
  if (list != few) free(list);
}

static void submit(kmpc_thread *self, kmpc_explicit_task *work, bool deferred, void **depend) {
  if (SOLO_UNLIKELY(depend != NULL))
    submit_with_depend(self, work, deferred, depend);
  else if (deferred)
    solo_kmp_submit(self, work, NULL);
  else
    solo_kmp_execute(self, work, NULL);
}

static int is_cancelled(const kmpc_thread *self) {
  if (!solo_kmp_config()->cancellation) return 0;
  if (solo_kmp_group_is_cancelled(self->context.task->taskgroup)) return 1;
  /* pairs with __kmpc_cancel */
  return (solo_load_acquire(&self->context.team->cancel) & KMPC_CANCEL_PARALLEL) != 0;
}

/* The body destroys data that a copy function has constructed. */
static void construct(kmpc_explicit_task *work, const source *from, void *to) {
  if (from->copy) work->head.flags |= KMPC_TASK_MUST_RUN;
  copy_data(from, to);
}

enum { SPECIAL = GOMP_TASK_DEPEND | GOMP_TASK_DETACH | GOMP_TASK_PRIORITY };

static int is_included(const kmpc_thread *self, bool deferred) {
  return !deferred || self->context.team->size == 1 || self->context.task->flags & KMPC_TASK_FINAL;
}

/* Executes an included task with the data of the caller. */
static void execute(kmpc_thread *self, const source *from, unsigned flags) {
  source empty = {from->body, NULL, NULL, 0, 0};
  kmpc_explicit_task *work = make(self, &empty, alloc_flags_of(flags));
  gomp_task *task = (gomp_task *)(void *)&work->object;
  task->data = from->data;
  solo_kmp_execute(self, work, NULL);
}

SOLO_EXPORT void GOMP_task(gomp_function *body, void *data, gomp_copy *copy, long bytes,
                           long alignment, bool deferred, unsigned flags, void **depend,
                           int priority, void *event) {
  kmpc_thread *self = solo_kmp_self();
  source from = {body, data, copy, (size_t)bytes, (size_t)alignment};
  if (copy && is_cancelled(self)) return;
  if (!copy && !(flags & SPECIAL) && is_included(self, deferred)) {
    execute(self, &from, flags);
    return;
  }
  kmpc_explicit_task *work = make(self, &from, alloc_flags_of(flags));
  gomp_task *task = (gomp_task *)(void *)&work->object;
  if (flags & GOMP_TASK_PRIORITY) work->object.priority = priority;
  /* The event variable is the first private variable. Its value is the task, the argument of
   * omp_fulfill_event(). */
  if (flags & GOMP_TASK_DETACH) *(uintptr_t *)event = (uintptr_t)work;
  construct(work, &from, task->data);
  if (flags & GOMP_TASK_DETACH && bytes >= (long)sizeof work)
    memcpy(task->data, &work, sizeof work);
  submit(self, work, deferred, flags & GOMP_TASK_DEPEND ? depend : NULL);
}
