/* Events: a hold on the point of a queue's last operation. */
#include "backends/hsa/hsa_private.h"

#include <stdlib.h>

solo_status solo_hsa_event_open(solo_bdevice *device, solo_bevent **out_event) {
  solo_bevent *event = calloc(1, sizeof *event);
  if (!event) return solo_fail(SOLO_NOMEM, "hsa: no memory for an event");
  event->device = device;
  *out_event = event;
  return SOLO_OK;
}

void solo_hsa_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  solo_hsa_point_drop(event->point);
  free(event);
}

solo_status solo_hsa_event_record(solo_bqueue *queue, solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(queue->device);
  solo_hsa_point *point = NULL;
  if (queue->waiting) SOLO_TRY(solo_hsa_operation_wait(queue)); /* something to mark */
  if (queue->count) point = queue->operations[(queue->count - 1) % SOLO_HSA_OPERATIONS].point;
  if (point) solo_hsa_point_hold(point);
  solo_lock_acquire(&event->lock);
  solo_hsa_point *before = event->point;
  event->point = point;
  solo_lock_release(&event->lock);
  solo_hsa_point_drop(before);
  return SOLO_OK;
}

/* The event's point with a hold of the caller's; NULL: nothing to wait for. */
static solo_hsa_point *point_of(solo_bevent *event) {
  solo_lock_acquire(&event->lock);
  solo_hsa_point *point = event->point;
  if (point) solo_hsa_point_hold(point);
  solo_lock_release(&event->lock);
  return point;
}

/* The next operation waits, whatever it is; where it cannot wait for more, a barrier packet waits
 * for what there is so far. */
solo_status solo_hsa_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(queue->device);
  solo_hsa_point *point = point_of(event);
  if (!point) return SOLO_OK;
  if (solo_hsa_point_value(point) <= 0) { /* reached: nothing to wait for */
    solo_hsa_point_drop(point);
    return SOLO_OK;
  }
  if (queue->waiting == sizeof queue->waits / sizeof queue->waits[0]) {
    solo_status status = solo_hsa_operation_wait(queue);
    if (status != SOLO_OK) {
      solo_hsa_point_drop(point);
      return status;
    }
  }
  queue->waits[queue->waiting++] = point;
  return SOLO_OK;
}

static solo_status fail_copy(solo_bevent *event, hsa_signal_value_t value) {
  return solo_hsa_fail(event->device, HSA_STATUS_ERROR,
                       "a copy before an event failed (signal %lld)", (long long)value);
}

solo_status solo_hsa_event_query(solo_bevent *event, int *out_done) {
  SOLO_HSA_CHECK_LOST(event->device);
  solo_hsa_point *point = point_of(event);
  hsa_signal_value_t value = point ? solo_hsa_point_value(point) : 0;
  solo_hsa_point_drop(point);
  if (value < 0) return fail_copy(event, value);
  *out_done = value == 0;
  return SOLO_OK;
}

solo_status solo_hsa_event_wait(solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(event->device);
  solo_hsa_point *point = point_of(event);
  if (!point) return SOLO_OK;
  solo_status status = solo_hsa_point_wait(event->device, point);
  hsa_signal_value_t value = status == SOLO_OK ? solo_hsa_point_value(point) : 0;
  solo_hsa_point_drop(point);
  return value < 0 ? fail_copy(event, value) : status;
}
