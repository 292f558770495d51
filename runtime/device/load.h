/* Loading a registered library on a device, and unloading it.
 *
 * Threads: all functions are called with the device's lock held.
 */
#ifndef SOLO_LOAD_H
#define SOLO_LOAD_H

#include "runtime/device/module.h"

/* The module of the library on the device, loaded now if it is not yet. Failure is remembered: the
 * same reason is reported every time. */
solo_status solo_module_get(solo_device *device, solo_library *library,
                            solo_module **out_module) SOLO_MUST_CHECK;

/* What an image leaves that was loaded but could not be prepared goes: its variables must not stand in
 * the mapping table for those of another image with the same entries. Returns status, whose record
 * stays. (Not inlined: programs of linked images have entries_linked.c's instead, which does nothing,
 * and so none of what it calls.) */
solo_status solo_module_undo(solo_device *device, solo_module *module,
                             solo_status status) SOLO_MUST_CHECK SOLO_NOINLINE;

/* Unmaps the image's variables and functions, and unloads it. */
void solo_module_empty(solo_device *device, solo_module *module);

/* Unloads: kernels forgotten, data unmapped, image unloaded. */
void solo_module_unload(solo_device *device, solo_module *module);

/* Runs the module's destructors; it stays loaded, and they do not run again. */
void solo_module_end(solo_device *device, solo_module *module);

#endif
