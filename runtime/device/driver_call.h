/* The driver's calls and nothing else. No other file of runtime/ or abi/ makes them (tests/lint/layering.sh)
 * but backend_call.c, which does by them what a backend lacks. queue.h is what everybody uses, but for
 * - the set-up of modules (module.c, fptr.c), which observers get as one load, and
 * - the short ways, which are taken only while nothing is reported (map/plain.c, launch/launch.c).
 * These note the device of a failure themselves, or repeat the call where it is noted.
 *
 * Ownership, threads, errors, units: as for the operations (backend.h).
 */
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
