/* What Clang's device runtime expects of the host (devices with SOLO_DEVICE_HAS_RTL): kernel
 * environments read, the device environment written, constructor and destructor kernels run, the
 * device heap given. Facts: abi-facts 7 and 8.1. Generic over the backend contract.
 *
 * Threads: called with the device's lock held.
 */
#ifndef SOLO_RTL_H
#define SOLO_RTL_H

#include "runtime/device/kernel.h"
#include "runtime/device/module.h"

/* Fills mode, limits and reduction sizes; a kernel without environment is BARE. */
solo_status solo_rtl_kernel_environment(solo_device *device, solo_module *module, const char *name,
                                        solo_kernel *kernel) SOLO_MUST_CHECK;

/* Before the image is loaded: is its device runtime one that we know? INCOMPATIBLE: with both versions. */
solo_status solo_rtl_image_fits(const solo_device *device, const solo_image *image) SOLO_MUST_CHECK;

/* Appended to the text of a kernel's failure: what the kernel may have asked of the host that is not served; "":
 * no image asks. Threads: any. */
const char *solo_rtl_asks_host(const solo_device *device);

/* After the image is loaded: environment, heap, constructors. */
solo_status solo_rtl_module_loaded(solo_device *device, solo_module *module) SOLO_MUST_CHECK;

/* Before the image is unloaded: destructors. Errors are only logged: there is nobody to tell. */
void solo_rtl_module_leaving(solo_device *device, solo_module *module);

/* Destructors alone, once. */
void solo_rtl_module_ended(solo_device *device, solo_module *module);

#endif
