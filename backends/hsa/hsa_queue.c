/* Queues: their operations, copies, waiting. */
#include "backends/hsa/hsa_private.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_COPY = 64 << 10 }; /* staged without asking what kind of host memory it is */

/* --- operations ---------------------------------------------------------------------------------
 */

static solo_hsa_operation *slot(solo_bqueue *queue, uint64_t number) {
  return &queue->operations[number % SOLO_HSA_OPERATIONS];
}

/* Lets go of what a complete operation waited for. */
static void release(solo_hsa_operation *operation) {
  for (int i = 0; i < 2; i++) {
    solo_hsa_point_drop(operation->held[i]);
    operation->held[i] = NULL;
  }
}

/* Makes a slot that was used before ready for another operation. Its signal must not go back to 1
 * before the operation behind it has looked at it: so that one is waited for. */
static solo_status recycle(solo_bqueue *queue, solo_hsa_operation *operation) {
  SOLO_TRY(solo_hsa_point_wait(queue->device, slot(queue, queue->count + 1)->point));
  release(operation);
  if (SOLO_UNLIKELY(!operation->point))
    return solo_hsa_point_take(queue->device, &operation->point);
  /* pairs with solo_hsa_point_drop: whoever else held it has let go */
  if (SOLO_LIKELY(solo_load_acquire(&operation->point->holders) == 1)) {
    hsa_signal_store_screlease(operation->point->signal, 1);
    return SOLO_OK;
  }
  solo_hsa_point_drop(operation->point);
  operation->point = NULL;
  return solo_hsa_point_take(queue->device, &operation->point);
}

solo_status solo_hsa_operation_begin(solo_bqueue *queue, solo_hsa_operation_kind kind,
                                     solo_hsa_operation **out) {
  solo_hsa_operation *operation = slot(queue, queue->count);
  if (SOLO_LIKELY(!queue->begun)) {
    if (queue->count >= SOLO_HSA_OPERATIONS) SOLO_TRY(recycle(queue, operation));
    queue->begun = 1;
  }
  operation->kind = kind;
  *out = operation;
  return SOLO_OK;
}

void solo_hsa_operation_commit(solo_bqueue *queue) {
  solo_hsa_operation *operation = slot(queue, queue->count);
  for (uint32_t i = 0; i < queue->waiting; i++) operation->held[i] = queue->waits[i];
  queue->waiting = 0;
  queue->begun = 0;
  queue->count++;
}

const solo_hsa_operation *solo_hsa_operation_before(const solo_bqueue *queue) {
  if (!queue->count) return NULL;
  const solo_hsa_operation *before = &queue->operations[(queue->count - 1) % SOLO_HSA_OPERATIONS];
  return solo_hsa_point_reached(before->point) ? NULL : before;
}

solo_status solo_hsa_operation_wait(solo_bqueue *queue) {
  solo_hsa_operation *operation;
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_PACKET, &operation));
  SOLO_TRY(solo_hsa_barrier(queue, operation));
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}

/* --- opening and closing ------------------------------------------------------------------------
 */

solo_status solo_hsa_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  SOLO_HSA_CHECK_LOST(device);
  solo_bqueue *queue = calloc(1, sizeof *queue);
  if (!queue) return solo_fail(SOLO_NOMEM, "hsa: no memory for a queue");
  queue->device = device;
  solo_lock_acquire(&device->lock);
  queue->hardware = &device->hardware[device->queues_opened++ % SOLO_HSA_HARDWARE_QUEUES];
  solo_status status = solo_hsa_hardware_open(device, queue->hardware);
  solo_lock_release(&device->lock);
  /* All signals now: a launch allocates nothing. */
  for (int i = 0; i < SOLO_HSA_OPERATIONS && status == SOLO_OK; i++)
    status = solo_hsa_point_take(device, &queue->operations[i].point);
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
    release(&queue->operations[i]);
    solo_hsa_point_drop(queue->operations[i].point);
  }
  for (uint32_t i = 0; i < queue->waiting; i++) solo_hsa_point_drop(queue->waits[i]);
  for (int i = 0; i < SOLO_HSA_STAGES; i++)
    if (queue->stage[i]) (void)hsa_amd_memory_pool_free(queue->stage[i]); /* closing goes on */
  free(queue);
}

/* --- copies -------------------------------------------------------------------------------------
 */

/* One copy between addresses that the device reaches, behind all before it. */
static solo_status copy_reachable(solo_bqueue *queue, void *dst, const void *src, size_t bytes,
                                  solo_copy_direction direction) {
  solo_bdevice *device = queue->device;
  solo_hsa_operation *operation;
  hsa_signal_t dependences[3];
  uint32_t count = 0;
  const solo_hsa_operation *before = solo_hsa_operation_before(queue);
  if (before) dependences[count++] = before->point->signal;
  for (uint32_t i = 0; i < queue->waiting; i++) dependences[count++] = queue->waits[i]->signal;
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_COPY, &operation));
  hsa_agent_t to = direction == SOLO_COPY_OUT ? device->host : device->agent;
  hsa_agent_t from = direction == SOLO_COPY_IN ? device->host : device->agent;
  SOLO_HSA_TRY(device,
               hsa_amd_memory_async_copy(dst, to, src, from, bytes, count,
                                         count ? dependences : NULL, operation->point->signal),
               "copying %zu bytes from %p to %p", bytes, src, dst);
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}

/* The device's address of a host range that is pinned or of the runtime's own; NULL: pageable. */
static void *reachable(const void *host) {
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  if (hsa_amd_pointer_info(host, &info, NULL, NULL, NULL) != HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return NULL;
  if (info.type != HSA_EXT_POINTER_TYPE_LOCKED) return (void *)(uintptr_t)host;
  return (char *)info.agentBaseAddress + ((const char *)host - (char *)info.hostBaseAddress);
}

/* A pinned buffer that no copy uses any more. */
static solo_status take_stage(solo_bqueue *queue, uint32_t *out) {
  solo_bdevice *device = queue->device;
  uint32_t i = queue->stage_next++ % SOLO_HSA_STAGES;
  void *memory = queue->stage[i];
  if (!memory) {
    solo_devptr address;
    SOLO_TRY(solo_hsa_mem_alloc(device, SOLO_HSA_STAGE_BYTES, SOLO_MEMORY_HOST, &address));
    queue->stage[i] = (uint8_t *)(uintptr_t)address;
  } else if (queue->stage_use[i] && queue->stage_use[i] + SOLO_HSA_OPERATIONS > queue->count) {
    SOLO_TRY(solo_hsa_point_wait(device, slot(queue, queue->stage_use[i] - 1)->point));
  } /* else its slot was used again since, so it is complete */
  *out = i;
  return SOLO_OK;
}

/* Pageable memory in pieces through pinned buffers. Into the device the host runs ahead by as many
 * pieces as there are buffers; out of it, it has to wait for each. */
static solo_status copy_staged(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                               solo_copy_direction direction) {
  for (uint64_t done = 0; done < bytes;) {
    uint32_t i;
    size_t piece =
        bytes - done < SOLO_HSA_STAGE_BYTES ? (size_t)(bytes - done) : (size_t)SOLO_HSA_STAGE_BYTES;
    SOLO_TRY(take_stage(queue, &i));
    if (direction == SOLO_COPY_IN) {
      memcpy(queue->stage[i], (const char *)(uintptr_t)src + done, piece);
      SOLO_TRY(copy_reachable(queue, (void *)(uintptr_t)(dst + done), queue->stage[i], piece,
                              direction));
    } else {
      SOLO_TRY(copy_reachable(queue, queue->stage[i], (const void *)(uintptr_t)(src + done), piece,
                              direction));
      SOLO_TRY(solo_hsa_point_wait(queue->device, slot(queue, queue->count - 1)->point));
      memcpy((char *)(uintptr_t)dst + done, queue->stage[i], piece);
    }
    queue->stage_use[i] = queue->count;
    done += piece;
  }
  return SOLO_OK;
}

solo_status solo_hsa_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                solo_copy_direction direction) {
  SOLO_HSA_CHECK_LOST(queue->device);
  void *to = (void *)(uintptr_t)dst;
  const void *from = (const void *)(uintptr_t)src;
  if (direction != SOLO_COPY_WITHIN) {
    const void *host = direction == SOLO_COPY_IN ? from : to;
    void *there = bytes <= SMALL_COPY ? NULL : reachable(host);
    if (!there) return copy_staged(queue, dst, src, bytes, direction);
    if (direction == SOLO_COPY_IN)
      from = there;
    else
      to = there;
  }
  return copy_reachable(queue, to, from, bytes, direction);
}

/* --- waiting ------------------------------------------------------------------------------------
 */

solo_status solo_hsa_queue_sync(solo_bqueue *queue) {
  solo_status status = SOLO_OK;
  if (queue->waiting) SOLO_TRY(solo_hsa_operation_wait(queue));
  if (queue->count)
    status = solo_hsa_point_wait(queue->device, slot(queue, queue->count - 1)->point);
  if (status != SOLO_OK || solo_hsa_is_lost(queue->device)) {
    status = solo_hsa_fail_lost(queue->device);
    solo_error_note(" (last kernel of the queue: %.100s)",
                    queue->last ? queue->last->name : "none");
    return status;
  }
  return SOLO_OK;
}
