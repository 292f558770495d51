#include "ports/skeleton/skeleton.h"

#include <stdio.h>
#include <stdlib.h>

/* If there is no device, the user sees only this error text: the reason and a way to check it. */
solo_status solo_skeleton_device_count(int *out_count) {
  *out_count = skeldrv_device_count();
  if (*out_count > 0) return SOLO_OK;
  *out_count = 0;
  return solo_fail(SOLO_UNAVAILABLE, "no Skeleton One found (SKELDRV_DEVICES sets their number)");
}

/* Set the out parameters only on success. */
solo_status solo_skeleton_device_open(int ordinal, int number, solo_bdevice **out_device,
                                      solo_device_info *out_info) {
  (void)number; /* for messages only */
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "no host memory to open a device");
  skeldrv_result result = skeldrv_device_open(ordinal, &device->driver);
  if (result == SKELDRV_OK) {
    result = skeldrv_device_properties(device->driver, &device->limits);
    if (result != SKELDRV_OK) skeldrv_device_close(device->driver);
  }
  if (result != SKELDRV_OK) {
    free(device);
    return solo_skeleton_status(result, "open device");
  }
  device->ordinal = ordinal;
  const skeldrv_properties *limits = &device->limits;
  *out_info = (solo_device_info){
      .arch = "skeleton-one", /* as in -march or a target id */
      .flags = SOLO_DEVICE_HAS_RTL,
      .warp_size = 1,
      .max_threads = limits->max_threads,
      .default_threads = 32,
      .default_teams = limits->cores,
      .max_teams = limits->max_teams,
      .compute_units = limits->cores,
      .max_shared_bytes = limits->shared_bytes,
      .memory_bytes = limits->memory_bytes,
      .hardware_threads = limits->cores,
      .clock_hz = limits->clock_hz,
  };
  snprintf(out_info->name, sizeof out_info->name, "%s", limits->name);
  snprintf(out_info->uid, sizeof out_info->uid, "skeleton-%d", ordinal);
  *out_device = device;
  return SOLO_OK;
}

/* Also destroys closed queues: no event can refer to them any more. */
void solo_skeleton_device_close(solo_bdevice *device) {
  while (device->idle) {
    solo_bqueue *queue = device->idle;
    device->idle = queue->next_idle;
    skeldrv_queue_destroy(queue->driver);
    free(queue);
  }
  skeldrv_device_close(device->driver);
  free(device);
}
