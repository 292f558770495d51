#include "backends/hsa/hsa.h"

#include <string.h>

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
  if (!solo_hsa_kernarg_accepts(&kernel->layout, launch->argument_bytes))
    return solo_fail(SOLO_INVALID, "hsa: kernel %.100s takes %u bytes of arguments, not %u",
                     kernel->name, kernel->layout.explicit_size, launch->argument_bytes);
  if (SOLO_LIKELY(!launch->inline_data_bytes)) return SOLO_OK;
  if (launch->inline_data_bytes > kernel->inline_data_bytes ||
      (launch->argument_bytes / 8 < 64 && launch->inline_data_slots >> launch->argument_bytes / 8))
    return solo_fail(SOLO_INVALID,
                     "hsa: kernel %.100s takes at most %u bytes of inline data with %u arguments",
                     kernel->name, kernel->inline_data_bytes, launch->argument_bytes / 8);
  return SOLO_OK;
}

/* Stores inline data after the arguments. In arguments that refer to these data, replaces offsets by
 * addresses. */
static void put_inline_data(const solo_bkernel *kernel, const solo_launch_record *launch,
                            uint8_t *segment) {
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

/* Writes and submits the packet. Called after solo_hsa_publish_begin(). */
static solo_status put(solo_bqueue *queue, const solo_bkernel *kernel,
                       const solo_launch_record *launch, const solo_hsa_launch_values *values,
                       hsa_kernel_dispatch_packet_t *packet, uint32_t word) {
  solo_hsa_hardware_queue *hardware = queue->hardware;
  uint64_t index = 0;
  SOLO_TRY(solo_hsa_packet_reserve(queue->device, hardware, &index));
  uint8_t *segment =
      hardware->segments + (index & (hardware->queue->size - 1)) * SOLO_HSA_SEGMENT_BYTES;
  SOLO_TRY(solo_hsa_kernarg_fill(&kernel->layout, values, launch->arguments, launch->argument_bytes,
                                 segment)); /* cannot fail: see check() */
  if (SOLO_UNLIKELY(launch->inline_data_bytes)) put_inline_data(kernel, launch, segment);
  packet->kernarg_address = segment;
  char *slot = solo_hsa_packet_at(hardware, index);
  memcpy(slot + 4, (const char *)packet + 4, sizeof *packet - 4);
  solo_hsa_packet_submit(hardware, index, word);
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
  int needs_barrier = queue->waiting || (before && before->kind == SOLO_HSA_COPY);
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
  SOLO_TRY(solo_hsa_packet_dispatch(
      &packet, &dispatch, before || needs_barrier ? SOLO_HSA_ORDERED : SOLO_HSA_UNORDERED, &word));
  if (SOLO_UNLIKELY(needs_barrier)) SOLO_TRY(solo_hsa_barrier(queue, NULL));
  solo_hsa_publish_begin(hardware);
  solo_status status = put(queue, kernel, launch, &values, &packet, word);
  solo_hsa_publish_end(hardware);
  if (SOLO_UNLIKELY(status != SOLO_OK)) return status;
  queue->last = kernel;
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}
