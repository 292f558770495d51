/* The driver's calls (device/queue.h). */
#include "runtime/device/queue.h"

static solo_status ended(const solo_device *device, solo_trace_event *event, solo_status status) {
  if (SOLO_UNLIKELY(status != SOLO_OK)) solo_error_set_device(device->number);
  return solo_observe_end_any(event, status);
}

static void begun(const solo_device *device, solo_trace_event *event) {
  event->device = device->number;
  solo_observe_begin_any(event);
}

static solo_trace_event event_of(const solo_device *device, const solo_copy *copy) {
  static const solo_trace_kind kinds[] = {[SOLO_COPY_IN] = SOLO_TRACE_COPY_IN,
                                          [SOLO_COPY_OUT] = SOLO_TRACE_COPY_OUT,
                                          [SOLO_COPY_WITHIN] = SOLO_TRACE_COPY_WITHIN};
  return (solo_trace_event){.kind = kinds[copy->direction],
                            .peer = device->number,
                            .where = copy->where,
                            .bytes = copy->bytes,
                            .to = copy->to,
                            .from = copy->from};
}

solo_status solo_queue_copy_reported(const solo_device *device, solo_bqueue *queue,
                                     const solo_copy *copy) {
  unsigned long long to = copy->to, from = copy->from, bytes = copy->bytes;
  if (copy->direction == SOLO_COPY_IN)
    SOLO_INFO(SOLO_INFO_TRANSFER, device->number,
              "Copying data from host to device, HstPtr=0x%llx, TgtPtr=0x%llx, Size=%llu", from, to,
              bytes);
  else if (copy->direction == SOLO_COPY_OUT)
    SOLO_INFO(SOLO_INFO_TRANSFER, device->number,
              "Copying data from device to host, TgtPtr=0x%llx, HstPtr=0x%llx, Size=%llu", from, to,
              bytes);
  solo_trace_event event = event_of(device, copy);
  begun(device, &event);
  return ended(device, &event,
               SOLO_OP(device->backend, queue_copy)(queue, copy->to, copy->from, copy->bytes,
                                                    copy->direction));
}

solo_status solo_queue_launch_reported(const solo_device *device, solo_bqueue *queue,
                                       const solo_kernel *kernel, const solo_launch_record *record,
                                       const char *where) {
  SOLO_INFO(SOLO_INFO_LAUNCH, device->number,
            "Launching kernel %s with %u blocks and %u threads in mode %d, %u bytes of arguments",
            kernel->name, record->teams[0], record->threads[0], kernel->mode,
            record->argument_bytes);
  solo_trace_event event = {.kind = SOLO_TRACE_KERNEL,
                            .peer = device->number,
                            .where = where,
                            .name = kernel->name,
                            .bytes = record->argument_bytes,
                            .teams = record->teams[0],
                            .threads = record->threads[0]};
  begun(device, &event);
  solo_status status = SOLO_OP(device->backend, queue_launch)(queue, kernel->handle, record);
  return solo_observe_end_any(&event, status);
}

solo_status solo_queue_wait(const solo_device *device, solo_bqueue *queue, const char *where) {
  solo_trace_event event = {.kind = SOLO_TRACE_WAIT, .peer = device->number, .where = where};
  begun(device, &event);
  return ended(device, &event, SOLO_OP(device->backend, queue_sync)(queue));
}

solo_status solo_queue_fill(const solo_device *device, solo_bqueue *queue, solo_devptr to,
                            int value, uint64_t bytes) {
  solo_trace_event event = {
      .kind = SOLO_TRACE_FILL, .peer = device->number, .bytes = bytes, .to = to};
  begun(device, &event);
  return ended(device, &event, solo_backend_queue_fill(device->backend, queue, to, value, bytes));
}

solo_status solo_queue_copy_box(const solo_device *device, solo_bqueue *queue,
                                const solo_copy *copy, const solo_copy_box *box) {
  solo_trace_event event = event_of(device, copy);
  event.bytes = box->row_bytes * box->rows * box->slices;
  begun(device, &event);
  return ended(device, &event,
               solo_backend_queue_copy_box(device->backend, queue, copy->to, copy->from, box,
                                           copy->direction));
}

solo_status solo_queue_copy_peer(const solo_device *device, solo_bqueue *queue,
                                 const solo_device *to_device, const solo_copy *copy) {
  solo_trace_event event = event_of(device, copy);
  begun(to_device, &event);
  return ended(device, &event,
               solo_backend_queue_copy_peer(device->backend, queue, to_device->handle, copy->to,
                                            copy->from, copy->bytes));
}
