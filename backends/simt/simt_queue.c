#include "backends/simt/simt.h"

#include <string.h>

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address;
}

solo_status solo_simt_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  *out_queue = &device->queue;
  return SOLO_OK;
}

void solo_simt_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device;
  (void)queue;
}

solo_status solo_simt_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) {
  (void)direction;
  SOLO_TRY(solo_simt_check_lost(queue->device));
  /* memmove: source and destination of pinned memory can be the same address */
  memmove(pointer(dst), pointer(src), bytes);
  return SOLO_OK;
}

solo_status solo_simt_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  SOLO_TRY(solo_simt_check_lost(queue->device));
  memset(pointer(dst), value, bytes);
  return SOLO_OK;
}

solo_status solo_simt_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                      solo_devptr src, uint64_t bytes) {
  (void)dst_device;
  SOLO_TRY(solo_simt_check_lost(queue->device));
  memmove(pointer(dst), pointer(src), bytes);
  return SOLO_OK;
}

solo_status solo_simt_queue_sync(solo_bqueue *queue) {
  return solo_simt_check_lost(queue->device);
}

solo_status solo_simt_event_open(solo_bdevice *device, solo_bevent **out_event) {
  *out_event = &device->event;
  return SOLO_OK;
}

void solo_simt_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  (void)event;
}

solo_status solo_simt_event_record(solo_bqueue *queue, solo_bevent *event) {
  (void)queue;
  (void)event;
  return SOLO_OK;
}

solo_status solo_simt_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  (void)queue;
  (void)event;
  return SOLO_OK;
}

solo_status solo_simt_event_query(solo_bevent *event, int *out_done) {
  SOLO_TRY(solo_simt_check_lost(event->device));
  *out_done = 1;
  return SOLO_OK;
}

solo_status solo_simt_event_wait(solo_bevent *event) {
  return solo_simt_check_lost(event->device);
}
