/* One queue per host thread and asynchronous device, kept between regions.
 *
 * A thread's queues go back to the device's pool (queue_pool.h) when the thread ends (a pthread key's
 * destructor), so a program that makes many short-lived threads makes few queues.
 */
#ifndef SOLO_THREAD_QUEUE_H
#define SOLO_THREAD_QUEUE_H

#include "runtime/device/device.h"

/* The calling thread's queue on the device (one per thread, kept; given back when it ends). */
solo_status solo_device_queue_slow(solo_device *device, solo_bqueue **out_queue) SOLO_MUST_CHECK;
SOLO_INLINE solo_status solo_device_queue(solo_device *device, solo_bqueue **out_queue) {
  if (SOLO_LIKELY(solo_device_is_synchronous(device))) {
    *out_queue = device->shared_queue;
    return SOLO_OK;
  }
  return solo_device_queue_slow(device, out_queue);
}

#endif
