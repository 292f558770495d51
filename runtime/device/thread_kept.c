/* Blocks and records of host threads (thread_kept.h). */
#include "runtime/device/thread_kept.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local solo_thread_kept *own;
static pthread_key_t at_thread_end;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void give_back(void *list) {
  own = NULL; /* destructors that run later may use a device again */
  for (solo_thread_kept *kept = list, *next; kept; kept = next) {
    next = kept->next;
    solo_device *device = kept->device;
    solo_device_lock(device);
    if (kept->opening == device->openings) {
      kept->next = device->kept_free;
      device->kept_free = kept;
      kept = NULL;
    }
    solo_lock_release(&device->lock);
    free(kept);
  }
}

static void make_key(void) {
  (void)pthread_key_create(&at_thread_end, give_back);
}

/* It has nothing yet, or nothing any more. */
static void enrol(solo_device *device, solo_thread_kept *kept) {
  solo_thread_kept *next = kept->next;
  solo_device_lock(device);
  *kept = (solo_thread_kept){.next = next,
                             .next_all = device->kept_all,
                             .device = device,
                             .opening = device->openings,
                             .next_stream = (uint32_t)((uintptr_t)kept / sizeof *kept)};
  device->kept_all = kept;
  solo_lock_release(&device->lock);
  solo_magazine_join(device, &kept->magazine);
}

static SOLO_COLD solo_thread_kept *get(solo_device *device) {
  pthread_once(&key_once, make_key);
  solo_device_lock(device);
  solo_thread_kept *kept = device->kept_free;
  if (kept) device->kept_free = kept->next;
  solo_lock_release(&device->lock);
  if (!kept) {
    kept = aligned_alloc(SOLO_CACHE_LINE,
                         (sizeof *kept + SOLO_CACHE_LINE - 1) / SOLO_CACHE_LINE * SOLO_CACHE_LINE);
    if (!kept) return NULL;
    enrol(device, kept);
  } else if (SOLO_UNLIKELY(kept->opening != device->openings)) {
    enrol(device, kept); /* a thread ended while the device closed */
  }
  kept->next = own;
  own = kept;
  pthread_setspecific(at_thread_end, kept);
  return kept;
}

solo_thread_kept *solo_thread_kept_of(solo_device *device) {
  for (solo_thread_kept *kept = own; kept; kept = kept->next) {
    if (kept->device != device) continue;
    if (SOLO_UNLIKELY(kept->opening != device->openings)) enrol(device, kept);
    return kept;
  }
  return get(device);
}

solo_status solo_thread_block_take_slow(solo_device *device, uint64_t bytes,
                                        solo_block **out_block) {
  solo_thread_kept *kept = bytes <= SOLO_MAGAZINE_BYTES ? solo_thread_kept_of(device) : NULL;
  return kept ? solo_magazine_take(device, &kept->magazine, bytes, out_block)
              : solo_pool_take(device, bytes, out_block);
}

void solo_thread_block_give_slow(solo_device *device, solo_block *block) {
  solo_thread_kept *kept = block->bytes <= SOLO_MAGAZINE_BYTES ? solo_thread_kept_of(device) : NULL;
  if (kept)
    solo_magazine_give(device, &kept->magazine, block);
  else
    solo_pool_give(device, block);
}

void solo_thread_kept_each(solo_device *device, void (*visit)(solo_device *, solo_thread_kept *)) {
  solo_device_lock(device); /* threads may be ending */
  for (solo_thread_kept *kept = device->kept_all; kept; kept = kept->next_all) visit(device, kept);
  solo_lock_release(&device->lock);
}

void solo_thread_kept_close(solo_device *device) {
  solo_device_lock(device); /* threads may be ending */
  while (device->kept_free) {
    solo_thread_kept *kept = device->kept_free;
    device->kept_free = kept->next;
    free(kept);
  }
  device->kept_all = NULL;
  solo_lock_release(&device->lock);
}
