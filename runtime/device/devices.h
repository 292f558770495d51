/* Devices of all backends (docs/design/devices.md). A backend is used if a registered image has its
 * format, or if no image is registered. A backend that is first used later (after dlopen) receives
 * the next device numbers. Threads: any. */
#ifndef SOLO_DEVICES_H
#define SOLO_DEVICES_H

#include "runtime/device/device.h"
#include <stdio.h>

/* At the first call and after registrations, searches for devices and may start drivers. */
int solo_device_count(void);

/* The device may be closed. NULL: no such number. */
solo_device *solo_device_at(int number);

/* Completes the info of an open device (device_describe, backend.h). */
const solo_device_info *solo_device_describe(solo_device *device);

/* Opens the device if necessary, and loads the data of new libraries. */
solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called before an open device closes: closes the streams of abi/rtl. NULL: abi/rtl has none. */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

/* Prepares the device. NOT_FOUND: no such number. UNAVAILABLE: no device exists. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_device_get(int64_t number, solo_device **out_device);
solo_status solo_device_get_slow(int64_t number,
                                 solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE int solo_device_ready(const solo_device *device) {
  /* acquire: pairs with solo_device_prepare, solo_registry_add and solo_registry_remove */
  return solo_load_acquire(&device->ready_generation) ==
         solo_load_acquire(&solo_registry_generation);
}

/* Returns whether *out_device can be used without solo_device_prepare(). */
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

/* Prints all devices, and the reasons for missing devices and for images not loaded. */
void solo_device_explain(FILE *out);

void solo_device_unload_library(solo_library *library);

/* Runs the library's destructors at program exit. The library stays loaded, because other threads
 * may use it. */
void solo_device_run_destructors(const void *key);

/* No other thread may use solo. */
void solo_device_close_all(void);

#endif
