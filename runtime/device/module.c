#include "runtime/device/module.h"

#include "runtime/base/assert.h"
#include "runtime/device/driver_call.h"

static solo_status copy_and_wait(solo_device *device, uint64_t to, uint64_t from, uint64_t bytes,
                                 solo_copy_direction direction) {
  SOLO_ASSERT(solo_lock_is_own(&device->lock), "a module is used without its device's lock");
  SOLO_TRY(solo_queue_copy_unreported(device, device->shared_queue, to, from, bytes, direction));
  return solo_queue_sync_unreported(device, device->shared_queue);
}

solo_status solo_module_read(solo_device *device, void *host, solo_devptr address, uint64_t bytes) {
  return copy_and_wait(device, (uintptr_t)host, address, bytes, SOLO_COPY_OUT);
}

solo_status solo_module_write(solo_device *device, solo_devptr address, const void *host,
                              uint64_t bytes) {
  return copy_and_wait(device, address, (uintptr_t)host, bytes, SOLO_COPY_IN);
}

solo_status solo_module_run(solo_device *device, solo_module *module, const char *name) {
  solo_bkernel *kernel;
  solo_kernel_attributes attributes;
  solo_status status =
      SOLO_OP(device->backend, module_kernel)(module->handle, name, &kernel, &attributes);
  if (status != SOLO_OK) return status;
  uint64_t none = UINT64_MAX; /* the launch environment argument; these kernels do not use it */
  solo_launch_record record = {.teams = {1, 1, 1},
                               .threads = {1, 1, 1},
                               .argument_bytes = attributes.argument_bytes ? 8 : 0,
                               .arguments = &none};
  SOLO_TRY(solo_queue_launch_unreported(device, device->shared_queue, kernel, &record));
  return solo_queue_sync_unreported(device, device->shared_queue);
}
