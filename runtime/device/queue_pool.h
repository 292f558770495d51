/* Open queues of a device, because opening is slow; used by thread caches, streams, abi/rtl/queue.h
 * and abi/interop.c. A lease becomes stale when the device closes or is lost in a child of fork(2).
 * Ownership: a lease is the caller's until solo_queue_lease_release. Threads: any; one at a time
 * uses a queue. Locks: the device's, not during driver calls. */
#ifndef SOLO_QUEUE_POOL_H
#define SOLO_QUEUE_POOL_H

#include "runtime/device/device.h"

typedef struct solo_queue_lease {
  solo_bqueue *queue;
  struct solo_queue_lease *next;      /* in the idle list; else the owner may use it */
  struct solo_queue_lease *next_open; /* in the device's list of all open queues */
  solo_device *device;
  uint32_t opening; /* the device's `openings` when the queue was opened */
} solo_queue_lease;

solo_status solo_queue_lease_acquire(solo_device *device,
                                     solo_queue_lease **out_lease) SOLO_MUST_CHECK;
/* All operations of the queue have completed, or the lease is stale. */
void solo_queue_lease_release(solo_queue_lease *lease);

/* Nonzero: the queue is closed and must not be used. */
SOLO_INLINE int solo_queue_is_stale(const solo_queue_lease *lease) {
  return lease->opening != lease->device->openings;
}

/* Closes all queues. No thread may use the device. */
void solo_queue_pool_close(solo_device *device);

#endif
