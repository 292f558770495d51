/* Queues and events. An event is a ticket, so that a second record does not affect a waiting queue. */
#include "ports/skeleton/skeleton.h"

#include "runtime/base/settings.h"
#include <stdlib.h>

solo_status solo_skeleton_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  solo_lock_acquire(&device->lock);
  solo_bqueue *queue = device->idle;
  if (queue) device->idle = queue->next_idle;
  solo_lock_release(&device->lock);
  if (!queue) {
    queue = calloc(1, sizeof *queue);
    if (!queue) return solo_fail(SOLO_NOMEM, "no host memory for a queue");
    skeldrv_result result = skeldrv_queue_create(device->driver, &queue->driver);
    if (result != SKELDRV_OK) {
      free(queue);
      return solo_skeleton_status(result, "open queue");
    }
    queue->device = device;
  }
  *out_queue = queue;
  return SOLO_OK;
}

/* Keeps the driver's queue for reuse, because events may refer to it. */
void solo_skeleton_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  skeldrv_clear(queue->driver);
  solo_lock_acquire(&device->lock);
  queue->next_idle = device->idle;
  device->idle = queue;
  solo_lock_release(&device->lock);
}

/* The driver may read the host range after this call. */
solo_status solo_skeleton_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                     solo_copy_direction direction) {
  static const skeldrv_direction directions[] = {[SOLO_COPY_IN] = SKELDRV_IN,
                                                 [SOLO_COPY_OUT] = SKELDRV_OUT,
                                                 [SOLO_COPY_WITHIN] = SKELDRV_WITHIN};
  skeldrv_result result =
      skeldrv_copy(queue->driver, dst, src, bytes, directions[direction], &queue->last);
  return solo_skeleton_status(result, "copy");
}

/* Spins before it sleeps, because most kernels are shorter than a sleep. */
static skeldrv_result wait_for(skeldrv_queue *queue, uint64_t ticket) {
  skeldrv_result result = skeldrv_poll(queue, ticket);
  if (result != SKELDRV_NOT_READY) return result;
  uint64_t end = solo_now_ns() + 1000 * (uint64_t)solo_settings()->spin_us;
  do {
    solo_cpu_relax();
    result = skeldrv_poll(queue, ticket);
  } while (result == SKELDRV_NOT_READY && solo_now_ns() < end);
  return result == SKELDRV_NOT_READY ? skeldrv_block(queue, ticket) : result;
}

/* Reports and clears a failure. No other operation clears failures. */
solo_status solo_skeleton_queue_sync(solo_bqueue *queue) {
  skeldrv_result result = wait_for(queue->driver, queue->last);
  if (SOLO_LIKELY(result == SKELDRV_OK)) return SOLO_OK;
  skeldrv_clear(queue->driver);
  return solo_skeleton_status(result, "work of the queue");
}

/* Must be fast, because it is called for many transfers. */
solo_status solo_skeleton_event_open(solo_bdevice *device, solo_bevent **out_event) {
  (void)device;
  solo_bevent *event = calloc(1, sizeof *event);
  if (!event) return solo_fail(SOLO_NOMEM, "no host memory for an event");
  *out_event = event;
  return SOLO_OK;
}

/* Queues that wait for the event have already stored its ticket. */
void solo_skeleton_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  free(event);
}

solo_status solo_skeleton_event_record(solo_bqueue *queue, solo_bevent *event) {
  event->queue = queue->driver;
  event->ticket = queue->last;
  return SOLO_OK;
}

/* The queue waits for the current record of the event, not for a later one. */
solo_status solo_skeleton_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  if (!event->queue) return SOLO_OK;
  return solo_skeleton_status(
      skeldrv_wait(queue->driver, event->queue, event->ticket, &queue->last), "wait for event");
}

/* Never blocks. After a failure, returns it and does not set *out_done. */
solo_status solo_skeleton_event_query(solo_bevent *event, int *out_done) {
  skeldrv_result result = event->queue ? skeldrv_poll(event->queue, event->ticket) : SKELDRV_OK;
  if (result != SKELDRV_OK && result != SKELDRV_NOT_READY)
    return solo_skeleton_status(result, "work before the event");
  *out_done = result == SKELDRV_OK;
  return SOLO_OK;
}

solo_status solo_skeleton_event_wait(solo_bevent *event) {
  if (!event->queue) return SOLO_OK;
  return solo_skeleton_status(wait_for(event->queue, event->ticket), "work before the event");
}
