/* Devices of all backends (docs/design/devices.md). A backend takes part if a registered image is
 * of its kind, or none is registered. Backends that join later get higher numbers. Threads: any. */
#ifndef SOLO_DEVICES_H
#define SOLO_DEVICES_H

#include "runtime/device/device.h"
#include <stdio.h>

/* Searches at the first call and after registrations. */
int solo_device_count(void);

/* Possibly unopened; NULL: out of range. */
solo_device *solo_device_at(int number);

/* Completes an open device's info. */
const solo_device_info *solo_device_describe(solo_device *device);

solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called before an open device is closed; or NULL. */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

/* Opens and prepares the device. NOT_FOUND: no such number. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_device_get(int64_t number, solo_device **out_device);
solo_status solo_device_get_slow(int64_t number,
                                 solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE int solo_device_ready(const solo_device *device) {
  /* acquire: pairs with solo_device_prepare, solo_registry_add and solo_registry_remove */
  return solo_load_acquire(&device->ready_generation) ==
         solo_load_acquire(&solo_registry_generation);
}

/* Nonzero: the device needs no preparation. */
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

/* Prints devices, and reasons for missing devices and rejected images. */
void solo_device_explain(FILE *out);

/* Unloads a library everywhere; frees its node. */
void solo_device_unload_library(solo_library *library);

/* Runs destructors at exit; the library stays loaded for other threads. */
void solo_device_run_destructors(const void *key);

/* No other thread uses solo. */
void solo_device_close_all(void);

#endif
