/* A registered library loaded on one device: its chosen image, and its data in the mapping table.
 *
 * Threads: all functions are called with the device's lock held.
 */
#ifndef SOLO_MODULE_H
#define SOLO_MODULE_H

#include "runtime/device/device.h"
#include "runtime/image/image.h"

struct solo_module {
  solo_module *next; /* of the device */
  solo_library *library;
  solo_bmodule *handle; /* NULL: no image fits, or loading failed */
  solo_image image;     /* the chosen one; kind UNKNOWN when it was decompressed and is gone */
  solo_devptr heap;     /* device heap given to it; 0: none */
  int constructed;      /* with a device runtime: its constructors ran */
  solo_fptr_list pairs; /* what it adds to the device's function-pointer table */
  solo_status status;
  solo_kept_error *reason; /* solo_error_kept, when status says so */
};

/* The module of the library on the device, loaded now if it is not yet. Failure is remembered: the
 * same reason is told every time. */
solo_status solo_module_get(solo_device *device, solo_library *library,
                            solo_module **out_module) SOLO_MUST_CHECK;

/* Unmaps the image's variables and functions, and unloads it. */
void solo_module_empty(solo_device *device, solo_module *module);

/* Unloads: kernels forgotten, data unmapped, image unloaded. */
void solo_module_unload(solo_device *device, solo_module *module);

#endif
