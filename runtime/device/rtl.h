/* The host's part of Clang's device runtime (abi-facts 7 and 8.1), for devices with
 * SOLO_DEVICE_HAS_RTL. The caller holds the device's lock. */
#ifndef SOLO_RTL_H
#define SOLO_RTL_H

#include "runtime/device/kernel.h"
#include "runtime/device/module.h"

/* Reads the kernel's mode, limits and reduction sizes from the image. A kernel without environment
 * has SOLO_MODE_BARE. */
solo_status solo_rtl_kernel_environment(solo_device *device, solo_module *module, const char *name,
                                        solo_kernel *kernel) SOLO_MUST_CHECK;

/* INCOMPATIBLE: an unsupported Clang version made the image. */
solo_status solo_rtl_image_fits(const solo_device *device, const solo_image *image) SOLO_MUST_CHECK;

/* Returns a hint for errors of kernels if an image can call the host but no thread serves the calls
 * (rpc.c); else "". Any thread may call it. */
const char *solo_rtl_host_call_hint(const solo_device *device);

solo_status solo_rtl_module_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;

/* Runs destructors, ends host calls, frees the heap. Only logs errors. */
void solo_rtl_module_leaving(solo_device *device, solo_module *module);

void solo_rtl_module_ended(solo_device *device, solo_module *module);

#endif
