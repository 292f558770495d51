#include "runtime/device/rtl.h"

#include "runtime/base/debug.h"
#include "runtime/base/settings.h"
#include "runtime/device/rpc.h"
#include "runtime/device/rtl_structors.h"
#include <stdio.h>
#include <stdlib.h>

/* Layouts: abi-facts 7.2, 7.5, 8.1. */
typedef struct kernel_environment {
  uint8_t generic_state_machine, nested_parallelism, mode, reserved;
  int32_t min_threads, max_threads, min_teams, max_teams;
  int32_t reduction_bytes, reduction_length;
  uint32_t padding;
  uint64_t ident, dynamic_environment;
} kernel_environment;
_Static_assert(sizeof(kernel_environment) == 48, "kernel environment");

typedef struct device_environment {
  uint32_t debug_kind, device_count, device_number, shared_bytes;
  uint64_t clock_hz;
  uint64_t indirect_table, indirect_count;
  uint64_t hardware_threads;
} device_environment;
_Static_assert(sizeof(device_environment) == 48, "device environment");

enum { NAME_BYTES = 512, DEFAULT_HEAP = 64 << 20 };

static solo_status find_global(solo_device *device, solo_module *module, const char *name,
                               solo_devptr *out_address, uint64_t *out_bytes) {
  return SOLO_OP(device->backend, module_global)(module->handle, name, out_address, out_bytes);
}

solo_status solo_rtl_kernel_environment(solo_device *device, solo_module *module, const char *name,
                                        solo_kernel *kernel) {
  char symbol[NAME_BYTES];
  int length = snprintf(symbol, sizeof symbol, "%s_kernel_environment", name);
  if (length < 0 || (size_t)length >= sizeof symbol)
    return solo_fail(SOLO_UNSUPPORTED, "kernel name of %zu bytes is too long", strlen(name));
  solo_devptr address;
  uint64_t bytes;
  solo_status status = find_global(device, module, symbol, &address, &bytes);
  kernel->mode = SOLO_MODE_BARE;
  /* the kernel has ompx_bare, or is of another language */
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  kernel_environment e;
  if (bytes < sizeof e)
    return solo_fail(
        SOLO_BAD_IMAGE,
        "%s has %llu bytes, not the %zu of Clang 17 to 22\n  hint: compile with one of these",
        symbol, (unsigned long long)bytes, sizeof e);
  SOLO_TRY(solo_module_read(device, &e, address, sizeof e));
  kernel->mode = e.mode;
  kernel->min_threads = e.min_threads;
  kernel->max_threads = e.max_threads;
  kernel->min_teams = e.min_teams;
  kernel->max_teams = e.max_teams;
  if (e.reduction_bytes > 0 && e.reduction_length > 0) {
    kernel->reduction_bytes = (uint32_t)e.reduction_bytes;
    kernel->reduction_length = (uint32_t)e.reduction_length;
  }
  return SOLO_OK;
}

static solo_status write_environment(solo_device *device, solo_module *module) {
  solo_devptr address;
  uint64_t bytes;
  solo_status status =
      find_global(device, module, "__omp_rtl_device_environment", &address, &bytes);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  const solo_settings_table *settings = solo_settings();
  device_environment e = {.debug_kind = (uint32_t)settings->device_debug,
                          .device_count =
                              /* relaxed: devices that are found later are not counted */
                          (uint32_t)solo_load_relaxed(&solo_devices_numbered),
                          .device_number = (uint32_t)device->number,
                          .shared_bytes = (uint32_t)settings->shared_size,
                          .clock_hz = device->info.clock_hz,
                          .hardware_threads = device->info.hardware_threads};
  return solo_module_write(device, address, &e, bytes < sizeof e ? bytes : sizeof e);
}

/* Allocates the memory of the kernels' malloc. The device runtime computes the pool's end as the
 * address of the pool variable plus words[1]; therefore words[1] depends on that address (abi-facts
 * 8.1). On other devices the driver provides the heap. */
static solo_status set_heap(solo_device *device, solo_module *module) {
  if (!(device->info.flags & SOLO_DEVICE_HEAP_FROM_HOST)) return SOLO_OK;
  solo_devptr address, pool;
  uint64_t bytes;
  solo_status status =
      find_global(device, module, "__omp_rtl_device_memory_pool", &address, &bytes);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  uint64_t heap = solo_settings()->heap_size ? solo_settings()->heap_size : DEFAULT_HEAP;
  SOLO_TRY(SOLO_OP(device->backend, mem_alloc)(device->handle, heap, SOLO_MEMORY_DEVICE, &pool));
  module->heap = pool;
  uint64_t words[2] = {pool, pool + heap - address};
  return solo_module_write(device, address, words, sizeof words);
}

solo_status solo_rtl_module_loaded(solo_device *device, solo_module *module) {
  SOLO_TRY(solo_rpc_loaded(device, module, &module->rpc));
  SOLO_TRY(write_environment(device, module));
  SOLO_TRY(set_heap(device, module));
  SOLO_TRY(solo_rtl_structors(device, module, SOLO_STRUCTORS_INIT));
  module->constructed = 1;
  return SOLO_OK;
}

void solo_rtl_module_ended(solo_device *device, solo_module *module) {
  if (module->constructed && solo_rtl_structors(device, module, SOLO_STRUCTORS_FINI) != SOLO_OK)
    solo_debug(1, "device %d: destructors: %s", device->number, solo_error_last()->text);
  module->constructed = 0;
}

void solo_rtl_module_leaving(solo_device *device, solo_module *module) {
  solo_rtl_module_ended(device, module);
  solo_rtl_structors_free(module);
  solo_rpc_leaving(module->rpc);
  module->rpc = NULL;
  if (module->heap && SOLO_OP(device->backend, mem_free)(device->handle, module->heap,
                                                         SOLO_MEMORY_DEVICE) != SOLO_OK)
    solo_debug(1, "device %d: heap: %s", device->number, solo_error_last()->text);
}
