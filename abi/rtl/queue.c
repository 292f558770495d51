/* Enqueues events in the streams of a device, and polls them. */
#include "abi/rtl/queue.h"

#include "runtime/device/devices.h"
#include "runtime/device/queue.h"
#include "runtime/device/transfer.h"
#include "runtime/launch/grid.h"

static tgt_rtl_stream streams[SOLO_MAX_DEVICES][TGT_RTL_STREAMS];
static _Atomic uint32_t next_stream;

static int is_open(const tgt_rtl_stream *stream) {
  return stream->lease && !solo_queue_is_stale(stream->lease);
}

/* Ends all events of the stream, which is locked. Only the first event has `cause`; the others
 * inherit the failure, so that it is reported once. */
static void end_all(tgt_rtl_stream *stream, solo_status status, tgt_rtl_cause cause,
                    tgt_rtl_todo *todo) {
  while (stream->first) {
    struct tgt_event *e = stream->first;
    stream->first = e->next;
    tgt_rtl_event_done(e, status, cause, todo);
    cause = TGT_RTL_INHERITED;
  }
  stream->last = &stream->first;
}

void tgt_rtl_close_streams(solo_device *device, tgt_rtl_todo *todo) {
  for (int i = 0; i < TGT_RTL_STREAMS; i++) {
    tgt_rtl_stream *stream = &streams[device->number][i];
    solo_lock_acquire(&stream->lock);
    if (is_open(stream)) {
      solo_status status = solo_queue_sync(device, stream->lease->queue, NULL);
      if (stream->first && status == SOLO_OK)
        status = solo_fail(SOLO_UNAVAILABLE,
                           "device %d was closed before the completion of its work was queried",
                           device->number);
      end_all(stream, status, TGT_RTL_OWN, todo);
    }
    if (stream->lease) solo_queue_lease_release(stream->lease);
    stream->lease = NULL;
    solo_lock_release(&stream->lock);
  }
}

static solo_status open_stream(solo_device *device, tgt_rtl_stream *stream) {
  if (is_open(stream)) return SOLO_OK;
  if (stream->lease) solo_queue_lease_release(stream->lease);
  stream->lease = NULL;
  SOLO_TRY(solo_queue_lease_acquire(device, &stream->lease));
  stream->first = NULL;
  stream->last = &stream->first;
  return SOLO_OK;
}

/* Returns the stream of the first dependence if that event is on this device; otherwise the next
 * stream in turn. */
static tgt_rtl_stream *choose_stream(const struct tgt_event *e) {
  const solo_device *device = e->work.device;
  if (e->edge_count && e->edges[0].from->work.device == device && e->edges[0].from->stream)
    return e->edges[0].from->stream;
  /* relaxed: each stream is correct */
  return &streams[device->number][solo_add_relaxed(&next_stream, 1) % TGT_RTL_STREAMS];
}

static solo_status wait_for_other_streams(const struct tgt_event *e, tgt_rtl_stream *stream) {
  for (int32_t i = 0; i < e->edge_count; i++) {
    struct tgt_event *f = e->edges[i].from;
    if (f->work.device != e->work.device || tgt_rtl_state_of(f) == TGT_RTL_DONE ||
        f->stream == stream)
      continue;
    SOLO_TRY(SOLO_OP(e->work.device->backend, queue_wait_event)(stream->lease->queue, f->bevent));
  }
  return SOLO_OK;
}

static solo_status launch(const tgt_rtl_work *w, solo_bqueue *queue) {
  solo_launch_record record;
  solo_launch_request request = w->shape;
  request.list.count = w->count;
  solo_launch_dimensions(w->device, w->kernel, &request, &record);
  int hidden = tgt_rtl_has_hidden(w->kernel);
  record.arguments = w->arguments + !hidden;
  record.argument_bytes = (uint32_t)(w->count + hidden) * 8;
  record.inline_data_bytes = 0;
  solo_status status = solo_queue_launch(w->device, queue, w->kernel, &record, NULL);
  if (status != SOLO_OK) solo_error_note(" (kernel %s)", w->kernel->name);
  return status;
}

static solo_launch_record record_of(const tgt_rtl_work *w) {
  solo_launch_record record = {.shared_bytes = w->shape.shared_bytes,
                               .arguments = w->arguments,
                               .argument_bytes = (uint32_t)w->bytes};
  for (int d = 0; d < 3; d++) {
    record.teams[d] = w->shape.teams[d];
    record.threads[d] = w->shape.threads[d];
  }
  return record;
}

static solo_status launch_block(const tgt_rtl_work *w, solo_bqueue *queue) {
  const solo_launch_record record = record_of(w);
  return solo_queue_launch(w->device, queue, w->kernel, &record, NULL);
}

static solo_status enqueue(struct tgt_event *e, tgt_rtl_stream *stream) {
  const tgt_rtl_work *w = &e->work;
  const solo_backend *backend = w->device->backend;
  SOLO_TRY(open_stream(w->device, stream));
  SOLO_TRY(SOLO_OP(backend, event_open)(w->device->handle, &e->bevent));
  e->opening = w->device->openings;
  SOLO_TRY(wait_for_other_streams(e, stream));
  if (w->kind == TGT_RTL_COPY && w->bytes) {
    solo_copy copy = {w->to, w->from, w->bytes, w->direction, NULL, NULL};
    SOLO_TRY(solo_queue_copy(w->device, stream->lease->queue, &copy));
  }
  if (w->kind == TGT_RTL_LAUNCH) SOLO_TRY(launch(w, stream->lease->queue));
  if (w->kind == TGT_RTL_BLOCK) SOLO_TRY(launch_block(w, stream->lease->queue));
  solo_status status = SOLO_OP(backend, event_record)(stream->lease->queue, e->bevent);
  if (status == SOLO_OK) return SOLO_OK;
  /* The event is not recorded, so the host must wait: the program may free memory of the work when e is DONE. */
  solo_status end = solo_queue_sync(w->device, stream->lease->queue, NULL);
  return end != SOLO_OK ? end : status;
}

static solo_status run_now(const tgt_rtl_work *w) {
  if (w->kind == TGT_RTL_LAUNCH)
    return tgt_rtl_run(w->device, w->kernel, (void **)(void *)(w->arguments + 1), w->count,
                       &w->shape);
  if (w->kind == TGT_RTL_BLOCK) return launch_block(w, w->device->shared_queue);
  if (w->kind != TGT_RTL_COPY) return SOLO_OK;
  int in = w->direction == SOLO_COPY_IN;
  return solo_transfer_copy((solo_location){in ? w->device : NULL, w->to},
                            (solo_location){in ? NULL : w->device, w->from}, w->bytes);
}

void tgt_rtl_issue(struct tgt_event *e, tgt_rtl_todo *todo) {
  int all;
  const tgt_rtl_work *w = &e->work;
  solo_status status = tgt_rtl_inherited(e, &all);
  if (status != SOLO_OK) {
    tgt_rtl_event_done(e, status, TGT_RTL_INHERITED, todo);
    return;
  }
  if (tgt_rtl_needs_host(w)) {
    status = w->device ? run_now(w) : SOLO_OK;
    tgt_rtl_event_done(e, status, TGT_RTL_OWN, todo);
    return;
  }
  tgt_rtl_stream *stream = choose_stream(e);
  solo_lock_acquire(&stream->lock);
  status = enqueue(e, stream);
  if (status == SOLO_OK) {
    e->stream = stream;
    e->next = NULL;
    *stream->last = e;
    stream->last = &e->next;
    tgt_rtl_event_issued(e, todo);
  }
  solo_lock_release(&stream->lock);
  if (status == SOLO_OK) return;
  solo_error_set_device(w->device->number);
  tgt_rtl_event_done(e, status, TGT_RTL_OWN, todo);
}

/* Ends the first event of the stream if it is complete. The stream is locked. Returns nonzero if it ended an event. */
static int poll_first(solo_device *device, tgt_rtl_stream *stream, tgt_rtl_todo *todo) {
  struct tgt_event *e = stream->first;
  int done = 0, all;
  if (!e) return 0;
  if (SOLO_UNLIKELY(!is_open(stream))) { /* the parent process enqueued the work */
    end_all(stream,
            solo_fail(SOLO_DEVICE_LOST,
                      "the parent process of fork(2) enqueued the work on device %d",
                      device->number),
            TGT_RTL_OWN, todo);
    return 1;
  }
  solo_status status = SOLO_OP(device->backend, event_query)(e->bevent, &done);
  solo_status inherited = tgt_rtl_inherited(e, &all);
  /* an event ends after its predecessors; otherwise a predecessor's failure could be missed */
  if ((status == SOLO_OK && !done) || !all) return 0;
  if (status == SOLO_OK) {
    stream->first = e->next;
    if (!stream->first) stream->last = &stream->first;
    tgt_rtl_event_done(e, SOLO_OK, TGT_RTL_INHERITED, todo);
    return 1;
  }
  /* After a failure, results of the stream are undefined, so all its events end. */
  solo_status end = solo_queue_sync(device, stream->lease->queue, NULL);
  if (end != SOLO_OK) status = end;
  solo_error_set_device(device->number);
  if (inherited != SOLO_OK)
    end_all(stream, inherited, TGT_RTL_INHERITED, todo);
  else
    end_all(stream, status, TGT_RTL_OWN, todo);
  return 1;
}

int tgt_rtl_poll(tgt_rtl_todo *todo) {
  int moved = 0;
  int count = solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
  for (int d = 0; d < count; d++)
    for (int i = 0; i < TGT_RTL_STREAMS; i++) {
      tgt_rtl_stream *stream = &streams[d][i];
      solo_lock_acquire(&stream->lock);
      while (poll_first(solo_devices[d], stream, todo)) moved = 1;
      solo_lock_release(&stream->lock);
    }
  return moved;
}
