/* What a host thread keeps of an asynchronous device: a queue, a few blocks of memory for private copies, and
 * records of constructs that end later, with their events. So threads that offload share none of that per construct
 * (bench/coherence/offload.c).
 *
 * All of it stands in one node per thread and device. When the thread ends (a pthread key's destructor) the node
 * goes to the device's free list as it is, so a program that makes many short-lived threads makes few queues. Blocks
 * and records that another thread gave back are that one's; what is above the bounds goes to the device's pool and
 * list. In the child of fork(2) such a device is lost, and its nodes with it.
 *
 * Ownership: the thread's while it lives; a device that closes takes everything back, when no thread uses it. Threads:
 * functions of the calling thread's node, but for those that say otherwise.
 */
#ifndef SOLO_THREAD_QUEUE_H
#define SOLO_THREAD_QUEUE_H

#include "runtime/device/pool.h"

enum { SOLO_THREAD_RECORDS = 16 };

typedef struct solo_thread_kept {
  solo_magazine magazine;
  uint32_t records;
  struct solo_nowait_op *record; /* construct/nowait.c */
  uint32_t next_stream;          /* likewise: where the next construct goes */
} solo_thread_kept;

/* The calling thread's queue on the device (one per thread, kept; given back when it ends). */
solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) SOLO_MUST_CHECK;
SOLO_INLINE solo_status solo_device_queue(solo_device *device, solo_bqueue **out_queue) {
  if (SOLO_LIKELY(solo_device_is_synchronous(device))) {
    *out_queue = device->shared_queue;
    return SOLO_OK;
  }
  return solo_device_queue_slow(device, out_queue);
}

/* What the calling thread keeps of an asynchronous device. NULL: no memory for it. */
solo_thread_kept *solo_thread_kept_of(solo_device *device);

solo_status solo_thread_block_take_slow(solo_device *device, uint64_t bytes,
                                        solo_block **out_block) SOLO_MUST_CHECK;
void solo_thread_block_give_slow(solo_device *device, solo_block *block);

/* As solo_pool_take and _give, for memory of the construct at hand: a small block is the thread's if it has one. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_thread_block_take(solo_device *device, uint64_t bytes,
                                                               solo_block **out_block) {
  return solo_device_is_synchronous(device) ? solo_pool_take(device, bytes, out_block)
                                            : solo_thread_block_take_slow(device, bytes, out_block);
}
SOLO_INLINE void solo_thread_block_give(solo_device *device, solo_block *block) {
  if (solo_device_is_synchronous(device))
    solo_pool_give(device, block);
  else
    solo_thread_block_give_slow(device, block);
}

/* The device closes: records are the callback's; queues are closed. Blocks are the pool's. */
void solo_thread_kept_each(solo_device *device, void (*visit)(solo_device *, solo_thread_kept *));
void solo_thread_queue_close_all(solo_device *device);

#endif
