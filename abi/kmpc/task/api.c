#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"

static SOLO_NOINLINE SOLO_COLD kmpc_explicit_task *make_first(kmpc_thread *self,
                                                              const kmpc_task_layout *layout) {
  solo_kmp_tasks_begin(self);
  return solo_kmp_task_make(self, layout);
}

static kmpc_explicit_task *make(int32_t flags, size_t object_bytes, size_t shareds_bytes,
                                int32_t (*routine)(int32_t, kmpc_task_entry *)) {
  kmpc_task_layout layout = {object_bytes, shareds_bytes, (uint32_t)flags, routine};
  kmpc_thread *self = solo_kmp_self();
  return SOLO_LIKELY(self->task_cache != NULL) ? solo_kmp_task_make(self, &layout)
                                               : make_first(self, &layout);
}

static int32_t empty_task(int32_t gtid, kmpc_task_entry *object) {
  (void)gtid, (void)object;
  return 0;
}

void *__kmpc_omp_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags, size_t object_bytes,
                            size_t shareds_bytes, int32_t (*routine)(int32_t, kmpc_task_entry *));
SOLO_EXPORT void *__kmpc_omp_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags,
                                        size_t object_bytes, size_t shareds_bytes,
                                        int32_t (*routine)(int32_t, kmpc_task_entry *)) {
  (void)loc, (void)gtid;
  if (SOLO_UNLIKELY(!routine)) routine = empty_task;
  return &make(flags, object_bytes, shareds_bytes, routine)->object;
}

void *__kmpc_omp_target_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags,
                                   size_t object_bytes, size_t shareds_bytes,
                                   int32_t (*routine)(int32_t, kmpc_task_entry *), int64_t device);
SOLO_EXPORT void *__kmpc_omp_target_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags,
                                               size_t object_bytes, size_t shareds_bytes,
                                               int32_t (*routine)(int32_t, kmpc_task_entry *),
                                               int64_t device) {
  (void)loc, (void)gtid;
  kmpc_explicit_task *work = make(flags, object_bytes, shareds_bytes, routine);
  work->head.flags |= KMPC_TASK_TARGET;
  work->device = device < 0 ? work->head.icvs->default_device : (int32_t)device;
  return &work->object;
}

int32_t __kmpc_omp_task(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT int32_t __kmpc_omp_task(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_explicit_task *work = solo_kmp_task_of(object);
  if (SOLO_UNLIKELY(self->context.task == &work->head)) {
    /* called by an untied task at a scheduling point: the routine is called again for the next part */
    work->head.flags |= KMPC_TASK_AGAIN;
    return 0;
  }
  solo_kmp_submit(self, work, NULL);
  return 0;
}

int32_t __kmpc_omp_task_parts(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT int32_t __kmpc_omp_task_parts(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object) {
  return __kmpc_omp_task(loc, gtid, object);
}

static int is_ready(void *node) {
  return solo_kmp_depend_is_ready(node);
}

static void wait_for_dependences(kmpc_thread *self, const kmpc_depend_list lists[2]) {
  kmpc_task *task = self->context.task;
  if (!task->depends || solo_kmp_children(task) == 0) return;
  kmpc_cache *cache = solo_kmp_cache(self);
  kmpc_depend_node *node = solo_kmp_depend_node(cache, NULL);
  if (!solo_kmp_depend_add(&task->depends, cache, node, lists, KMPC_DEPEND_WAIT_ONLY))
    solo_kmp_help_until(self, is_ready, node);
  (void)solo_kmp_depend_done(cache, node);
  solo_kmp_depend_drop(cache, node);
}

/* A child of a final task is executed immediately, after its predecessors. */
static void submit_dependent(kmpc_thread *self, kmpc_explicit_task *work,
                             const kmpc_depend_list lists[2]) {
  if (work->head.parent->flags & KMPC_TASK_FINAL) {
    wait_for_dependences(self, lists);
    solo_kmp_execute(self, work, lists);
  } else {
    solo_kmp_submit(self, work, lists);
  }
}

int32_t __kmpc_omp_task_with_deps(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object,
                                  int32_t count, const kmpc_depend *clauses, int32_t count_noalias,
                                  const kmpc_depend *clauses_noalias);
SOLO_EXPORT int32_t __kmpc_omp_task_with_deps(kmpc_ident *loc, int32_t gtid,
                                              kmpc_task_entry *object, int32_t count,
                                              const kmpc_depend *clauses, int32_t count_noalias,
                                              const kmpc_depend *clauses_noalias) {
  (void)loc, (void)gtid;
  kmpc_depend_list lists[2] = {{clauses, count}, {clauses_noalias, count_noalias}};
  if (count > 0 || count_noalias > 0)
    submit_dependent(solo_kmp_self(), solo_kmp_task_of(object), lists);
  else
    solo_kmp_submit(solo_kmp_self(), solo_kmp_task_of(object), NULL);
  return 0;
}

int32_t __kmpc_omp_reg_task_with_affinity(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object,
                                          int32_t count, void *list);
SOLO_EXPORT int32_t __kmpc_omp_reg_task_with_affinity(kmpc_ident *loc, int32_t gtid,
                                                      kmpc_task_entry *object, int32_t count,
                                                      void *list) {
  (void)loc, (void)gtid, (void)object, (void)count, (void)list;
  return 0;
}

/* For if(0): the compiled code calls the task's body between these two functions. */
void __kmpc_omp_task_begin_if0(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_omp_task_begin_if0(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  solo_kmp_self()->context.task = &solo_kmp_task_of(object)->head;
}

void __kmpc_omp_task_complete_if0(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_omp_task_complete_if0(kmpc_ident *loc, int32_t gtid,
                                              kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_explicit_task *work = solo_kmp_task_of(object);
  while (SOLO_UNLIKELY(work->head.flags & KMPC_TASK_AGAIN)) {
    work->head.flags &= ~(uint32_t)KMPC_TASK_AGAIN;
    object->routine(self->gtid, object);
  }
  while (SOLO_UNLIKELY(work->device_handle != NULL)) (void)solo_kmp_device_is_done(work);
  self->context.task = work->head.parent;
  solo_kmp_body_ended(self, work, NULL);
}

static int no_children(void *task) {
  return solo_kmp_children(task) == 0;
}

static void reset_child_counts(kmpc_task *task) {
  /* pairs with count_ended */
  int64_t remote_count = solo_load_acquire(&task->remote_count);
  if (remote_count > INT32_MAX || task->spawned - task->ended != (uint32_t)remote_count) return;
  solo_store_relaxed(&task->remote_count, 0);
  task->spawned = 0;
  task->ended = 0;
}

int32_t __kmpc_omp_taskwait(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_omp_taskwait(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_task *task = self->context.task;
  if (task->spawned == task->ended) return 0;
  solo_kmp_help_until(self, no_children, task);
  reset_child_counts(task);
  return 0;
}

int32_t __kmpc_omp_taskyield(kmpc_ident *loc, int32_t gtid, int32_t end_part);
SOLO_EXPORT int32_t __kmpc_omp_taskyield(kmpc_ident *loc, int32_t gtid, int32_t end_part) {
  (void)loc, (void)gtid, (void)end_part;
  kmpc_thread *self = solo_kmp_self();
  (void)solo_kmp_run_one(self, self->context.task, KMPC_SEARCH_QUICK);
  solo_kmp_notify_returned(self);
  return 0;
}

void __kmpc_omp_wait_deps(kmpc_ident *loc, int32_t gtid, int32_t count, const kmpc_depend *clauses,
                          int32_t count_noalias, const kmpc_depend *clauses_noalias);
SOLO_EXPORT void __kmpc_omp_wait_deps(kmpc_ident *loc, int32_t gtid, int32_t count,
                                      const kmpc_depend *clauses, int32_t count_noalias,
                                      const kmpc_depend *clauses_noalias) {
  (void)loc, (void)gtid;
  kmpc_depend_list lists[2] = {{clauses, count}, {clauses_noalias, count_noalias}};
  wait_for_dependences(solo_kmp_self(), lists);
}

void __kmpc_omp_taskwait_deps_51(kmpc_ident *loc, int32_t gtid, int32_t count,
                                 const kmpc_depend *clauses, int32_t count_noalias,
                                 const kmpc_depend *clauses_noalias, int32_t nowait);
SOLO_EXPORT void __kmpc_omp_taskwait_deps_51(kmpc_ident *loc, int32_t gtid, int32_t count,
                                             const kmpc_depend *clauses, int32_t count_noalias,
                                             const kmpc_depend *clauses_noalias, int32_t nowait) {
  if (!nowait) {
    __kmpc_omp_wait_deps(loc, gtid, count, clauses, count_noalias, clauses_noalias);
    return;
  }
  kmpc_depend_list lists[2] = {{clauses, count}, {clauses_noalias, count_noalias}};
  submit_dependent(solo_kmp_self(), make(KMPC_ALLOC_TIED, sizeof(kmpc_task_entry), 0, empty_task),
                   lists);
}

int omp_in_final(void);
SOLO_EXPORT int omp_in_final(void) {
  return (solo_kmp_self()->context.task->flags & KMPC_TASK_FINAL) != 0;
}

int omp_in_explicit_task(void);
SOLO_EXPORT int omp_in_explicit_task(void) {
  return (solo_kmp_self()->context.task->flags & KMPC_TASK_EXPLICIT) != 0;
}

int omp_get_max_task_priority(void);
SOLO_EXPORT int omp_get_max_task_priority(void) {
  return solo_kmp_config()->max_task_priority;
}
