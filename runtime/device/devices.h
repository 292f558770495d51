/* The devices of all backends under one numbering, each opened when it is first used.
 *
 * A backend takes part when some registered image is of its kind, or when no image is registered at
 * all (explicit use): a program with CPU images never wakes a GPU driver. Numbers follow the order
 * of solo_backends; a backend that comes to take part later (dlopen) gets numbers behind.
 *
 *   UNOPENED --first use--> OPEN --(library added or removed: generation differs)--> prepared again
 *        |                                                                             |
 *        +--open failed--> FAILED (sticky; the reason is kept and given each time) <---+ no
 *
 * Threads: all functions from any thread. solo_device_ready is the hot path: two loads.
 */
#ifndef SOLO_DEVICES_H
#define SOLO_DEVICES_H

#include "runtime/device/device.h"
#include <stdio.h>

/* Number of devices; finds them at the first call and after registrations. 0 when there are none
 * (solo_device_explain says why). */
int solo_device_count(void);

/* A numbered device, not necessarily open; NULL outside 0 <= number < solo_device_count(). */
solo_device *solo_device_at(int number);

/* The device's info with everything filled in; the device is open. */
const solo_device_info *solo_device_describe(solo_device *device);

/* Opens and prepares: slow path of solo_device_get. */
solo_status solo_device_prepare(solo_device *device) SOLO_MUST_CHECK SOLO_COLD;

/* Called for each open device before it is closed: set by code that keeps queues of its own. NULL:
 * nobody.
 */
extern _Atomic(void (*)(solo_device *)) solo_device_closing;

/* The device, open, with every registered library's data loaded. NOT_FOUND: no such number. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_device_get(int64_t number, solo_device **out_device);
solo_status solo_device_get_slow(int64_t number,
                                 solo_device **out_device) SOLO_MUST_CHECK SOLO_COLD;

SOLO_INLINE int solo_device_ready(const solo_device *device) {
  /* acquire: pairs with the release at the end of solo_device_prepare; the generation's acquire
   * pairs with solo_registry_add and _remove */
  return solo_load_acquire(&device->ready_generation) ==
         solo_load_acquire(&solo_registry_generation);
}

/* Is there a device of the number that needs no preparation? */
SOLO_INLINE int solo_device_is_ready(int64_t number, solo_device **out_device) {
  /* acquire: pairs with the release in number_devices (devices.c) */
  if (SOLO_UNLIKELY((uint64_t)number >= (uint64_t)solo_load_acquire(&solo_devices_known))) return 0;
  *out_device = solo_devices[number];
  return solo_device_ready(*out_device);
}

SOLO_INLINE solo_status solo_device_get(int64_t number, solo_device **out_device) {
  if (SOLO_LIKELY(solo_device_is_ready(number, out_device))) return SOLO_OK;
  return solo_device_get_slow(number, out_device);
}

/* Everything that can be said about why there are (no) devices and which image was refused why. */
void solo_device_explain(FILE *out);

/* A library is going: unload it everywhere. The node is disposed of. */
void solo_device_forget_library(solo_library *library);

/* The program ends, and so the library of this key: its destructors run on every device that has it. It
 * stays loaded, for threads that are in its regions. */
void solo_device_end_library(const void *key);

/* Closes all devices (solo_fini). No other thread may be using solo. */
void solo_device_close_all(void);

#endif
