/* Driver calls with reports to observers and LIBOMPTARGET_INFO. An error receives the device
 * number. The reported time is that of the call: on an asynchronous device the submission, on a CPU
 * the work. Ownership, threads, errors: backend.h. */
#ifndef SOLO_DEVICE_QUEUE_H
#define SOLO_DEVICE_QUEUE_H

#include "runtime/device/device.h"
#include "runtime/device/driver_call.h"
#include "runtime/device/kernel.h"
#include "runtime/trace/observer.h"

typedef struct solo_copy {
  uint64_t to, from, bytes;
  solo_copy_direction direction;
  const char *where;
  const char *name; /* name of the variable, or NULL */
} solo_copy;

#define SOLO_COPIES_REPORTED   (SOLO_INFO_TRANSFER | SOLO_OBSERVED)
#define SOLO_LAUNCHES_REPORTED (SOLO_INFO_LAUNCH | SOLO_OBSERVED)

solo_status solo_queue_copy_reported(const solo_device *device, solo_bqueue *queue,
                                     const solo_copy *copy) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_queue_copy(const solo_device *device,
                                                        solo_bqueue *queue, const solo_copy *copy) {
  /* relaxed: settings */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_COPIES_REPORTED))
    return solo_queue_copy_reported(device, queue, copy);
  solo_status status =
      solo_queue_copy_unreported(device, queue, copy->to, copy->from, copy->bytes, copy->direction);
  if (SOLO_UNLIKELY(status != SOLO_OK)) solo_error_set_device(device->number);
  return status;
}

solo_status solo_queue_launch_reported(const solo_device *device, solo_bqueue *queue,
                                       const solo_kernel *kernel, const solo_launch_record *record,
                                       const char *where) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE SOLO_MUST_CHECK solo_status solo_queue_launch(const solo_device *device,
                                                          solo_bqueue *queue,
                                                          const solo_kernel *kernel,
                                                          const solo_launch_record *record,
                                                          const char *where) {
  /* relaxed: settings */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_LAUNCHES_REPORTED))
    return solo_queue_launch_reported(device, queue, kernel, record, where);
  solo_status status = solo_queue_launch_unreported(device, queue, kernel->handle, record);
  if (SOLO_UNLIKELY(status != SOLO_OK)) solo_error_set_device(device->number);
  return status;
}

/* On a synchronous device, solo_queue_sync() returns at once. */
solo_status solo_queue_wait(const solo_device *device, solo_bqueue *queue,
                            const char *where) SOLO_MUST_CHECK SOLO_COLD;
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_queue_sync(const solo_device *device,
                                                        solo_bqueue *queue, const char *where) {
  return solo_device_is_synchronous(device) ? SOLO_OK : solo_queue_wait(device, queue, where);
}

solo_status solo_queue_fill(const solo_device *device, solo_bqueue *queue, solo_devptr to,
                            int value, uint64_t bytes) SOLO_MUST_CHECK;
solo_status solo_queue_copy_box(const solo_device *device, solo_bqueue *queue,
                                const solo_copy *copy, const solo_copy_box *box) SOLO_MUST_CHECK;
/* Copies from `device`, which owns the queue, to another device of the same backend. */
solo_status solo_queue_copy_peer(const solo_device *device, solo_bqueue *queue,
                                 const solo_device *to_device,
                                 const solo_copy *copy) SOLO_MUST_CHECK;

#endif
