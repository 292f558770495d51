/* The functions of rtl.h for linked images, which have no device runtime. */
#include "runtime/device/rtl.h"

solo_status solo_rtl_kernel_environment(solo_device *device, solo_module *module, const char *name,
                                        solo_kernel *kernel) {
  (void)device, (void)module, (void)name, (void)kernel;
  return SOLO_OK;
}

solo_status solo_rtl_image_fits(const solo_device *device, const solo_image *image) {
  (void)device, (void)image;
  return SOLO_OK;
}

const char *solo_rtl_host_call_hint(const solo_device *device) {
  (void)device;
  return "";
}

solo_status solo_rtl_module_loaded(solo_device *device, solo_module *module) {
  (void)device, (void)module;
  return SOLO_OK;
}

void solo_rtl_module_leaving(solo_device *device, solo_module *module) {
  (void)device, (void)module;
}

void solo_rtl_module_ended(solo_device *device, solo_module *module) {
  (void)device, (void)module;
}
