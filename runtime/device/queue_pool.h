/* Open queues of a device, for thread caches, streams, abi/rtl/queue.h and abi/interop.c, because
 * opening is slow. A close, or a child of fork(2) that loses the device, makes leases stale.
 * Ownership: a lease is the caller's until solo_queue_lease_release. Threads: any; one uses a queue.
 * Locks: the device's, not during driver calls. */
#ifndef SOLO_QUEUE_POOL_H
#define SOLO_QUEUE_POOL_H

#include "runtime/device/device.h"

typedef struct solo_queue_lease {
  solo_bqueue *queue;
  struct solo_queue_lease *next;      /* the owner's, or in the idle list */
  struct solo_queue_lease *next_open; /* in the open list */
  solo_device *device;
  uint32_t opening; /* of the device, when the queue was opened */
} solo_queue_lease;

solo_status solo_queue_lease_acquire(solo_device *device,
                                     solo_queue_lease **out_lease) SOLO_MUST_CHECK;
/* The queue is idle or the lease is stale. */
void solo_queue_lease_release(solo_queue_lease *lease);

/* Nonzero: the queue is closed. */
SOLO_INLINE int solo_queue_is_stale(const solo_queue_lease *lease) {
  return lease->opening != lease->device->openings;
}

/* No thread uses the device. */
void solo_queue_pool_close(solo_device *device);

#endif
