/* What a host thread keeps of an asynchronous device from region to region: a queue, a few small blocks of memory, and
 * records of constructs that end later, with their events. So threads that offload share none of that per construct
 * (bench/coherence/offload.c).
 *
 * When the thread ends (a pthread key's destructor) the queue goes to the device's pool of queues, and the rest as it is
 * to the device's idle caches, to serve the next new thread. Blocks and records that a thread gives back are its own,
 * wherever they came from; what is above the bounds goes to the device's pool and list. In a child of fork(2) that lost
 * the device nothing of it is used.
 *
 * Ownership: the thread's while it lives; a device that closes takes everything back, when no thread uses it. Threads:
 * functions of the calling thread's own, but for solo_thread_cache_each and _close.
 */
#ifndef SOLO_THREAD_CACHE_H
#define SOLO_THREAD_CACHE_H

#include "runtime/device/pool.h"
#include "runtime/device/queue_pool.h"

enum { SOLO_THREAD_RECORDS = 16 };

typedef struct solo_thread_cache {
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  struct solo_thread_cache
      *next; /* of the thread's; of the device's free ones while nobody has it */
  struct solo_thread_cache *next_all; /* of the device's */
  solo_device *device;
  solo_queue_lease *lease; /* NULL: none yet */
  uint32_t opening;        /* of the device; an earlier one: what is here is stale */
  uint32_t records;
  struct solo_nowait_op *record; /* construct/nowait.c */
  uint32_t next_stream;          /* construct/nowait.c: where the next construct goes */
  solo_magazine magazine;
} solo_thread_cache;

/* What the calling thread keeps of an asynchronous device. NULL: no memory for it. */
solo_thread_cache *solo_thread_cache_of(solo_device *device);

/* The calling thread's queue on the device. */
solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) SOLO_MUST_CHECK;
SOLO_INLINE solo_status solo_device_queue(solo_device *device, solo_bqueue **out_queue) {
  if (SOLO_LIKELY(solo_device_is_synchronous(device))) {
    *out_queue = device->shared_queue;
    return SOLO_OK;
  }
  return solo_device_queue_slow(device, out_queue);
}

solo_status solo_thread_block_take_slow(solo_device *device, uint64_t bytes,
                                        solo_block **out_block) SOLO_MUST_CHECK;
void solo_thread_block_give_slow(solo_device *device, solo_block *block);

/* As solo_pool_take and _give, for memory of the current construct: a small block comes from the thread's own, if it has
 * one. */
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

/* The device closes, and no thread uses it: records are the callback's; blocks are the pool's. */
void solo_thread_cache_each(solo_device *device, void (*visit)(solo_device *, solo_thread_cache *));
/* After that, before its openings change. */
void solo_thread_cache_close(solo_device *device);

#endif
