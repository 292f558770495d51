/* AQL packets of a user-mode queue: written body first, published by one store of their first word.
 *
 * The packet processor may read a slot as soon as its header says it is valid, before any doorbell:
 * so everything else is written first, and header and setup then with one 32-bit release store.
 *
 * Ownership: the slot belongs to the writer between its reservation and solo_hsa_packet_publish.
 * Threads: one writer per slot. Errors: INVALID for a launch that the packet cannot say.
 * Source: HSA platform system architecture, 2.9 (AQL); layouts from hsa.h.
 */
#ifndef SOLO_HSA_PACKET_H
#define SOLO_HSA_PACKET_H

#include "backends/hsa/hsa_api.h"
#include "runtime/base/status.h"

typedef struct solo_hsa_dispatch {
  uint64_t kernel_object;
  uint64_t kernarg;        /* device address of the argument segment */
  uint32_t teams[3];       /* each >= 1 */
  uint32_t threads[3];     /* each >= 1 */
  uint32_t private_bytes;  /* scratch per work item */
  uint32_t group_bytes;    /* static and dynamic LDS */
  hsa_signal_t completion; /* handle 0: none */
} solo_hsa_dispatch;

enum solo_hsa_order {
  SOLO_HSA_UNORDERED, /* may start before the packets in front are complete */
  SOLO_HSA_ORDERED,   /* waits for all packets in front (barrier bit) */
};

/* Writes all of the packet but its first word; the slot stays invalid for the packet processor.
 * *out_word: header and setup, for solo_hsa_packet_publish. */
solo_status solo_hsa_packet_dispatch(hsa_kernel_dispatch_packet_t *slot,
                                     const solo_hsa_dispatch *dispatch, enum solo_hsa_order order,
                                     uint32_t *out_word) SOLO_MUST_CHECK;

/* A barrier that completes when all of its count (at most 5) signals are zero. */
solo_status solo_hsa_packet_barrier(hsa_barrier_and_packet_t *slot, const hsa_signal_t *signals,
                                    uint32_t count, hsa_signal_t completion,
                                    enum solo_hsa_order order, uint32_t *out_word) SOLO_MUST_CHECK;

/* Makes the packet valid. slot: the packet's address. */
void solo_hsa_packet_publish(void *slot, uint32_t word);

#endif
