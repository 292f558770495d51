/* Hardware queues, packets, launches. */
#include "backends/hsa/hsa.h"

#include <string.h>

enum { ROUNDS_PER_LOOK = 1 << 14 };

/* --- hardware queues -------------------------------------------------------------------------- */

/* Called on a thread of the runtime's. */
static void queue_failed(hsa_status_t result, hsa_queue_t *queue, void *device) {
  (void)queue;
  solo_hsa_lose(device, result, "a hardware queue failed");
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
    if (segments) (void)hsa_amd_memory_pool_free(segments); /* the first error counts */
    return solo_hsa_fail(device, result, "making a hardware queue");
  }
  hardware->segments = segments;
  hardware->queue = queue;
  return SOLO_OK;
}

void solo_hsa_hardware_close(solo_hsa_hardware_queue *hardware) {
  if (!hardware->queue) return;
  (void)hsa_queue_destroy(hardware->queue); /* closing goes on */
  (void)hsa_amd_memory_pool_free(hardware->segments);
  hardware->queue = NULL;
}

/* Packets of one hardware queue are published, and its doorbell is rung, in the order of their indices:
 * a packet processor that comes to a packet which was announced but is not valid yet may rest until
 * a later doorbell, and one with a lower index than before need not be seen (HSA platform system
 * architecture, 2.8.3: a doorbell announces all packets below it). So one thread at a time is between
 * its reservation and its doorbell, for a copy of a few hundred bytes; the others spin. */
static void publish_begin(solo_hsa_hardware_queue *hardware) {
  uint32_t free_word = 0;
  /* acquire: pairs with publish_end's release */
  while (!solo_cas_acquire(&hardware->publishing, &free_word, 1)) {
    free_word = 0;
    solo_cpu_relax();
  }
}

static void publish_end(solo_hsa_hardware_queue *hardware) {
  solo_store_release(&hardware->publishing, 0); /* release: pairs with publish_begin */
}

/* Reserves a packet; waits until its slot, and its argument segment, are free (hsa/hsa.h). */
static solo_status reserve(solo_bdevice *device, solo_hsa_hardware_queue *hardware,
                           uint64_t *out_index) {
  hsa_queue_t *queue = hardware->queue;
  uint64_t rounds = 0, index = hsa_queue_add_write_index_screlease(queue, 1);
  while (SOLO_UNLIKELY(index - hsa_queue_load_read_index_scacquire(queue) > queue->size - 2)) {
    SOLO_HSA_CHECK_LOST(device);
    if (++rounds % ROUNDS_PER_LOOK == 0) solo_hsa_completions_look(device);
    solo_cpu_relax();
  }
  *out_index = index;
  return SOLO_OK;
}

static void *packet_at(const solo_hsa_hardware_queue *hardware, uint64_t index) {
  return (char *)hardware->queue->base_address + (index & (hardware->queue->size - 1)) * 64;
}

static void submit(const solo_hsa_hardware_queue *hardware, uint64_t index, uint32_t word) {
  solo_hsa_packet_publish(packet_at(hardware, index), word);
  hsa_signal_store_screlease(hardware->queue->doorbell_signal, (hsa_signal_value_t)index);
}

/* --- barriers --------------------------------------------------------------------------------- */

solo_status solo_hsa_barrier(solo_bqueue *queue, const solo_hsa_operation *operation) {
  hsa_signal_t signals[3], done = {0};
  uint32_t count = 0, word;
  uint64_t index;
  const solo_hsa_operation *before = solo_hsa_operation_before(queue);
  if (before && before->kind == SOLO_HSA_ELSEWHERE) signals[count++] = before->completion->signal;
  for (uint32_t i = 0; i < queue->waiting; i++) signals[count++] = queue->waits[i]->signal;
  if (operation) done = operation->completion->signal;
  publish_begin(queue->hardware);
  solo_status status = reserve(queue->device, queue->hardware, &index);
  if (SOLO_LIKELY(status == SOLO_OK)) /* count is no more than a packet takes: cannot fail */
    status = solo_hsa_packet_barrier(packet_at(queue->hardware, index), signals, count, done,
                                     SOLO_HSA_ORDERED, &word);
  if (SOLO_LIKELY(status == SOLO_OK)) submit(queue->hardware, index, word);
  publish_end(queue->hardware);
  return status;
}

/* --- launches --------------------------------------------------------------------------------- */

/* What neither the packet nor the device can do is refused before a packet is reserved. */
static solo_status check(const solo_bdevice *device, const solo_bkernel *kernel,
                         const solo_launch_record *launch) {
  uint64_t threads = (uint64_t)launch->threads[0] * launch->threads[1] * launch->threads[2];
  uint64_t shared = (uint64_t)kernel->group_bytes + launch->shared_bytes;
  uint32_t most = kernel->max_threads && kernel->max_threads < device->max_threads
                      ? kernel->max_threads
                      : device->max_threads;
  if (launch->threads[0] > UINT16_MAX || launch->threads[1] > UINT16_MAX ||
      launch->threads[2] > UINT16_MAX || threads == 0 || threads > most)
    return solo_fail(SOLO_INVALID, "hsa: kernel %.100s takes at most %u threads per team, not %llu",
                     kernel->name, most, (unsigned long long)threads);
  if (launch->teams[0] > device->max_teams)
    return solo_fail(SOLO_INVALID, "hsa: %u teams; the device takes at most %u", launch->teams[0],
                     device->max_teams);
  if (shared > device->max_shared)
    return solo_fail(SOLO_INVALID, "hsa: kernel %.100s with %llu bytes of LDS; the device has %u",
                     kernel->name, (unsigned long long)shared, device->max_shared);
  if (!solo_hsa_kernarg_takes(&kernel->layout, launch->argument_bytes))
    return solo_fail(SOLO_INVALID, "hsa: kernel %.100s takes %u bytes of arguments, not %u",
                     kernel->name, kernel->layout.explicit_size, launch->argument_bytes);
  if (SOLO_LIKELY(!launch->inline_data_bytes)) return SOLO_OK;
  if (launch->inline_data_bytes > kernel->inline_data_bytes ||
      (launch->argument_bytes / 8 < 64 && launch->inline_data_slots >> launch->argument_bytes / 8))
    return solo_fail(SOLO_INVALID, "hsa: kernel %.100s takes at most %u bytes beside %u arguments",
                     kernel->name, kernel->inline_data_bytes, launch->argument_bytes / 8);
  return SOLO_OK;
}

/* Data beside the arguments: slots that are offsets into them become addresses. */
static void carry(const solo_bkernel *kernel, const solo_launch_record *launch, uint8_t *segment) {
  uint8_t *there = segment + kernel->inline_data_at;
  memcpy(there, launch->inline_data, launch->inline_data_bytes);
  for (uint32_t n = 0; n < 64 && launch->inline_data_slots >> n; n++) {
    uint64_t slot;
    if (!(launch->inline_data_slots >> n & 1)) continue;
    memcpy(&slot, segment + 8 * n, 8);
    slot += (uint64_t)(uintptr_t)there;
    memcpy(segment + 8 * n, &slot, 8);
  }
}

/* The packet with its argument segment, into the hardware queue. Its lock is held. */
static solo_status put(solo_bqueue *queue, const solo_bkernel *kernel,
                       const solo_launch_record *launch, const solo_hsa_launch_values *values,
                       hsa_kernel_dispatch_packet_t *packet, uint32_t word) {
  solo_hsa_hardware_queue *hardware = queue->hardware;
  uint64_t index = 0;
  SOLO_TRY(reserve(queue->device, hardware, &index));
  uint8_t *segment =
      hardware->segments + (index & (hardware->queue->size - 1)) * SOLO_HSA_SEGMENT_BYTES;
  SOLO_TRY(solo_hsa_kernarg_fill(&kernel->layout, values, launch->arguments, launch->argument_bytes,
                                 segment)); /* cannot fail: see check */
  if (SOLO_UNLIKELY(launch->inline_data_bytes)) carry(kernel, launch, segment);
  packet->kernarg_address = segment;
  char *slot = packet_at(hardware, index);
  memcpy(slot + 4, (const char *)packet + 4, sizeof *packet - 4);
  submit(hardware, index, word);
  return SOLO_OK;
}

solo_status solo_hsa_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                  const solo_launch_record *launch) {
  solo_bdevice *device = queue->device;
  solo_hsa_hardware_queue *hardware = queue->hardware;
  solo_hsa_operation *operation;
  hsa_kernel_dispatch_packet_t packet;
  uint32_t word;
  SOLO_HSA_CHECK_LOST(device);
  SOLO_TRY(check(device, kernel, launch));
  const solo_hsa_operation *before = solo_hsa_operation_before(queue);
  int needs_barrier = queue->waiting || (before && before->kind == SOLO_HSA_ELSEWHERE);
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_PACKET, &operation));
  solo_hsa_dispatch dispatch = {.kernel_object = kernel->object,
                                .private_bytes = kernel->private_bytes,
                                .group_bytes = kernel->group_bytes + launch->shared_bytes,
                                .completion = operation->completion->signal};
  solo_hsa_launch_values values = {.dynamic_lds = launch->shared_bytes,
                                   .queue = (uint64_t)(uintptr_t)hardware->queue};
  for (int i = 0; i < 3; i++) {
    dispatch.teams[i] = values.teams[i] = launch->teams[i];
    dispatch.threads[i] = values.threads[i] = launch->threads[i];
  }
  SOLO_TRY(solo_hsa_packet_dispatch(&packet, &dispatch, SOLO_HSA_ORDERED, &word));
  if (SOLO_UNLIKELY(needs_barrier)) SOLO_TRY(solo_hsa_barrier(queue, NULL));
  publish_begin(hardware);
  solo_status status = put(queue, kernel, launch, &values, &packet, word);
  publish_end(hardware);
  if (SOLO_UNLIKELY(status != SOLO_OK)) return status;
  queue->last = kernel;
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}
