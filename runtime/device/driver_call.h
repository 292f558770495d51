/* Driver calls without reports to observers, for module.c, fptr.c, map/plain.c and launch/launch.c
 * (tests/lint/layering.sh), which add the device number to errors. Other files use queue.h. */
#ifndef SOLO_DEVICE_DRIVER_CALL_H
#define SOLO_DEVICE_DRIVER_CALL_H

#include "runtime/device/device.h"

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_queue_copy_unreported(const solo_device *device,
                                                                   solo_bqueue *queue, uint64_t to,
                                                                   uint64_t from, uint64_t bytes,
                                                                   solo_copy_direction direction) {
  return SOLO_OP(device->backend, queue_copy)(queue, to, from, bytes, direction);
}

SOLO_INLINE SOLO_MUST_CHECK solo_status
solo_queue_launch_unreported(const solo_device *device, solo_bqueue *queue, solo_bkernel *kernel,
                             const solo_launch_record *record) {
  return SOLO_OP(device->backend, queue_launch)(queue, kernel, record);
}

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_queue_sync_unreported(const solo_device *device,
                                                                   solo_bqueue *queue) {
  return SOLO_OP(device->backend, queue_sync)(queue);
}

#endif
