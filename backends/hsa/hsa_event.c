/* Events: references to the completion signal of a queue's last operation. */
#include "backends/hsa/hsa.h"

#include <stdlib.h>

enum { QUERIES_PER_CHECK = 256 };

solo_status solo_hsa_event_open(solo_bdevice *device, solo_bevent **out_event) {
  solo_bevent *event = calloc(1, sizeof *event);
  if (!event) return solo_fail(SOLO_NOMEM, "hsa: no memory for an event");
  solo_lock_init(&event->lock, SOLO_RANK_DRIVER);
  event->device = device;
  *out_event = event;
  return SOLO_OK;
}

void solo_hsa_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  solo_hsa_completion_release(event->completion);
  free(event);
}

solo_status solo_hsa_event_record(solo_bqueue *queue, solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(queue->device);
  solo_hsa_completion_signal *completion = NULL;
  /* the recorded event must also follow the events in queue->waits */
  if (queue->waiting) SOLO_TRY(solo_hsa_operation_wait(queue));
  if (queue->count)
    completion = queue->operations[(queue->count - 1) % SOLO_HSA_OPERATIONS].completion;
  if (completion) solo_hsa_completion_acquire(completion);
  solo_lock_acquire(&event->lock);
  solo_hsa_completion_signal *before = event->completion;
  event->completion = completion;
  solo_lock_release(&event->lock);
  solo_hsa_completion_release(before);
  return SOLO_OK;
}

/* Returns the event's signal with a reference, or NULL if the event is reached. */
static solo_hsa_completion_signal *completion_of(solo_bevent *event) {
  solo_lock_acquire(&event->lock);
  solo_hsa_completion_signal *completion = event->completion;
  if (completion) solo_hsa_completion_acquire(completion);
  solo_lock_release(&event->lock);
  return completion;
}

/* Adds the event to the wait list of the next operation. If the list is full, first enqueues a
 * barrier packet that waits for the list's events. */
solo_status solo_hsa_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(queue->device);
  solo_hsa_completion_signal *completion = completion_of(event);
  if (!completion) return SOLO_OK;
  if (solo_hsa_completion_reached(completion)) {
    solo_hsa_completion_release(completion);
    return SOLO_OK;
  }
  if (queue->waiting == sizeof queue->waits / sizeof queue->waits[0]) {
    solo_status status = solo_hsa_operation_wait(queue);
    if (status != SOLO_OK) {
      solo_hsa_completion_release(completion);
      return status;
    }
  }
  queue->waits[queue->waiting++] = completion;
  return SOLO_OK;
}

solo_status solo_hsa_event_query(solo_bevent *event, int *out_done) {
  SOLO_HSA_CHECK_LOST(event->device);
  solo_hsa_completion_signal *completion = completion_of(event);
  int done = !completion || solo_hsa_completion_reached(completion);
  solo_hsa_completion_release(completion);
  /* relaxed: a counter. Operations after a failed copy never complete, so a polling thread checks
   * for failed copies at intervals. */
  if (!done && solo_add_relaxed(&event->queries, 1) % QUERIES_PER_CHECK == QUERIES_PER_CHECK - 1)
    solo_hsa_completions_check(event->device);
  SOLO_HSA_CHECK_LOST(event->device);
  *out_done = done;
  return SOLO_OK;
}

solo_status solo_hsa_event_wait(solo_bevent *event) {
  SOLO_HSA_CHECK_LOST(event->device);
  solo_hsa_completion_signal *completion = completion_of(event);
  if (!completion) return SOLO_OK;
  solo_status status = solo_hsa_completion_wait(event->device, completion);
  solo_hsa_completion_release(completion);
  return status;
}
