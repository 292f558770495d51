#include "runtime/device/resolve.h"

#include "runtime/device/entries.h"
#include "runtime/device/load.h"
#include "runtime/device/rtl.h"

/* The caller holds the device's lock. */
static solo_status describe(solo_device *device, solo_module *module, const solo_entry *entry,
                            solo_kernel **out_kernel) {
  solo_kernel *kernel = solo_kernel_allocate(device);
  if (!kernel) return solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  solo_status status = SOLO_OP(device->backend, module_kernel)(
      module->handle, entry->name, &kernel->handle, &kernel->attributes);
  if (status == SOLO_NOT_FOUND)
    status = solo_fail(status, "the image on device %d (%s) has no kernel %s: %s", device->number,
                       device->info.arch, entry->name, solo_entries_mismatch(&module->image));
  kernel->library = module->library;
  if (status == SOLO_OK && solo_device_has_rtl(device))
    status = solo_rtl_kernel_environment(device, module, entry->name, kernel);
  size_t length = strlen(entry->name);
  if (length >= sizeof kernel->name) length = sizeof kernel->name - 1;
  memcpy(kernel->name, entry->name, length);
  if (status == SOLO_OK && !solo_kernel_publish(device, kernel, entry->address))
    status = solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  if (status != SOLO_OK) {
    solo_kernel_free(device, kernel);
    return status;
  }
  *out_kernel = kernel;
  return SOLO_OK;
}

static solo_status resolve_in(solo_device *device, solo_library *library, const solo_entry *entry,
                              solo_kernel **out_kernel) {
  *out_kernel = solo_kernel_find_resolved(device, entry->address);
  if (*out_kernel) return SOLO_OK;
  solo_module *module;
  SOLO_TRY(solo_module_get(device, library, &module));
  return describe(device, module, entry, out_kernel);
}

solo_status solo_kernel_resolve(solo_device *device, const void *key, solo_kernel **out_kernel) {
  solo_entry entry;
  solo_status status = SOLO_OK;
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l)) {
    if (!solo_library_find_kernel(l, key, &entry)) continue;
    solo_device_lock(device);
    status = resolve_in(device, l, &entry, out_kernel);
    solo_lock_release(&device->lock);
    if (status == SOLO_OK) {
      solo_registry_release(l);
      return SOLO_OK;
    }
  }
  return status == SOLO_OK ? solo_entries_missing(key) : status;
}

solo_status solo_kernel_of(solo_device *device, solo_library *library, const char *name,
                           const void *key, solo_kernel **out_kernel) {
  const solo_entry entry = {.address = (void *)(uintptr_t)key, .name = name};
  solo_device_lock(device);
  solo_status status = resolve_in(device, library, &entry, out_kernel);
  solo_lock_release(&device->lock);
  return status;
}
