/* Executes the actions of a tgt_rtl_todo. Defines sync events and host events. */
#include "abi/rtl/progress.h"

#include "abi/rtl/queue.h"
#include "runtime/device/devices.h"

static _Atomic(tgt_callback_fct) callback;

static struct tgt_event *pop(struct tgt_event **first, struct tgt_event ***last) {
  struct tgt_event *e = *first;
  *first = e->next;
  if (!*first) *last = first;
  e->next = NULL;
  return e;
}

static void move(tgt_rtl_todo *to, tgt_rtl_todo *from) {
  while (from->ready) tgt_rtl_push(&to->ready_last, pop(&from->ready, &from->ready_last));
  while (from->syncs) tgt_rtl_push(&to->syncs_last, pop(&from->syncs, &from->syncs_last));
}

static void close_device(solo_device *device) {
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  tgt_rtl_close_streams(device, &todo);
  tgt_rtl_run_todo(&todo);
}

/* A call inside a callback appends its actions to those of the outer call. This limits the depth of
 * the stack. */
void tgt_rtl_run_todo(tgt_rtl_todo *todo) {
  static _Thread_local tgt_rtl_todo *outer;
  if (outer) {
    move(outer, todo);
    return;
  }
  outer = todo;
  /* relaxed: always the same function */
  if (todo->ready && solo_load_relaxed(&solo_device_closing) != close_device)
    solo_store_release(&solo_device_closing, close_device);
  while (todo->ready || todo->syncs) {
    while (todo->ready) tgt_rtl_issue(pop(&todo->ready, &todo->ready_last), todo);
    if (!todo->syncs) break;
    struct tgt_event *sync = pop(&todo->syncs, &todo->syncs_last);
    /* pairs with __tgt_rtl_init_dep */
    tgt_callback_fct notify = solo_load_acquire(&callback);
    struct tgt_event *subject = sync->subject;
    if (notify) {
      __tgt_rtl_event_retain(subject);
      notify(subject, sync, (int32_t)subject->status);
      __tgt_rtl_event_release(subject);
    } else {
      __tgt_rtl_release_dep(sync);
    }
  }
  outer = NULL;
}

SOLO_EXPORT void __tgt_rtl_init_dep(tgt_callback_fct completion_callback) {
  /* pairs with tgt_rtl_run_todo */
  solo_store_release(&callback, completion_callback);
}

SOLO_EXPORT int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync) {
  if (!event || !sync)
    return (int32_t)solo_fail(SOLO_INVALID, "__tgt_rtl_host_event: event or sync is NULL");
  struct tgt_event *e = tgt_rtl_event_new(&(tgt_rtl_work){.kind = TGT_RTL_HOST}, 0);
  if (!e) return SOLO_NOMEM;
  __tgt_rtl_event_retain(e);
  *event = *sync = e;
  return SOLO_OK;
}

SOLO_EXPORT void __tgt_rtl_release_dep(tgt_sync_event_t completion_event) {
  struct tgt_event *e = completion_event;
  if (!e) return;
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  if (e->subject) {
    solo_lock_acquire(&tgt_rtl_graph);
    struct tgt_event **link = &e->subject->syncs;
    while (*link && *link != e) link = &(*link)->next_sync;
    if (*link) *link = e->next_sync;
    solo_lock_release(&tgt_rtl_graph);
  }
  tgt_rtl_event_done(e, e->subject ? e->subject->status : SOLO_OK, TGT_RTL_INHERITED, &todo);
  tgt_rtl_run_todo(&todo);
}

SOLO_EXPORT int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                                          tgt_event_t completion_event) {
  int32_t devices = __tgt_rtl_number_of_devices();
  if (!completion_event || from_device_id < 0 || from_device_id > devices || to_device_id < 0 ||
      to_device_id > devices)
    return (int32_t)solo_fail(SOLO_INVALID,
                              "__tgt_rtl_enforce_dep: event %p from device %d to %d (of %d)",
                              (void *)completion_event, from_device_id, to_device_id, devices);
  if (from_device_id == to_device_id ||
      !solo_load_acquire(&callback)) /* pairs with __tgt_rtl_init_dep */
    return SOLO_OK;
  struct tgt_event *s = tgt_rtl_event_new(&(tgt_rtl_work){.kind = TGT_RTL_HOST}, 0);
  if (!s) return SOLO_NOMEM;
  s->subject = completion_event;
  s->to_device = solo_device_at(to_device_id);
  __tgt_rtl_event_retain(completion_event);
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  solo_lock_acquire(&tgt_rtl_graph);
  s->next_sync = completion_event->syncs;
  completion_event->syncs = s;
  if (tgt_rtl_state_of(completion_event) == TGT_RTL_DONE) tgt_rtl_push(&todo.syncs_last, s);
  solo_lock_release(&tgt_rtl_graph);
  tgt_rtl_run_todo(&todo);
  return SOLO_OK;
}

SOLO_EXPORT int32_t __tgt_rtl_process_dep(void) {
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  do {
    int moved = tgt_rtl_poll(&todo);
    tgt_rtl_run_todo(&todo);
    if (!moved) break;
  } while (1);
  return (int32_t)tgt_rtl_next_failure();
}
