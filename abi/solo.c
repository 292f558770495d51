#include "abi/include/solo.h"

#include "runtime/base/settings.h"
#include "runtime/device/devices.h"
#include <string.h>

SOLO_EXPORT const char *solo_version(void) {
  return SOLO_VERSION_STRING;
}

SOLO_EXPORT int solo_init(void) {
  int count = solo_device_count();
  int first = 0;
  for (int i = 0; i < count; i++) {
    solo_device *device;
    solo_status status = solo_device_get(i, &device);
    if (status != SOLO_OK && !first) first = (int)status;
  }
  return count ? first : (int)SOLO_UNAVAILABLE;
}

SOLO_EXPORT void solo_fini(void) {
  solo_device_close_all();
}

SOLO_EXPORT void solo_last_error(solo_failure *out) {
  const solo_error *error = solo_error_last();
  *out = (solo_failure){.status = (int)error->status,
                        .status_name = solo_status_name(error->status),
                        .device = error->device,
                        .vendor_code = error->vendor_code,
                        .text = error->text,
                        .where = ""};
}

SOLO_EXPORT int solo_describe_device(int number, solo_device_description *out) {
  const size_t oldest = offsetof(solo_device_description, warp_size);
  if (!out || out->size < oldest)
    return (int)solo_fail(SOLO_INVALID,
                          "solo_describe_device: set size to sizeof(solo_device_description)");
  solo_device *device;
  solo_status status = solo_device_get(number, &device);
  if (status != SOLO_OK) return (int)status;
  const solo_device_info *info = solo_device_describe(device);
  size_t size = out->size;
  solo_device_description d = {.size = size,
                               .memory_bytes = info->memory_bytes,
                               .compute_units = info->compute_units,
                               .shares_host_memory = device->unified != 0,
                               .warp_size = info->warp_size,
                               .max_threads = info->max_threads,
                               .shared_bytes = info->max_shared_bytes};
  snprintf(d.name, sizeof d.name, "%s", info->name);
  snprintf(d.arch, sizeof d.arch, "%s", info->arch);
  snprintf(d.backend, sizeof d.backend, "%s", device->backend->name);
  snprintf(d.uid, sizeof d.uid, "%s", info->uid);
  memset(out, 0, size);
  memcpy(out, &d, size < sizeof d ? size : sizeof d);
  return 0;
}

SOLO_EXPORT void solo_explain(FILE *out) {
  fprintf(out, "solo %s, backends:", solo_version());
  for (int b = 0; b < solo_backend_count; b++)
    fprintf(out, " %s", solo_backends[b] ? solo_backends[b]->name : "(missing)");
  fputc('\n', out);
  solo_device_explain(out);
}

SOLO_EXPORT void solo_print_settings(FILE *out) {
  solo_settings_print(out);
  if (solo_server_settings_print) solo_server_settings_print(out);
  if (solo_simt_settings_print) solo_simt_settings_print(out);
}
