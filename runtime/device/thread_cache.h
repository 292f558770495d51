/* One thread's queue, small blocks and nowait records for an asynchronous device, so that
 * constructs of different threads share no data (bench/coherence/offload.c). The next new thread
 * reuses the cache of an ended thread. When the device closes, caches become stale. Only the owner
 * may call the functions, except _each and _close. */
#ifndef SOLO_THREAD_CACHE_H
#define SOLO_THREAD_CACHE_H

#include "runtime/device/pool.h"
#include "runtime/device/queue_pool.h"

enum { SOLO_THREAD_RECORDS = 16 };

typedef struct solo_thread_cache {
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  struct solo_thread_cache *next; /* next cache of the owner, or next of the device's idle_caches */
  struct solo_thread_cache *next_all; /* next of all caches of the device */
  solo_device *device;
  solo_queue_lease *lease;
  /* the device's `openings` at registration; if the device has another value, the cache is stale */
  uint32_t opening;
  uint32_t records;
  struct solo_nowait_op *record;
  uint32_t next_stream;
  solo_magazine magazine;
} solo_thread_cache;

/* NULL: no memory */
solo_thread_cache *solo_thread_cache_of(solo_device *device);

solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) SOLO_MUST_CHECK;
SOLO_INLINE solo_status solo_device_queue(solo_device *device, solo_bqueue **out_queue) {
  if (SOLO_LIKELY(solo_device_is_synchronous(device))) {
    *out_queue = device->shared_queue;
    return SOLO_OK;
  }
  return solo_device_queue_slow(device, out_queue);
}

solo_status solo_thread_block_allocate_slow(solo_device *device, uint64_t bytes,
                                            solo_block **out_block) SOLO_MUST_CHECK;
void solo_thread_block_free_slow(solo_device *device, solo_block *block);

/* As solo_pool_allocate and solo_pool_free. Small blocks use the thread's magazine. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_thread_block_allocate(solo_device *device,
                                                                   uint64_t bytes,
                                                                   solo_block **out_block) {
  return solo_device_is_synchronous(device)
             ? solo_pool_allocate(device, bytes, out_block)
             : solo_thread_block_allocate_slow(device, bytes, out_block);
}
SOLO_INLINE void solo_thread_block_free(solo_device *device, solo_block *block) {
  if (solo_device_is_synchronous(device))
    solo_pool_free(device, block);
  else
    solo_thread_block_free_slow(device, block);
}

/* Calls visit for each cache of the device, with the device's lock held. */
void solo_thread_cache_each(solo_device *device, void (*visit)(solo_device *, solo_thread_cache *));
/* Frees the idle caches. Called after solo_thread_cache_each() and before `openings` changes. */
void solo_thread_cache_close(solo_device *device);

#endif
