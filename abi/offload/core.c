/* The table of core.h. */
#include "abi/offload/core.h"

#include "abi/interop.h"
#include "abi/kernel_handle.h"
#include "abi/policy.h"
#include "abi/rtl/load.h"
#include "runtime/base/fork.h"
#include "runtime/device/devices.h"
#include "runtime/device/load.h"

static int count(void) {
  return tgt_is_disabled() ? 0 : solo_device_count();
}

static solo_status get(int64_t number, solo_device **out_device) {
  return tgt_rtl_device((int32_t)number, out_device);
}

static solo_status copy(const solo_device *device, solo_bqueue *queue, const solo_copy *what) {
  return solo_queue_copy(device, queue, what);
}

static solo_status launch(const solo_device *device, solo_bqueue *queue, const solo_kernel *kernel,
                          const solo_launch_record *record, const char *where) {
  return solo_queue_launch(device, queue, kernel, record, where);
}

static solo_status pin(solo_device *device, void *host, uint64_t bytes, solo_devptr *out_address) {
  return solo_backend_mem_pin(device->backend, device->handle, host, bytes, out_address);
}

static solo_status unpin(solo_device *device, void *host) {
  return solo_backend_mem_unpin(device->backend, device->handle, host);
}

typedef struct rating {
  const solo_device *device;
  int fits;
} rating;

static solo_status rate(void *context, const solo_image *image) {
  rating *r = context;
  const solo_backend *backend = r->device->backend;
  char reason[1];
  if (!r->fits && SOLO_OP(backend, image_recognise)(image))
    r->fits = SOLO_OP(backend, image_score)(r->device->handle, image, reason, sizeof reason) > 0;
  return SOLO_OK;
}

static solo_status image_fits(solo_device *device, const void *bytes, size_t size, int *out_fits) {
  rating r = {device, 0};
  SOLO_TRY(solo_image_visit(solo_span_of(bytes, size), rate, &r));
  *out_fits = r.fits;
  return SOLO_OK;
}

static solo_status program_load(solo_registration *registration, solo_device *device) {
  solo_module *module;
  solo_library *l = solo_registry_next(NULL);
  while (l && l->source.key != &registration->descriptor) l = solo_registry_next(l);
  if (!l) return solo_fail(SOLO_INVALID, "the image is no longer registered");
  solo_device_lock(device);
  solo_status status = solo_module_get(device, l, &module);
  solo_lock_release(&device->lock);
  solo_registry_release(l);
  if (status != SOLO_OK) solo_error_set_device(device->number);
  return status;
}

static solo_status kernel_find(solo_registration *registration, solo_device *device,
                               const char *name, solo_kernel **out_kernel) {
  solo_kernel_handle *handle;
  SOLO_TRY((solo_status)solo_find_kernel(registration, device->number, name, &handle));
  *out_kernel = handle->kernel;
  return SOLO_OK;
}

static solo_status global_find(solo_registration *registration, solo_device *device,
                               const char *name, void **out_address, size_t *out_bytes) {
  return (solo_status)solo_find_global(registration, device->number, name, out_address, out_bytes);
}

static const solo_offload_core_table table = {
    .version = SOLO_OFFLOAD_CORE_VERSION,
    .install_fork_handlers = solo_fork_install_handlers,
    .device_count = count,
    .device_at = solo_device_at,
    .device_get = get,
    .device_describe = solo_device_describe,
    .lease_acquire = solo_queue_lease_acquire,
    .lease_release = solo_queue_lease_release,
    .memory_alloc = solo_memory_alloc,
    .memory_free = solo_memory_free,
    .pin = pin,
    .unpin = unpin,
    .copy = copy,
    .copy_peer = solo_queue_copy_peer,
    .fill = solo_queue_fill,
    .launch = launch,
    .wait = solo_queue_wait,
    .transfer = solo_transfer_copy,
    .image_fits = image_fits,
    .program_load = program_load,
    .kernel_find = kernel_find,
    .global_find = global_find,
    .interop_queue = tgt_interop_queue,
    .interop_make = tgt_interop_make,
};

const solo_offload_core_table *solo_offload_core(void) {
  return &table;
}
