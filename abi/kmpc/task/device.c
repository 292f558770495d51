/* Tasks whose body is not their end: target tasks that leave work on a device, detached tasks.
 *
 * Contract with the core (abi/tgt_kernel.c and its like). The body of a target task calls the core
 * with the nowait bit. The core may finish the work before it returns, or leave it on the device's
 * queue, put a handle through the pointer that __kmpc_omp_get_target_async_handle_ptr returns, and
 * return. Then the task is asked about, by whichever thread of the team waits, with
 * __tgt_target_nowait_query(&handle), until that sets the handle to NULL: the task is complete, its
 * dependences are released. The body is not called again.
 *
 * Early release (runtime/host_threads.h, solo_task_*): where the device runs a queue in order, what
 * comes later need not wait for the end of what came before. Chains of target tasks then go to the
 * device as fast as the host makes them.
 */
#include "abi/kmpc/task/task.h"
#include "runtime/host_threads.h"
#include <string.h>

void __tgt_target_nowait_query(void **handle) SOLO_WEAK;

int solo_kmp_device_is_done(kmpc_explicit_task *work) {
  if (!__tgt_target_nowait_query) return 1; /* a core without queues leaves no handle */
  __tgt_target_nowait_query(&work->device_handle);
  return work->device_handle == NULL;
}

void *__kmpc_omp_target_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags,
                                   size_t object_bytes, size_t shareds_bytes,
                                   int32_t (*routine)(int32_t, kmpc_task_entry *), int64_t device);
SOLO_EXPORT void *__kmpc_omp_target_task_alloc(kmpc_ident *loc, int32_t gtid, int32_t flags,
                                               size_t object_bytes, size_t shareds_bytes,
                                               int32_t (*routine)(int32_t, kmpc_task_entry *),
                                               int64_t device) {
  (void)loc, (void)gtid;
  kmpc_task_layout layout = {object_bytes, shareds_bytes, (uint32_t)flags, routine};
  kmpc_explicit_task *work = solo_kmp_work_make(solo_kmp_self(), &layout);
  work->head.flags |= KMPC_TASK_TARGET;
  work->device = device < 0 ? work->head.icvs->default_device : (int32_t)device;
  return &work->object;
}

/* Where the core may leave a handle: in the current target task; NULL: it must finish here. */
void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid);
SOLO_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid) {
  (void)gtid;
  kmpc_task *task = solo_kmp_self()->context.task;
  if (!(task->flags & KMPC_TASK_TARGET)) return NULL;
  return &((kmpc_explicit_task *)(void *)task)->device_handle;
}

/* Is the caller in a task that may leave its work on a device? */
int32_t __kmpc_omp_has_task_team(int32_t gtid);
SOLO_EXPORT int32_t __kmpc_omp_has_task_team(int32_t gtid) {
  return __kmpc_omp_get_target_async_handle_ptr(gtid) != NULL;
}

static kmpc_explicit_task *current_target_task(void) {
  kmpc_task *task = solo_kmp_self()->context.task;
  return task->flags & KMPC_TASK_TARGET ? (kmpc_explicit_task *)(void *)task : NULL;
}

void solo_task_queued_on(void *queue) {
  kmpc_explicit_task *work = current_target_task();
  if (work) work->device_queue = queue;
}

int32_t solo_task_queues(void **out_queues, int32_t capacity) {
  kmpc_explicit_task *work = current_target_task();
  const void *routine;
  if (!work) return 0;
  memcpy(&routine, &work->object.routine, sizeof routine); /* code as an address */
  solo_kmp_depend_asks(routine);
  const kmpc_node *node = work->node;
  int32_t count = node ? node->after_count : 0;
  /* no lock: all predecessors have let the task go before it began */
  for (int32_t i = 0; i < count && i < capacity; i++) out_queues[i] = node->after[i];
  return count < capacity ? count : capacity;
}

/* --- detach ------------------------------------------------------------------------------------*/

void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid, kmpc_task_entry *object);
SOLO_EXPORT void *__kmpc_task_allow_completion_event(kmpc_ident *loc, int32_t gtid,
                                                     kmpc_task_entry *object) {
  (void)loc, (void)gtid;
  kmpc_explicit_task *work = solo_kmp_work_of(object);
  work->head.flags |= KMPC_TASK_DETACHABLE;
  return work;
}

/* Any thread may call it, one of OpenMP's or not. */
static void fulfil(kmpc_explicit_task *work) {
  /* pairs with goes_on in task.c; when the body has not ended, the task is no longer ours to touch
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
  fulfil(solo_kmp_work_of(object));
}

void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object);
SOLO_EXPORT void __kmpc_proxy_task_completed_ooo(kmpc_task_entry *object) {
  fulfil(solo_kmp_work_of(object));
}
