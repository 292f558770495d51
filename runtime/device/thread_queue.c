/* What host threads keep of devices (thread_queue.h). */
#include "runtime/device/thread_queue.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct solo_queue_node {
  struct solo_queue_node *next;    /* of the thread while owned, of the device's free list else */
  struct solo_queue_node *sibling; /* in the device's list of nodes */
  solo_device *device;
  solo_bqueue *queue; /* NULL: not open yet */
  uint32_t opening;   /* device->openings when made: what is of a closed device is stale */
  solo_thread_kept kept;
} solo_queue_node;

static _Thread_local solo_queue_node *own_queues;
static pthread_key_t at_thread_end;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void give_back(void *list) {
  own_queues = NULL; /* destructors that run later may use a device again */
  for (solo_queue_node *node = list, *next; node; node = next) {
    next = node->next;
    solo_device *device = node->device;
    solo_device_lock(device);
    if (node->opening == device->openings) {
      node->next = device->free_queues;
      device->free_queues = node;
      node = NULL;
    }
    solo_lock_release(&device->lock);
    free(node);
  }
}

static void make_key(void) {
  (void)pthread_key_create(&at_thread_end, give_back);
}

/* The node has nothing yet, or nothing any more. */
static void enrol(solo_device *device, solo_queue_node *node) {
  solo_device_lock(device);
  node->device = device;
  node->queue = NULL;
  node->kept = (solo_thread_kept){.next_stream = (uint32_t)((uintptr_t)node / sizeof *node)};
  node->opening = device->openings;
  node->sibling = device->open_queues;
  device->open_queues = node;
  solo_lock_release(&device->lock);
  solo_magazine_join(device, &node->kept.magazine);
}

static solo_queue_node *new_node(solo_device *device) {
  pthread_once(&key_once, make_key);
  solo_device_lock(device);
  solo_queue_node *node = device->free_queues;
  if (node) device->free_queues = node->next;
  solo_lock_release(&device->lock);
  if (!node) {
    node = malloc(sizeof *node);
    if (!node) return NULL;
    enrol(device, node);
  }
  node->next = own_queues;
  own_queues = node;
  pthread_setspecific(at_thread_end, node);
  return node;
}

/* The calling thread's node of the device; NULL: no memory. */
static solo_queue_node *own_node(solo_device *device) {
  for (solo_queue_node *node = own_queues; node; node = node->next) {
    if (node->device != device) continue;
    if (SOLO_UNLIKELY(node->opening != device->openings)) enrol(device, node);
    return node;
  }
  return new_node(device);
}

solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) {
  solo_queue_node *node = own_node(device);
  if (!node) return solo_fail(SOLO_NOMEM, "no host memory for a queue");
  if (SOLO_UNLIKELY(!node->queue)) {
    solo_status status = SOLO_OP(device->backend, queue_open)(device->handle, &node->queue);
    if (status != SOLO_OK) {
      node->queue = NULL;
      solo_error_set_device(device->number);
      return status;
    }
  }
  *out_queue = node->queue;
  return SOLO_OK;
}

solo_thread_kept *solo_thread_kept_of(solo_device *device) {
  solo_queue_node *node = own_node(device);
  return node ? &node->kept : NULL;
}

/* --- blocks ------------------------------------------------------------------------------------*/

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

/* --- the device closes; no thread uses it --------------------------------------------------------*/

void solo_thread_kept_each(solo_device *device, void (*visit)(solo_device *, solo_thread_kept *)) {
  solo_device_lock(device); /* threads may be ending */
  for (solo_queue_node *node = device->open_queues; node; node = node->sibling)
    visit(device, &node->kept);
  solo_lock_release(&device->lock);
}

void solo_thread_queue_close_all(solo_device *device) {
  solo_device_lock(device); /* threads may be ending */
  for (solo_queue_node *node = device->open_queues; node; node = node->sibling)
    if (node->queue) SOLO_OP(device->backend, queue_close)(device->handle, node->queue);
  while (device->free_queues) {
    solo_queue_node *node = device->free_queues;
    device->free_queues = node->next;
    free(node);
  }
  device->open_queues = NULL;
  device->openings++; /* those of living threads are stale from here on */
  solo_lock_release(&device->lock);
}
