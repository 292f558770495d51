/* Reports to observers the device work that another process performs and times (backend_work.h).
 * Threads: any. */
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
/* Called after the device opens: registers for reports when observers collect them. */
void solo_device_watch_work(const solo_device *device) SOLO_COLD;

/* Reports the work of an open device. */
void solo_device_report_work(const solo_device *device) SOLO_COLD;
#endif

#endif
