/* Hardware queues: packets, doorbells and barriers. */
#include "backends/hsa/hsa.h"

enum { ROUNDS_PER_CHECK = 1 << 14 };

/* Runs on a thread of the HSA runtime. */
static void queue_failed(hsa_status_t result, hsa_queue_t *queue, void *device) {
  (void)queue;
  solo_hsa_mark_lost(device, result, "a hardware queue failed");
}

solo_status solo_hsa_hardware_open(solo_bdevice *device, solo_hsa_hardware_queue *hardware) {
  if (hardware->queue) return SOLO_OK;
  void *segments = NULL;
  hsa_queue_t *queue = NULL;
  hsa_status_t result = hsa_amd_memory_pool_allocate(
      device->kernarg_pool, (size_t)SOLO_HSA_QUEUE_PACKETS * SOLO_HSA_SEGMENT_BYTES, 0, &segments);
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_amd_agents_allow_access(1, &device->agent, NULL, segments);
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_queue_create(device->agent, SOLO_HSA_QUEUE_PACKETS, HSA_QUEUE_TYPE_MULTI,
                              queue_failed, device, UINT32_MAX, UINT32_MAX, &queue);
  if (result != HSA_STATUS_SUCCESS) {
    if (segments) (void)hsa_amd_memory_pool_free(segments);
    return solo_hsa_fail(device, result, "creating a hardware queue");
  }
  hardware->segments = segments;
  hardware->queue = queue;
  return SOLO_OK;
}

void solo_hsa_hardware_close(solo_hsa_hardware_queue *hardware) {
  if (!hardware->queue) return;
  (void)hsa_queue_destroy(hardware->queue);
  (void)hsa_amd_memory_pool_free(hardware->segments);
  hardware->queue = NULL;
}

/* Only one thread at a time reserves, writes and submits packets.
 * Invariant: packets become valid, and doorbells are rung, in the order of their indices.
 * Otherwise: the packet processor can stop at an invalid packet, and can ignore a lower doorbell
 *            index (HSA platform system architecture 2.8.3).
 */
void solo_hsa_publish_begin(solo_hsa_hardware_queue *hardware) {
  uint32_t free_word = 0;
  /* Ordering:  this acquire CAS pairs with the release store in solo_hsa_publish_end(). */
  while (!solo_cas_acquire(&hardware->publishing, &free_word, 1)) {
    free_word = 0;
    solo_cpu_relax();
  }
}

void solo_hsa_publish_end(solo_hsa_hardware_queue *hardware) {
  /* Ordering:  this release store pairs with the acquire CAS in solo_hsa_publish_begin(). */
  solo_store_release(&hardware->publishing, 0);
}

/* Returns the index of the first packet with a barrier bit after packet index - size, which used the
 * same slot. When the read index has passed the returned packet, all earlier packets are complete,
 * so the slot is free. */
static uint64_t witness_of(uint64_t index, uint32_t size) {
  uint64_t every = SOLO_HSA_BARRIER_EVERY;
  return (index - size) / every * every + every;
}

solo_status solo_hsa_packet_reserve(solo_bdevice *device, solo_hsa_hardware_queue *hardware,
                                    uint64_t *out_index) {
  hsa_queue_t *queue = hardware->queue;
  uint64_t rounds = 0, index = hsa_queue_add_write_index_screlease(queue, 1);
  if (SOLO_UNLIKELY(index < queue->size)) {
    *out_index = index;
    return SOLO_OK;
  }
  const uint64_t witness = witness_of(index, queue->size);
  while (SOLO_UNLIKELY(hsa_queue_load_read_index_scacquire(queue) <= witness)) {
    SOLO_HSA_CHECK_LOST(device);
    if (++rounds % ROUNDS_PER_CHECK == 0) solo_hsa_completions_check(device);
    solo_cpu_relax();
  }
  *out_index = index;
  return SOLO_OK;
}

void *solo_hsa_packet_at(const solo_hsa_hardware_queue *hardware, uint64_t index) {
  return (char *)hardware->queue->base_address + (index & (hardware->queue->size - 1)) * 64;
}

void solo_hsa_packet_submit(const solo_hsa_hardware_queue *hardware, uint64_t index,
                            uint32_t word) {
  if (index % SOLO_HSA_BARRIER_EVERY == 0) word |= 1u << HSA_PACKET_HEADER_BARRIER;
  solo_hsa_packet_publish(solo_hsa_packet_at(hardware, index), word);
  hsa_signal_store_screlease(hardware->queue->doorbell_signal, (hsa_signal_value_t)index);
}

solo_status solo_hsa_barrier(solo_bqueue *queue, const solo_hsa_operation *operation) {
  hsa_signal_t signals[3], done = {0};
  uint32_t count = 0, word;
  uint64_t index;
  enum solo_hsa_order order = SOLO_HSA_UNORDERED;
  const solo_hsa_operation *before = solo_hsa_operation_before(queue);
  if (before && before->kind == SOLO_HSA_COPY)
    signals[count++] = before->completion->signal;
  else if (before)
    order = SOLO_HSA_ORDERED;
  for (uint32_t i = 0; i < queue->waiting; i++) signals[count++] = queue->waits[i]->signal;
  if (operation) done = operation->completion->signal;
  solo_hsa_publish_begin(queue->hardware);
  solo_status status = solo_hsa_packet_reserve(queue->device, queue->hardware, &index);
  if (SOLO_LIKELY(status == SOLO_OK)) /* cannot fail: at most 3 signals */
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    status = solo_hsa_packet_barrier(solo_hsa_packet_at(queue->hardware, index), signals, count,
                                     done, order, &word);
  if (SOLO_LIKELY(status == SOLO_OK)) solo_hsa_packet_submit(queue->hardware, index, word);
  solo_hsa_publish_end(queue->hardware);
  return status;
}
