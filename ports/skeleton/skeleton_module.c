#include "ports/skeleton/skeleton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "skeleton-one ";

struct solo_bmodule {
  skeldrv_program *driver;
  char text[]; /* a copy of the image, which the driver reads until the unload */
};

/* Decides by the contents, without a call of the driver. */
int solo_skeleton_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_UNKNOWN && image->bytes.size >= sizeof magic - 1 &&
         memcmp(image->bytes.data, magic, sizeof magic - 1) == 0;
}

/* If the device cannot run the image, returns 0 with a reason, which solo-info prints. */
uint32_t solo_skeleton_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                                   size_t reason_size) {
  (void)device;
  const char version[] = "1\n";
  size_t at = sizeof magic - 1, size = sizeof version - 1;
  if (solo_span_has(image->bytes, at, size) && memcmp(image->bytes.data + at, version, size) == 0)
    return 1;
  snprintf(reason, reason_size, "a newer program format; the device supports skeleton-one 1");
  return 0;
}

/* Copies the image's bytes, which are valid only during this call. */
solo_status solo_skeleton_module_load(solo_bdevice *device, const solo_image *image,
                                      solo_bmodule **out_module) {
  char reason[128];
  if (!solo_skeleton_image_score(device, image, reason, sizeof reason))
    return solo_fail(SOLO_INCOMPATIBLE, "image rejected: %s", reason);
  solo_bmodule *module = malloc(sizeof *module + image->bytes.size + 1);
  if (!module) return solo_fail(SOLO_NOMEM, "no host memory for a module");
  memcpy(module->text, image->bytes.data, image->bytes.size);
  module->text[image->bytes.size] = 0;
  skeldrv_result result = skeldrv_program_load(device->driver, module->text, &module->driver);
  if (result == SKELDRV_OK)
    *out_module = module;
  else
    free(module);
  return solo_skeleton_status(result, "load image");
}

void solo_skeleton_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)device;
  skeldrv_program_unload(module->driver);
  free(module);
}

/* The runtime rejects launches with more bytes than argument_bytes. */
solo_status solo_skeleton_module_kernel(solo_bmodule *module, const char *name,
                                        solo_bkernel **out_kernel,
                                        solo_kernel_attributes *out_attributes) {
  skeldrv_kernel *kernel;
  uint32_t slots;
  skeldrv_result result = skeldrv_program_kernel(module->driver, name, &kernel, &slots);
  if (result != SKELDRV_OK) return solo_skeleton_status(result, name);
  *out_kernel = (solo_bkernel *)kernel; /* the handle may be the driver's */
  *out_attributes = (solo_kernel_attributes){.argument_bytes = 8 * slots};
  return SOLO_OK;
}

/* NOT_FOUND sets no error text, because callers test whether a global exists. */
solo_status solo_skeleton_module_global(solo_bmodule *module, const char *name,
                                        solo_devptr *out_address, uint64_t *out_bytes) {
  skeldrv_result result = skeldrv_program_global(module->driver, name, out_address, out_bytes);
  return result == SKELDRV_NO_SYMBOL ? SOLO_NOT_FOUND : solo_skeleton_status(result, name);
}
