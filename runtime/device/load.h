/* Loads and unloads registered libraries on a device. The caller holds the device's lock. */
#ifndef SOLO_LOAD_H
#define SOLO_LOAD_H

#include "runtime/device/module.h"

/* Returns the library's module; the first call loads it. If the load failed, each call reports its
 * error again. */
solo_status solo_module_get(solo_device *device, solo_library *library,
                            solo_module **out_module) SOLO_MUST_CHECK;

/* Unloads an image of which the preparation failed. Otherwise its variables would hide those of
 * another image with the same entries. Returns `status`; preserves the error record. Not inlined,
 * because entries_linked.c replaces it. */
solo_status solo_module_unload_failed(solo_device *device, solo_module *module,
                                      solo_status status) SOLO_MUST_CHECK SOLO_NOINLINE;

void solo_module_unload_image(solo_device *device, solo_module *module);

void solo_module_unload(solo_device *device, solo_module *module);

/* Runs the destructors, at most once. */
void solo_module_run_destructors(solo_device *device, solo_module *module);

#endif
