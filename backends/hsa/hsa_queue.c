#include "backends/hsa/hsa.h"

#include <stdlib.h>

solo_status solo_hsa_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  SOLO_HSA_CHECK_LOST(device);
  solo_bqueue *queue = calloc(1, sizeof *queue);
  if (!queue) return solo_fail(SOLO_NOMEM, "hsa: no memory for a queue");
  queue->device = device;
  solo_lock_acquire(&device->lock);
  queue->hardware = &device->hardware[device->queues_opened++ % SOLO_HSA_HARDWARE_QUEUES];
  solo_status status = solo_hsa_hardware_open(device, queue->hardware);
  solo_lock_release(&device->lock);
  /* Allocates all signals here, so that a launch allocates nothing. */
  for (int i = 0; i < SOLO_HSA_OPERATIONS && status == SOLO_OK; i++)
    status = solo_hsa_completion_allocate(device, &queue->operations[i].completion);
  if (status != SOLO_OK) {
    solo_hsa_queue_close(device, queue);
    return status;
  }
  *out_queue = queue;
  return SOLO_OK;
}

void solo_hsa_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device;
  for (int i = 0; i < SOLO_HSA_OPERATIONS; i++) {
    solo_hsa_operation_release(&queue->operations[i]);
    solo_hsa_completion_release(queue->operations[i].completion);
  }
  for (uint32_t i = 0; i < queue->waiting; i++) solo_hsa_completion_release(queue->waits[i]);
  for (int i = 0; i < SOLO_HSA_STAGES; i++)
    if (queue->stage[i]) (void)hsa_amd_memory_pool_free(queue->stage[i]);
  free(queue);
}

solo_status solo_hsa_operation_wait(solo_bqueue *queue) {
  solo_hsa_operation *operation;
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_PACKET, &operation));
  SOLO_TRY(solo_hsa_barrier(queue, operation));
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}

solo_status solo_hsa_queue_drain(solo_bqueue *queue) {
  if (queue->waiting) SOLO_TRY(solo_hsa_operation_wait(queue));
  if (!queue->count) return SOLO_OK;
  return solo_hsa_completion_wait(queue->device,
                                  solo_hsa_operation_at(queue, queue->count - 1)->completion);
}

solo_status solo_hsa_queue_sync(solo_bqueue *queue) {
  solo_status status = solo_hsa_queue_drain(queue);
  if (status != SOLO_OK || solo_hsa_is_lost(queue->device)) {
    status = solo_hsa_fail_lost(queue->device);
    solo_error_note(" (last kernel of the queue: %.100s)",
                    queue->last ? queue->last->name : "none");
    return status;
  }
  return SOLO_OK;
}
