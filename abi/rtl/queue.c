/* Lanes: the queues of the target RTL interface, and what is given to them (rtl/event.h). */
#include "abi/rtl/event.h"

#include "runtime/device/transfer.h"

static tgt_rtl_lane lanes[SOLO_MAX_DEVICES][TGT_RTL_LANES];
static _Atomic uint32_t next_lane;

static int is_open(const solo_device *device, const tgt_rtl_lane *lane) {
  return lane->queue && lane->opening == device->openings;
}

/* Everything left in a lane fails; only the first failure is one of its own. Lane's lock held. */
static void end_all(tgt_rtl_lane *lane, solo_status status, tgt_rtl_cause cause,
                    tgt_rtl_todo *todo) {
  while (lane->first) {
    struct tgt_event *e = lane->first;
    lane->first = e->next;
    tgt_rtl_event_done(e, status, cause, todo);
    cause = TGT_RTL_CARRIED;
  }
  lane->last = &lane->first;
}

/* The device goes (solo_fini): its lanes' work has ended by then, or ends here. */
static void close_lanes(solo_device *device) {
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  for (int i = 0; i < TGT_RTL_LANES; i++) {
    tgt_rtl_lane *lane = &lanes[device->number][i];
    solo_lock_acquire(&lane->lock);
    if (is_open(device, lane)) {
      solo_status status = SOLO_OP(device->backend, queue_sync)(lane->queue);
      if (lane->first && status == SOLO_OK)
        status = solo_fail(SOLO_UNAVAILABLE,
                           "device %d was closed before the work's completion "
                           "was looked at",
                           device->number);
      end_all(lane, status, TGT_RTL_OWN, &todo);
      SOLO_OP(device->backend, queue_close)(device->handle, lane->queue);
    }
    lane->queue = NULL;
    solo_lock_release(&lane->lock);
  }
  tgt_rtl_do(&todo);
}

static solo_status open_lane(solo_device *device, tgt_rtl_lane *lane) {
  if (is_open(device, lane)) return SOLO_OK;
  solo_store_release(&solo_device_closing, close_lanes); /* pairs with solo_device_close_all */
  SOLO_TRY(SOLO_OP(device->backend, queue_open)(device->handle, &lane->queue));
  lane->opening = device->openings;
  lane->first = NULL;
  lane->last = &lane->first;
  return SOLO_OK;
}

/* That of the first dependence, if it is this device's; else one after the other. */
static tgt_rtl_lane *choose_lane(const struct tgt_event *e) {
  const solo_device *device = e->work.device;
  if (e->edge_count && e->edges[0].from->work.device == device && e->edges[0].from->lane)
    return e->edges[0].from->lane;
  /* relaxed: any lane will do */
  return &lanes[device->number][solo_add_relaxed(&next_lane, 1) % TGT_RTL_LANES];
}

/* Other lanes' work comes first: on the device. */
static solo_status wait_for_others(const struct tgt_event *e, tgt_rtl_lane *lane) {
  for (int32_t i = 0; i < e->edge_count; i++) {
    struct tgt_event *f = e->edges[i].from;
    if (f->work.device != e->work.device || tgt_rtl_state_of(f) == TGT_RTL_DONE || f->lane == lane)
      continue;
    SOLO_TRY(SOLO_OP(e->work.device->backend, queue_wait_event)(lane->queue, f->bevent));
  }
  return SOLO_OK;
}

static solo_status launch(const tgt_rtl_work *w, solo_bqueue *queue) {
  solo_launch_record record;
  solo_launch_request request = w->shape;
  request.list.count = w->count;
  solo_launch_dimensions(w->device, w->kernel, &request, &record);
  record.arguments = w->arguments;
  record.argument_bytes = (uint32_t)(w->count + 1) * 8;
  record.carried_bytes = 0;
  solo_status status = SOLO_OP(w->device->backend, queue_launch)(queue, w->kernel->handle, &record);
  if (status != SOLO_OK) solo_error_note(" (kernel %s)", w->kernel->name);
  return status;
}

static solo_status enqueue(struct tgt_event *e, tgt_rtl_lane *lane) {
  const tgt_rtl_work *w = &e->work;
  const solo_backend *backend = w->device->backend;
  SOLO_TRY(open_lane(w->device, lane));
  SOLO_TRY(SOLO_OP(backend, event_open)(w->device->handle, &e->bevent));
  e->opening = w->device->openings;
  SOLO_TRY(wait_for_others(e, lane));
  if (w->kind == TGT_RTL_COPY && w->bytes)
    SOLO_TRY(SOLO_OP(backend, queue_copy)(lane->queue, w->to, w->from, w->bytes, w->direction));
  if (w->kind == TGT_RTL_LAUNCH) SOLO_TRY(launch(w, lane->queue));
  solo_status status = SOLO_OP(backend, event_record)(lane->queue, e->bevent);
  if (status == SOLO_OK) return SOLO_OK;
  /* its end cannot be seen: wait for it, since its memory may go when it is DONE. What this sync
   * reports is of the lane's earlier work too, whose own events say so */
  solo_status end = SOLO_OP(backend, queue_sync)(lane->queue);
  return end != SOLO_OK ? end : status;
}

/* On the CPU, or through the runtime's own launch; done when it returns. */
static solo_status run_now(const tgt_rtl_work *w) {
  if (w->kind == TGT_RTL_LAUNCH)
    return tgt_rtl_run(w->device, w->kernel, (void **)(void *)(w->arguments + 1), w->count,
                       &w->shape);
  if (w->kind != TGT_RTL_COPY) return SOLO_OK;
  int in = w->direction == SOLO_COPY_IN;
  return solo_transfer_copy((solo_place){in ? w->device : NULL, w->to},
                            (solo_place){in ? NULL : w->device, w->from}, w->bytes);
}

void tgt_rtl_issue(struct tgt_event *e, tgt_rtl_todo *todo) {
  int all;
  const tgt_rtl_work *w = &e->work;
  solo_status status = tgt_rtl_inherited(e, &all);
  if (status != SOLO_OK) {
    tgt_rtl_event_done(e, status, TGT_RTL_CARRIED, todo);
    return;
  }
  if (!w->device || solo_device_is_synchronous(w->device) ||
      (w->kind == TGT_RTL_LAUNCH && w->kernel->reduction_length)) {
    status = w->device ? run_now(w) : SOLO_OK;
    tgt_rtl_event_done(e, status, TGT_RTL_OWN, todo);
    return;
  }
  tgt_rtl_lane *lane = choose_lane(e);
  solo_lock_acquire(&lane->lock);
  status = enqueue(e, lane);
  if (status == SOLO_OK) {
    e->lane = lane;
    e->next = NULL;
    *lane->last = e;
    lane->last = &e->next;
    tgt_rtl_event_issued(e, todo);
  }
  solo_lock_release(&lane->lock);
  if (status == SOLO_OK) return;
  solo_error_set_device(w->device->number);
  tgt_rtl_event_done(e, status, TGT_RTL_OWN, todo);
}

/* The head of a lane is DONE, or not; nonzero: it was. Lane's lock held. */
static int look(solo_device *device, tgt_rtl_lane *lane, tgt_rtl_todo *todo) {
  struct tgt_event *e = lane->first;
  int done = 0, all;
  if (!e) return 0;
  solo_status status = SOLO_OP(device->backend, event_query)(e->bevent, &done);
  solo_status inherited = tgt_rtl_inherited(e, &all);
  if ((status == SOLO_OK && !done) || !all) return 0; /* what it waited for is looked at first */
  if (status == SOLO_OK) {
    lane->first = e->next;
    if (!lane->first) lane->last = &lane->first;
    tgt_rtl_event_done(e, SOLO_OK, TGT_RTL_CARRIED, todo);
    return 1;
  }
  /* the lane is emptied, so that what comes later starts afresh */
  solo_status end = SOLO_OP(device->backend, queue_sync)(lane->queue);
  if (end != SOLO_OK) status = end;
  solo_error_set_device(device->number);
  if (inherited != SOLO_OK)
    end_all(lane, inherited, TGT_RTL_CARRIED, todo);
  else
    end_all(lane, status, TGT_RTL_OWN, todo);
  return 1;
}

int tgt_rtl_poll(tgt_rtl_todo *todo) {
  int moved = 0;
  int count = solo_load_acquire(&solo_devices_known); /* pairs with number_devices (device.c) */
  for (int d = 0; d < count; d++)
    for (int i = 0; i < TGT_RTL_LANES; i++) {
      tgt_rtl_lane *lane = &lanes[d][i];
      solo_lock_acquire(&lane->lock);
      while (look(solo_devices[d], lane, todo)) moved = 1;
      solo_lock_release(&lane->lock);
    }
  return moved;
}
