/* Reports to observers the work of a device that another process owns. That process measures the
 * times (backend_work.h). */
#ifndef SOLO_DEVICE_WORK_H
#define SOLO_DEVICE_WORK_H

#include "runtime/device/device.h"

#ifdef SOLO_SINGLE_BACKEND /* the only backend performs its work in this process */
SOLO_INLINE void solo_device_watch_work(const solo_device *device) {
  (void)device;
}
SOLO_INLINE void solo_device_report_work(const solo_device *device) {
  (void)device;
}
#else
/* Called after the device opens: if the backend has device_work, registers a collector of
 * records. */
void solo_device_watch_work(const solo_device *device) SOLO_COLD;

void solo_device_report_work(const solo_device *device) SOLO_COLD;
#endif

#endif
