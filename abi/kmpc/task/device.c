/* Target tasks with work on a device (runtime/host_threads.h), and detached tasks. */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"
#include "runtime/host_threads.h"
#include <string.h>

typedef void (*query_function)(void **handle);
static query_function _Atomic core_query;

int solo_kmp_device_is_done(kmpc_explicit_task *work) {
  query_function query = solo_load_relaxed(&core_query); /* relaxed: always the same function */
  if (query) query(&work->device_handle);
  return !query || work->device_handle == NULL;
}

static kmpc_explicit_task *current_target_task(void) {
  kmpc_task *task = solo_kmp_self()->context.task;
  return task->flags & KMPC_TASK_TARGET ? (kmpc_explicit_task *)(void *)task : NULL;
}

void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid);
SOLO_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid) {
  (void)gtid;
  kmpc_explicit_task *work = current_target_task();
  return work ? &work->device_handle : NULL;
}

int32_t __kmpc_omp_has_task_team(int32_t gtid);
SOLO_EXPORT int32_t __kmpc_omp_has_task_team(int32_t gtid) {
  return __kmpc_omp_get_target_async_handle_ptr(gtid) != NULL;
}

static void **handle_slot(query_function query) {
  kmpc_explicit_task *work = current_target_task();
  if (!work) return NULL;
  solo_store_relaxed(&core_query, query); /* relaxed: always the same function */
  return &work->device_handle;
}

static void queued_on(void *queue) {
  kmpc_explicit_task *work = current_target_task();
  if (work) work->device_queue = queue;
}

static int32_t queues(void **out_queues, int32_t capacity) {
  kmpc_explicit_task *work = current_target_task();
  const void *routine;
  if (!work) return 0;
  memcpy(&routine, &work->object.routine, sizeof routine);
  solo_kmp_depend_note_queues_caller(routine);
  const kmpc_depend_node *node = work->node;
  int32_t count = node ? node->after_count : 0;
  /* no lock: all predecessors have released the task, so `after` is constant */
  for (int32_t i = 0; i < count && i < capacity; i++) out_queues[i] = node->after[i];
  return count < capacity ? count : capacity;
}

const solo_host_tasks_seam solo_host_tasks = {
    .handle_slot = handle_slot,
    .queued_on = queued_on,
    .queues = queues,
};

void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid,
                                                     kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  kmpc_explicit_task *work = solo_kmp_task_of(object);
  work->head.flags |= KMPC_TASK_DETACHABLE;
  return work;
}

static void fulfil(kmpc_explicit_task *work) {
  /* Invariant: the thread that sets its bit last completes the task. The other thread must not
   *            access the task.
   * Ordering:  this acq_rel operation pairs with the same operation in goes_on().
   * Otherwise: the task could be completed twice or never.
   */
  if (solo_or_acq_rel(&work->event, KMPC_EVENT_FULFILLED) & KMPC_EVENT_BODY_ENDED)
    solo_kmp_push_fulfilled(work);
}

void omp_fulfill_event(uintptr_t event);
SOLO_EXPORT void omp_fulfill_event(uintptr_t event) {
  if (event) fulfil((kmpc_explicit_task *)event);
}

void __kmpc_proxy_task_completed(int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_proxy_task_completed(int32_t gtid, kmpc_task_entry *object) {
  (void)gtid;
  fulfil(solo_kmp_task_of(object));
}

void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object) {
  fulfil(solo_kmp_task_of(object));
}
