#include "runtime/device/thread_cache.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local solo_thread_cache *own;
static pthread_key_t at_thread_end;
/* 0: no pthread key was available; then caches of ended threads are not reused */
static int has_key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void return_caches(void *list) {
  own = NULL; /* destructors that run later may use a device again */
  for (solo_thread_cache *cache = list, *next; cache; cache = next) {
    next = cache->next;
    solo_device *device = cache->device;
    if (cache->lease) solo_queue_lease_release(cache->lease);
    cache->lease = NULL;
    solo_device_lock(device);
    if (cache->opening == device->openings) {
      cache->next = device->idle_caches;
      device->idle_caches = cache;
      cache = NULL;
    }
    solo_lock_release(&device->lock);
    free(cache);
  }
}

static void make_key(void) {
  has_key = pthread_key_create(&at_thread_end, return_caches) == 0;
}

/* Adds a new or stale cache to the device's list. The content of a stale cache belonged to the
 * closed device. */
static void enrol(solo_device *device, solo_thread_cache *cache) {
  solo_thread_cache *next = cache->next;
  if (cache->lease) solo_queue_lease_release(cache->lease);
  solo_device_lock(device);
  *cache = (solo_thread_cache){.next = next,
                               .next_all = device->caches,
                               .device = device,
                               .opening = device->openings,
                               .next_stream = (uint32_t)((uintptr_t)cache / sizeof *cache)};
  device->caches = cache;
  solo_lock_release(&device->lock);
  solo_magazine_register(device, &cache->magazine);
}

static SOLO_COLD solo_thread_cache *get(solo_device *device) {
  pthread_once(&key_once, make_key);
  solo_device_lock(device);
  solo_thread_cache *cache = device->idle_caches;
  if (cache) device->idle_caches = cache->next;
  solo_lock_release(&device->lock);
  if (!cache) {
    cache = aligned_alloc(SOLO_CACHE_PAIR, sizeof *cache);
    if (!cache) return NULL;
    *cache = (solo_thread_cache){0};
    enrol(device, cache);
  } else if (SOLO_UNLIKELY(cache->opening != device->openings)) {
    enrol(device, cache); /* the cache's owner ended while the device closed */
  }
  cache->next = own;
  own = cache;
  if (has_key) pthread_setspecific(at_thread_end, cache);
  return cache;
}

solo_thread_cache *solo_thread_cache_of(solo_device *device) {
  for (solo_thread_cache *cache = own; cache; cache = cache->next) {
    if (cache->device != device) continue;
    if (SOLO_UNLIKELY(cache->opening != device->openings)) enrol(device, cache);
    return cache;
  }
  return get(device);
}

solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) {
  solo_thread_cache *cache = solo_thread_cache_of(device);
  if (SOLO_UNLIKELY(!cache)) return solo_fail(SOLO_NOMEM, "no host memory for a queue");
  if (SOLO_UNLIKELY(!cache->lease)) SOLO_TRY(solo_queue_lease_acquire(device, &cache->lease));
  *out_queue = cache->lease->queue;
  return SOLO_OK;
}

solo_status solo_thread_block_allocate_slow(solo_device *device, uint64_t bytes,
                                            solo_block **out_block) {
  solo_thread_cache *cache = bytes <= SOLO_MAGAZINE_BYTES ? solo_thread_cache_of(device) : NULL;
  return cache ? solo_magazine_allocate(device, &cache->magazine, bytes, out_block)
               : solo_pool_allocate(device, bytes, out_block);
}

void solo_thread_block_free_slow(solo_device *device, solo_block *block) {
  solo_thread_cache *cache =
      block->bytes <= SOLO_MAGAZINE_BYTES ? solo_thread_cache_of(device) : NULL;
  if (cache)
    solo_magazine_free(device, &cache->magazine, block);
  else
    solo_pool_free(device, block);
}

void solo_thread_cache_each(solo_device *device,
                            void (*visit)(solo_device *, solo_thread_cache *)) {
  solo_device_lock(device); /* threads that end change the list */
  for (solo_thread_cache *cache = device->caches; cache; cache = cache->next_all)
    visit(device, cache);
  solo_lock_release(&device->lock);
}

void solo_thread_cache_close(solo_device *device) {
  solo_device_lock(device);
  while (device->idle_caches) {
    solo_thread_cache *cache = device->idle_caches;
    device->idle_caches = cache->next;
    free(cache);
  }
  device->caches = NULL;
  solo_lock_release(&device->lock);
}
