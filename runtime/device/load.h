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

/* Undoes the loading of an image that was loaded but could not be prepared: its variables must not stay in
 * the mapping table in place of those of another image with the same entries. Returns status; the thread's record
 * stays. (Not inlined: programs of linked images have the empty one of entries_linked.c instead, and so
 * nothing that this one calls.) */
solo_status solo_module_undo(solo_device *device, solo_module *module,
                             solo_status status) SOLO_MUST_CHECK SOLO_NOINLINE;

/* Unmaps the image's variables and functions, and unloads it. */
void solo_module_empty(solo_device *device, solo_module *module);

/* Unloads: kernels forgotten, data unmapped, image unloaded. */
void solo_module_unload(solo_device *device, solo_module *module);

/* Runs the module's destructors; it stays loaded, and they do not run again. */
void solo_module_end(solo_device *device, solo_module *module);

#endif
