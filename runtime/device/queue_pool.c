#include "runtime/device/queue_pool.h"

#include <stdlib.h>

static solo_status open_queue(solo_device *device, solo_queue_lease **out_lease) {
  solo_queue_lease *lease = calloc(1, sizeof *lease);
  if (!lease) return solo_fail(SOLO_NOMEM, "no host memory for a queue");
  solo_status status = SOLO_OP(device->backend, queue_open)(device->handle, &lease->queue);
  if (status != SOLO_OK) {
    solo_error_set_device(device->number);
    free(lease);
    return status;
  }
  lease->device = device;
  solo_device_lock(device);
  lease->opening = device->openings;
  lease->next_open = device->open_queues;
  device->open_queues = lease;
  solo_lock_release(&device->lock);
  *out_lease = lease;
  return SOLO_OK;
}

solo_status solo_queue_lease_acquire(solo_device *device, solo_queue_lease **out_lease) {
  solo_device_lock(device);
  solo_queue_lease *lease = device->idle_queues;
  if (lease) device->idle_queues = lease->next;
  solo_lock_release(&device->lock);
  if (!lease) return open_queue(device, out_lease);
  *out_lease = lease;
  return SOLO_OK;
}

void solo_queue_lease_release(solo_queue_lease *lease) {
  solo_device *device = lease->device;
  solo_device_lock(device);
  int stale = solo_queue_is_stale(lease);
  if (!stale) {
    lease->next = device->idle_queues;
    device->idle_queues = lease;
  }
  solo_lock_release(&device->lock);
  if (stale) free(lease);
}

void solo_queue_pool_close(solo_device *device) {
  solo_device_lock(device); /* locked because ending threads may release leases */
  for (solo_queue_lease *lease = device->open_queues; lease; lease = lease->next_open)
    SOLO_OP(device->backend, queue_close)(device->handle, lease->queue);
  while (device->idle_queues) {
    solo_queue_lease *lease = device->idle_queues;
    device->idle_queues = lease->next;
    free(lease);
  }
  device->open_queues = NULL;
  device->openings++; /* the leases of threads become stale */
  solo_lock_release(&device->lock);
}
