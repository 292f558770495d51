/* Reports work that this process cannot time (backend_work.h) to observers. Threads: any. */
#ifndef SOLO_DEVICE_WORK_H
#define SOLO_DEVICE_WORK_H

#include "runtime/device/device.h"

#ifdef SOLO_SINGLE_BACKEND /* times all devices itself */
SOLO_INLINE void solo_device_watch_work(const solo_device *device) {
  (void)device;
}
SOLO_INLINE void solo_device_report_work(const solo_device *device) {
  (void)device;
}
#else
/* Called after the open; reports at the end. */
void solo_device_watch_work(const solo_device *device) SOLO_COLD;

/* Reports the work of an open device. */
void solo_device_report_work(const solo_device *device) SOLO_COLD;
#endif

#endif
