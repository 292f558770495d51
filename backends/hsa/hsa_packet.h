/* AQL packets. The packet processor can read a packet as soon as its header is valid, even before
 * the doorbell. Therefore the body is written first; then one 32-bit release store writes header
 * and setup.
 *
 * The writer owns a reserved slot until solo_hsa_packet_publish(). Errors: SOLO_INVALID if the
 * packet cannot express the launch. Source: HSA platform system architecture 2.9. */
#ifndef SOLO_HSA_PACKET_H
#define SOLO_HSA_PACKET_H

#include "backends/hsa/hsa_api.h"
#include "runtime/base/status.h"

typedef struct solo_hsa_dispatch {
  uint64_t kernel_object;
  uint64_t kernarg;
  uint32_t teams[3];
  uint32_t threads[3];
  uint32_t private_bytes; /* bytes per work-item */
  uint32_t group_bytes;   /* static and dynamic LDS */
  hsa_signal_t completion;
} solo_hsa_dispatch;

enum solo_hsa_order {
  SOLO_HSA_UNORDERED, /* can start before earlier packets complete */
  SOLO_HSA_ORDERED,   /* waits for all earlier packets (barrier bit) */
};

/* Writes the packet except for its first word. *out_word: header and setup, for
 * solo_hsa_packet_publish(). */
solo_status solo_hsa_packet_dispatch(hsa_kernel_dispatch_packet_t *slot,
                                     const solo_hsa_dispatch *dispatch, enum solo_hsa_order order,
                                     uint32_t *out_word) SOLO_MUST_CHECK;

/* Writes a packet that waits for at most 5 signals. *out_word: see above. */
solo_status solo_hsa_packet_barrier(hsa_barrier_and_packet_t *slot, const hsa_signal_t *signals,
                                    uint32_t count, hsa_signal_t completion,
                                    enum solo_hsa_order order, uint32_t *out_word) SOLO_MUST_CHECK;

void solo_hsa_packet_publish(void *slot, uint32_t word);

#endif
