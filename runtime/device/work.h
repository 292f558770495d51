/* Hands work that devices report by themselves, because this process cannot time it, to the observers.
 *
 * Threads: any.
 */
#ifndef SOLO_DEVICE_WORK_H
#define SOLO_DEVICE_WORK_H

#include "runtime/device/device.h"

#ifdef SOLO_SINGLE_BACKEND /* whose devices this process times itself */
SOLO_INLINE void solo_device_watch_work(const solo_device *device) {
  (void)device;
}
SOLO_INLINE void solo_device_report_work(const solo_device *device) {
  (void)device;
}
#else
/* The device has been opened: what it does will be reported at the end, if anybody observes. */
void solo_device_watch_work(const solo_device *device) SOLO_COLD;

/* Reports what the device has done up to now; it is open. */
void solo_device_report_work(const solo_device *device) SOLO_COLD;
#endif

#endif
