/* Loading a registered library on a device, and unloading it.
 *
 * Threads: all functions are called with the device's lock held.
 */
#ifndef SOLO_LOAD_H
#define SOLO_LOAD_H

#include "runtime/device/module.h"

/* The module of the library on the device, loaded now if it is not yet. Failure is remembered: the
 * same reason is told every time. */
solo_status solo_module_get(solo_device *device, solo_library *library,
                            solo_module **out_module) SOLO_MUST_CHECK;

/* Unmaps the image's variables and functions, and unloads it. */
void solo_module_empty(solo_device *device, solo_module *module);

/* Unloads: kernels forgotten, data unmapped, image unloaded. */
void solo_module_unload(solo_device *device, solo_module *module);

#endif
