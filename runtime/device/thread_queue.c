/* Queues of host threads. */
#include "runtime/device/thread_queue.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct solo_queue_node {
  struct solo_queue_node *next;    /* of the thread while owned, of the device's free list else */
  struct solo_queue_node *sibling; /* in the device's list of open queues */
  solo_device *device;
  solo_bqueue *queue;
  uint32_t opening; /* device->openings when made: a closed device's queues are stale */
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

/* Gives the node an open queue of the device. */
static solo_status open_queue(solo_device *device, solo_queue_node *node) {
  solo_status status = SOLO_OP(device->backend, queue_open)(device->handle, &node->queue);
  if (status != SOLO_OK) {
    solo_error_set_device(device->number);
    return status;
  }
  solo_device_lock(device);
  node->device = device;
  node->opening = device->openings;
  node->sibling = device->open_queues;
  device->open_queues = node;
  solo_lock_release(&device->lock);
  return SOLO_OK;
}

static solo_status new_node(solo_device *device, solo_queue_node **out_node) {
  solo_device_lock(device);
  solo_queue_node *node = device->free_queues;
  if (node) device->free_queues = node->next;
  solo_lock_release(&device->lock);
  if (!node) {
    node = malloc(sizeof *node);
    if (!node) return solo_fail(SOLO_NOMEM, "no host memory for a queue");
    solo_status status = open_queue(device, node);
    if (status != SOLO_OK) {
      free(node);
      return status;
    }
  }
  *out_node = node;
  return SOLO_OK;
}

solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) {
  for (solo_queue_node *node = own_queues; node; node = node->next) {
    if (node->device != device) continue;
    if (node->opening != device->openings) SOLO_TRY(open_queue(device, node)); /* its was closed */
    *out_queue = node->queue;
    return SOLO_OK;
  }
  pthread_once(&key_once, make_key);
  solo_queue_node *node = NULL;
  SOLO_TRY(new_node(device, &node));
  node->next = own_queues;
  own_queues = node;
  pthread_setspecific(at_thread_end, node);
  *out_queue = node->queue;
  return SOLO_OK;
}

void solo_thread_queue_close_all(solo_device *device) {
  solo_device_lock(device); /* threads may be ending */
  for (solo_queue_node *node = device->open_queues; node; node = node->sibling)
    SOLO_OP(device->backend, queue_close)(device->handle, node->queue);
  while (device->free_queues) {
    solo_queue_node *node = device->free_queues;
    device->free_queues = node->next;
    free(node);
  }
  device->open_queues = NULL;
  device->openings++; /* those of living threads are stale from here on */
  solo_lock_release(&device->lock);
}
