/* The open queues of a device: one pool for all their users.
 *
 *   a host thread        one, kept from region to region (thread_cache.h)
 *   nowait constructs    those of a device's streams (construct/nowait.h)
 *   the RTL interface    those of its streams (abi/rtl/queue.h)
 *   an interop object    one (abi/interop.c)
 *
 * Drivers are slow at opening and closing queues, so one that is given back serves the next caller.
 * A device that closes closes all of them, those in use too: a lease remembers for which opening of the
 * device its queue was opened, and is stale from then on, as it is in a child of fork(2) that lost the
 * device.
 *
 * Ownership: a lease is its taker's until solo_queue_return; its queue is the device's. Threads: any;
 * the owner of the lease is the queue's one user. Locks: the device's, not held over the driver's call.
 * Errors: the driver's, with the device's number.
 */
#ifndef SOLO_QUEUE_POOL_H
#define SOLO_QUEUE_POOL_H

#include "runtime/device/device.h"

typedef struct solo_queue_lease {
  solo_bqueue *queue;
  struct solo_queue_lease *next; /* the taker's; of the device's idle ones while nobody has it */
  struct solo_queue_lease *next_open; /* of the device's open ones */
  solo_device *device;
  uint32_t opening; /* of the device when the queue was opened */
} solo_queue_lease;

/* An idle queue of the device, or a new one. */
solo_status solo_queue_take(solo_device *device, solo_queue_lease **out_lease) SOLO_MUST_CHECK;
/* The queue is idle, or the lease is stale. */
void solo_queue_return(solo_queue_lease *lease);

/* Is there no queue any more? */
SOLO_INLINE int solo_queue_is_stale(const solo_queue_lease *lease) {
  return lease->opening != lease->device->openings;
}

/* The device is about to be closed, and no thread uses it. */
void solo_queue_pool_close(solo_device *device);

#endif
