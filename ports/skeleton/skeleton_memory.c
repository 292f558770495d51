#include "ports/skeleton/skeleton.h"

/* Allocates exactly `bytes` bytes, or returns DEVICE_NOMEM. */
solo_status solo_skeleton_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                    solo_devptr *out_address) {
  if (kind != SOLO_MEMORY_DEVICE)
    return solo_fail(SOLO_UNSUPPORTED, "the device has only device memory");
  return solo_skeleton_status(skeldrv_alloc(device->driver, bytes, out_address), "allocate memory");
}

solo_status solo_skeleton_mem_free(solo_bdevice *device, solo_devptr address,
                                   solo_memory_kind kind) {
  (void)kind;
  return solo_skeleton_status(skeldrv_free(device->driver, address), "free memory");
}
