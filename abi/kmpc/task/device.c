/* Tasks whose body is not their end: target tasks that leave work on a device, detached tasks.
 *
 * What a target task's body may leave behind, and who asks about it: runtime/host_threads.h (solo_host_tasks). The
 * body is not called again. Where the device runs a queue in order, what comes later need not wait for the end of what
 * came before: chains of target tasks go to the device as fast as the host makes them.
 */
#include "abi/kmpc/task/task.h"
#include "abi/kmpc/team/thread.h"
#include "runtime/host_threads.h"
#include <string.h>

typedef void (*query_function)(void **handle);
static query_function _Atomic core_query; /* NULL: the core has left no handle yet */

int solo_kmp_device_is_done(kmpc_explicit_task *work) {
  query_function query = solo_load_relaxed(&core_query); /* always the same code */
  if (query) query(&work->device_handle);
  return !query || work->device_handle == NULL;
}

static kmpc_explicit_task *current_target_task(void) {
  kmpc_task *task = solo_kmp_self()->context.task;
  return task->flags & KMPC_TASK_TARGET ? (kmpc_explicit_task *)(void *)task : NULL;
}

/* libomp's names for the same; solo's core uses solo_host_tasks. */
void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid);
SOLO_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid) {
  (void)gtid;
  kmpc_explicit_task *work = current_target_task();
  return work ? &work->device_handle : NULL;
}

/* Is the caller in a task that may leave its work on a device? */
int32_t __kmpc_omp_has_task_team(int32_t gtid);
SOLO_EXPORT int32_t __kmpc_omp_has_task_team(int32_t gtid) {
  return __kmpc_omp_get_target_async_handle_ptr(gtid) != NULL;
}

static void **handle_slot(query_function query) {
  kmpc_explicit_task *work = current_target_task();
  if (!work) return NULL;
  solo_store_relaxed(&core_query, query); /* code; the task's lists order the handle */
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
  memcpy(&routine, &work->object.routine, sizeof routine); /* code as an address */
  solo_kmp_depend_asks(routine);
  const kmpc_depend_node *node = work->node;
  int32_t count = node ? node->after_count : 0;
  /* no lock: all predecessors have let the task go before it began */
  for (int32_t i = 0; i < count && i < capacity; i++) out_queues[i] = node->after[i];
  return count < capacity ? count : capacity;
}

const solo_host_tasks_seam solo_host_tasks = {
    .handle_slot = handle_slot,
    .queued_on = queued_on,
    .queues = queues,
};

/* --- detach ------------------------------------------------------------------------------------*/

void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid,
                                                     kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  kmpc_explicit_task *work = solo_kmp_task_of(object);
  work->head.flags |= KMPC_TASK_DETACHABLE;
  return work;
}

/* Any thread may call it, one of OpenMP's or not. */
static void fulfil(kmpc_explicit_task *work) {
  /* pairs with goes_on in life.c; when the body has not ended, the task is no longer ours to touch
   */
  if (solo_or_acq_rel(&work->event, KMPC_EVENT_FULFILLED) & KMPC_EVENT_BODY_ENDED)
    solo_kmp_push_fulfilled(work);
}

void omp_fulfill_event(uintptr_t event);
SOLO_EXPORT void omp_fulfill_event(uintptr_t event) {
  if (event) fulfil((kmpc_explicit_task *)event);
}

/* The same for runtimes that make proxy tasks: from a thread of the team, from elsewhere. */
void __kmpc_proxy_task_completed(int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_proxy_task_completed(int32_t gtid, kmpc_task_entry *object) {
  (void)gtid;
  fulfil(solo_kmp_task_of(object));
}

void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object) {
  fulfil(solo_kmp_task_of(object));
}
