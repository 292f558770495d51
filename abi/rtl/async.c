/* Asynchronous functions. Each adds an event to the graph. */
#include "abi/rtl/progress.h"
#include "abi/rtl/queue.h"

#include <sched.h>
#include <stdlib.h>
#include <threads.h>

solo_status tgt_rtl_add(const tgt_rtl_work *work, int32_t count, tgt_event_t *events,
                        tgt_event_t *out_event) {
  struct tgt_event *e = NULL;
  if (count < 0 || (count > 0 && !events))
    (void)solo_fail(SOLO_INVALID, "invalid list of %d dependence events at %p", count,
                    (void *)events);
  else
    e = tgt_rtl_event_new(work, count);
  if (!e) {
    free(work->arguments);
    return solo_error_last()->status;
  }
  if (out_event) __tgt_rtl_event_retain(e);
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  tgt_rtl_event_add(e, events, count, &todo);
  tgt_rtl_run_todo(&todo);
  if (out_event) *out_event = e;
  return SOLO_OK;
}

SOLO_EXPORT int32_t __tgt_rtl_async_dep(int32_t device_id, int32_t num_dep_events,
                                        tgt_event_t *dep_events, tgt_event_t *completion_event) {
  tgt_rtl_work work = {.kind = TGT_RTL_MERGE};
  if (device_id != __tgt_rtl_number_of_devices()) SOLO_TRY(tgt_rtl_device(device_id, &work.device));
  return (int32_t)tgt_rtl_add(&work, num_dep_events, dep_events, completion_event);
}

SOLO_EXPORT int32_t __tgt_rtl_async_data_submit(int32_t device_id, void *target_ptr, void *host_ptr,
                                                int64_t size, int32_t num_dep_events,
                                                tgt_event_t *dep_events,
                                                tgt_event_t *completion_event) {
  tgt_rtl_work work = {.kind = TGT_RTL_COPY,
                       .to = (uintptr_t)target_ptr,
                       .from = (uintptr_t)host_ptr,
                       .bytes = (uint64_t)size,
                       .direction = SOLO_COPY_IN};
  SOLO_TRY(tgt_rtl_device(device_id, &work.device));
  SOLO_TRY(tgt_rtl_check_range(target_ptr, host_ptr, size));
  return (int32_t)tgt_rtl_add(&work, num_dep_events, dep_events, completion_event);
}

SOLO_EXPORT int32_t __tgt_rtl_async_data_retrieve(int32_t device_id, void *host_ptr,
                                                  void *target_ptr, int64_t size,
                                                  int32_t num_dep_events, tgt_event_t *dep_events,
                                                  tgt_event_t *completion_event) {
  tgt_rtl_work work = {.kind = TGT_RTL_COPY,
                       .to = (uintptr_t)host_ptr,
                       .from = (uintptr_t)target_ptr,
                       .bytes = (uint64_t)size,
                       .direction = SOLO_COPY_OUT};
  SOLO_TRY(tgt_rtl_device(device_id, &work.device));
  SOLO_TRY(tgt_rtl_check_range(target_ptr, host_ptr, size));
  return (int32_t)tgt_rtl_add(&work, num_dep_events, dep_events, completion_event);
}

typedef struct region {
  const solo_kernel *kernel;
  void **vars;
  int32_t count;
  solo_launch_request shape;
} region;

static int32_t run(int32_t device_id, const region *r, int32_t num_dep_events,
                   tgt_event_t *dep_events, tgt_event_t *completion_event) {
  tgt_rtl_work work = {
      .kind = TGT_RTL_LAUNCH, .kernel = r->kernel, .shape = r->shape, .count = r->count};
  SOLO_TRY(tgt_rtl_device(device_id, &work.device));
  SOLO_TRY(tgt_rtl_check_launch(r->kernel, r->vars, r->count));
  work.arguments = malloc(((size_t)r->count + 1) * sizeof *work.arguments);
  if (!work.arguments)
    return (int32_t)solo_fail(SOLO_NOMEM, "no host memory for %d kernel arguments", r->count);
  work.arguments[0] = UINT64_MAX;
  for (int32_t i = 0; i < r->count; i++) work.arguments[i + 1] = (uintptr_t)r->vars[i];
  /* cppcheck-suppress memleak ; tgt_rtl_add() owns the arguments */
  return (int32_t)tgt_rtl_add(&work, num_dep_events, dep_events, completion_event);
}

SOLO_EXPORT int32_t __tgt_rtl_async_run_target_region(int32_t device_id, void *target_entry_ptr,
                                                      void **target_vars_ptr, int32_t arg_num,
                                                      int32_t num_dep_events,
                                                      tgt_event_t *dep_events,
                                                      tgt_event_t *completion_event) {
  region r = {target_entry_ptr, target_vars_ptr, arg_num, tgt_rtl_shape(1, 0)};
  return run(device_id, &r, num_dep_events, dep_events, completion_event);
}

SOLO_EXPORT int32_t __tgt_rtl_async_run_target_team_region(
    int32_t device_id, void *target_entry_ptr, void **target_vars_ptr, int32_t arg_num,
    int32_t num_teams, int32_t thread_limit, int32_t num_dep_events, tgt_event_t *dep_events,
    tgt_event_t *completion_event) {
  region r = {target_entry_ptr, target_vars_ptr, arg_num, tgt_rtl_shape(num_teams, thread_limit)};
  return run(device_id, &r, num_dep_events, dep_events, completion_event);
}

static void pause_round(int round) {
  if (round < 64)
    sched_yield();
  else
    thrd_sleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

SOLO_EXPORT int32_t __tgt_rtl_event_wait(tgt_event_t event) {
  if (!event) return SOLO_OK;
  for (int round = 0; tgt_rtl_state_of(event) != TGT_RTL_DONE; round++) {
    tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
    int moved = tgt_rtl_poll(&todo);
    tgt_rtl_run_todo(&todo);
    if (moved) continue;
    struct tgt_event *blocker = tgt_rtl_blocker(event);
    /* the status is ignored, because the next tgt_rtl_poll() reports it */
    if (blocker)
      (void)SOLO_OP(blocker->work.device->backend, event_wait)(blocker->bevent);
    else
      pause_round(round);
    __tgt_rtl_event_release(blocker);
  }
  return (int32_t)event->status;
}
