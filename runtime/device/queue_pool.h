/* A pool of a device's open queues, because opening a queue is slow. A lease becomes stale when the
 * device closes or is lost in a child of fork(2). The caller owns a lease until
 * solo_queue_lease_release; one thread at a time uses a queue. The functions lock the device, but
 * not during driver calls. */
#ifndef SOLO_QUEUE_POOL_H
#define SOLO_QUEUE_POOL_H

#include "runtime/device/device.h"

typedef struct solo_queue_lease {
  solo_bqueue *queue;
  struct solo_queue_lease *next; /* next idle lease; the owner of the lease may use this member */
  struct solo_queue_lease *next_open; /* next of all open queues of the device */
  solo_device *device;
  uint32_t opening; /* the device's `openings` when the queue was opened */
} solo_queue_lease;

solo_status solo_queue_lease_acquire(solo_device *device,
                                     solo_queue_lease **out_lease) SOLO_MUST_CHECK;
/* Requires that all operations of the queue have completed, or that the lease is stale. */
void solo_queue_lease_release(solo_queue_lease *lease);

/* Returns whether the queue is closed and must not be used. */
SOLO_INLINE int solo_queue_is_stale(const solo_queue_lease *lease) {
  return lease->opening != lease->device->openings;
}

/* No thread may use the device. */
void solo_queue_pool_close(solo_device *device);

#endif
