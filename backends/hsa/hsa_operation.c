/* The operations of a queue: a ring of slots with completion signals. */
#include "backends/hsa/hsa.h"

void solo_hsa_operation_release(solo_hsa_operation *operation) {
  for (int i = 0; i < 2; i++) {
    solo_hsa_completion_release(operation->held[i]);
    operation->held[i] = NULL;
  }
}

/* Prepares a slot for its next operation.
 * Invariant: the slot's signal returns to 1 only after the operation that followed the slot's last
 *            operation is complete.
 * Otherwise: the following operation, which may wait for 0 in this signal, would wait forever.
 */
static solo_status recycle(solo_bqueue *queue, solo_hsa_operation *operation) {
  SOLO_TRY(solo_hsa_completion_wait(queue->device,
                                    solo_hsa_operation_at(queue, queue->count + 1)->completion));
  solo_hsa_operation_release(operation);
  if (SOLO_UNLIKELY(!operation->completion))
    return solo_hsa_completion_allocate(queue->device, &operation->completion);
  /* Ordering:  this acquire load pairs with the acq_rel subtraction in solo_hsa_completion_release(). */
  if (SOLO_LIKELY(solo_load_acquire(&operation->completion->holders) == 1)) {
    hsa_signal_store_screlease(operation->completion->signal, 1);
    return SOLO_OK;
  }
  solo_hsa_completion_release(operation->completion);
  operation->completion = NULL;
  return solo_hsa_completion_allocate(queue->device, &operation->completion);
}

solo_status solo_hsa_operation_begin(solo_bqueue *queue, solo_hsa_operation_kind kind,
                                     solo_hsa_operation **out) {
  solo_hsa_operation *operation = solo_hsa_operation_at(queue, queue->count);
  if (SOLO_LIKELY(!queue->begun)) {
    if (queue->count >= SOLO_HSA_OPERATIONS) SOLO_TRY(recycle(queue, operation));
    queue->begun = 1;
  }
  operation->kind = kind;
  *out = operation;
  return SOLO_OK;
}

void solo_hsa_operation_commit(solo_bqueue *queue) {
  solo_hsa_operation *operation = solo_hsa_operation_at(queue, queue->count);
  for (uint32_t i = 0; i < queue->waiting; i++) operation->held[i] = queue->waits[i];
  queue->waiting = 0;
  queue->begun = 0;
  queue->count++;
}

const solo_hsa_operation *solo_hsa_operation_before(const solo_bqueue *queue) {
  if (!queue->count) return NULL;
  const solo_hsa_operation *before = &queue->operations[(queue->count - 1) % SOLO_HSA_OPERATIONS];
  return solo_hsa_completion_reached(before->completion) ? NULL : before;
}
