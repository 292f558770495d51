/* Devices of all backends (docs/design/devices.md). A backend is used if a registered image is in
 * one of its formats, or if no image is registered. Devices of a backend that is first used later,
 * for example after dlopen, get the next higher numbers. Threads: any. */
#ifndef SOLO_DEVICES_H
#define SOLO_DEVICES_H

#include "runtime/device/device.h"
#include <stdio.h>

/* Returns the number of devices. The first call, and the first call after each registration,
 * searches for devices and may start drivers. */
int solo_device_count(void);

/* Returns the device, which may not be open yet; NULL: the number is out of range. */
solo_device *solo_device_at(int number);

/* Completes and returns the info of an open device. Backends supply some fields only on request,
 * because they are slow to determine. */
const solo_device_info *solo_device_describe(solo_device *device);

solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called with each open device before it is closed; NULL: none. abi/rtl sets it to close its
 * streams. */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

/* Returns a device that is open and has loaded the data of all registered libraries. NOT_FOUND: no
 * such number. UNAVAILABLE: there is no device. */
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

/* Prints all devices, the reason for each missing device, and the reason for each image that was
 * not loaded. */
void solo_device_explain(FILE *out);

/* Unloads the library from all devices and frees the library's node. */
void solo_device_unload_library(solo_library *library);

/* Runs the library's destructors at program exit. The library stays loaded, because other threads
 * may still use it. */
void solo_device_run_destructors(const void *key);

/* Closes all devices. The caller ensures that no other thread uses solo. */
void solo_device_close_all(void);

#endif
