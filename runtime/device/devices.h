/* Devices of all backends (docs/design/devices.md). A backend is used if a registered image is in
 * its format, or if none is registered. Devices of a backend that is used later (after dlopen) get
 * the next numbers. Threads: any. */
#ifndef SOLO_DEVICES_H
#define SOLO_DEVICES_H

#include "runtime/device/device.h"
#include <stdio.h>

/* Number of devices. Searches, and may start drivers, at the first call and after registrations. */
int solo_device_count(void);

/* Returns the device, possibly not open; NULL: no such number. */
solo_device *solo_device_at(int number);

/* Completes the info of an open device: some fields are slow to determine. */
const solo_device_info *solo_device_describe(solo_device *device);

/* Opens the device if it is not open, and loads the data of new libraries. */
solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called before an open device is closed, so that abi/rtl closes its streams; NULL: none. */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

/* Opens the device and loads the data of all registered libraries. NOT_FOUND: no such number.
 * UNAVAILABLE: no device. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_device_get(int64_t number, solo_device **out_device);
solo_status solo_device_get_slow(int64_t number,
                                 solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE int solo_device_ready(const solo_device *device) {
  /* acquire: pairs with solo_device_prepare, solo_registry_add and solo_registry_remove */
  return solo_load_acquire(&device->ready_generation) ==
         solo_load_acquire(&solo_registry_generation);
}

/* Nonzero: *out_device can be used without solo_device_prepare(). */
SOLO_INLINE int solo_device_is_ready(int64_t number, solo_device **out_device) {
  /* acquire: pairs with number_devices */
  if (SOLO_UNLIKELY((uint64_t)number >= (uint64_t)solo_load_acquire(&solo_devices_numbered)))
    return 0;
  *out_device = solo_devices[number];
  return solo_device_ready(*out_device);
}

SOLO_INLINE solo_status solo_device_get(int64_t number, solo_device **out_device) {
  if (SOLO_LIKELY(solo_device_is_ready(number, out_device))) return SOLO_OK;
  return solo_device_get_slow(number, out_device);
}

/* Prints devices, and reasons for missing devices and images that were not loaded. */
void solo_device_explain(FILE *out);

void solo_device_unload_library(solo_library *library);

/* Runs the library's destructors at exit. The library stays loaded for other threads. */
void solo_device_run_destructors(const void *key);

/* Closes all devices. No other thread may use solo. */
void solo_device_close_all(void);

#endif
