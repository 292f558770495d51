/* Construction and publication of AQL packets. */
#include "backends/hsa/hsa_packet.h"

#include "runtime/base/atomic.h"
#include <string.h>

_Static_assert(sizeof(hsa_kernel_dispatch_packet_t) == 64, "a packet is 64 bytes");
_Static_assert(sizeof(hsa_barrier_and_packet_t) == 64, "a packet is 64 bytes");

enum { FIRST_WORD = 4 };

/* The fences have system scope, because the host and other devices read the results. */
static uint32_t header_word(uint32_t type, enum solo_hsa_order order, uint32_t setup) {
  uint32_t header = type << HSA_PACKET_HEADER_TYPE |
                    (uint32_t)(order == SOLO_HSA_ORDERED) << HSA_PACKET_HEADER_BARRIER |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  return header | setup << 16;
}

solo_status solo_hsa_packet_dispatch(hsa_kernel_dispatch_packet_t *slot,
                                     const solo_hsa_dispatch *dispatch, enum solo_hsa_order order,
                                     uint32_t *out_word) {
  uint32_t grid[3];
  for (int i = 0; i < 3; i++) {
    uint64_t items = (uint64_t)dispatch->teams[i] * dispatch->threads[i];
    if (SOLO_UNLIKELY(items == 0 || items > UINT32_MAX || dispatch->threads[i] > UINT16_MAX))
      return solo_fail(SOLO_INVALID,
                       "launch of %u teams of %u threads in dimension %d: HSA takes at "
                       "most 2^32 - 1 work items in teams of at most 65535",
                       dispatch->teams[i], dispatch->threads[i], i);
    grid[i] = (uint32_t)items;
  }
  hsa_kernel_dispatch_packet_t packet = {.workgroup_size_x = (uint16_t)dispatch->threads[0],
                                         .workgroup_size_y = (uint16_t)dispatch->threads[1],
                                         .workgroup_size_z = (uint16_t)dispatch->threads[2],
                                         .grid_size_x = grid[0],
                                         .grid_size_y = grid[1],
                                         .grid_size_z = grid[2],
                                         .private_segment_size = dispatch->private_bytes,
                                         .group_segment_size = dispatch->group_bytes,
                                         .kernel_object = dispatch->kernel_object,
                                         .kernarg_address = (void *)(uintptr_t)dispatch->kernarg,
                                         .completion_signal = dispatch->completion};
  uint32_t dimensions = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
  memcpy((char *)slot + FIRST_WORD, (const char *)&packet + FIRST_WORD, sizeof packet - FIRST_WORD);
  *out_word = header_word(HSA_PACKET_TYPE_KERNEL_DISPATCH, order,
                          dimensions << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
  return SOLO_OK;
}

solo_status solo_hsa_packet_barrier(hsa_barrier_and_packet_t *slot, const hsa_signal_t *signals,
                                    uint32_t count, hsa_signal_t completion,
                                    enum solo_hsa_order order, uint32_t *out_word) {
  hsa_barrier_and_packet_t packet = {.completion_signal = completion};
  if (count > sizeof packet.dep_signal / sizeof packet.dep_signal[0])
    return solo_fail(SOLO_INVALID, "a barrier packet takes at most 5 signals, not %u", count);
  for (uint32_t i = 0; i < count; i++) packet.dep_signal[i] = signals[i];
  memcpy((char *)slot + FIRST_WORD, (const char *)&packet + FIRST_WORD, sizeof packet - FIRST_WORD);
  *out_word = header_word(HSA_PACKET_TYPE_BARRIER_AND, order, 0);
  return SOLO_OK;
}

void solo_hsa_packet_publish(void *slot, uint32_t word) {
  /* Ordering:  this release store pairs with the packet processor's acquire load of the header.
   * Otherwise: the processor could execute an incomplete packet. */
  solo_store_release((_Atomic uint32_t *)slot, word);
}
