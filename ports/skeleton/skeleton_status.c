#include "ports/skeleton/skeleton.h"

solo_status solo_skeleton_status(skeldrv_result result, const char *action) {
  static const struct {
    solo_status status;
    const char *text;
  } map[] = {
      [SKELDRV_NOT_READY] = {SOLO_INTERNAL, "not ready"},
      [SKELDRV_BAD_VALUE] = {SOLO_INVALID, "argument out of range"},
      [SKELDRV_BAD_HANDLE] = {SOLO_INTERNAL, "stale handle"},
      [SKELDRV_NO_MEMORY] = {SOLO_DEVICE_NOMEM, "the device has no memory left"},
      [SKELDRV_NO_HOST] = {SOLO_NOMEM, "the host has no memory left"},
      [SKELDRV_BAD_PROGRAM] = {SOLO_BAD_IMAGE, "the image is not a program"},
      [SKELDRV_NO_SYMBOL] = {SOLO_NOT_FOUND, "no such symbol"},
      [SKELDRV_FAULT] = {SOLO_KERNEL_FAULT, "access to memory that is not allocated"},
      [SKELDRV_LOST] = {SOLO_DEVICE_LOST, "the device is gone"},
  };
  if (SOLO_LIKELY(result == SKELDRV_OK)) return SOLO_OK;
  if ((unsigned)result >= sizeof map / sizeof *map)
    return solo_fail_vendor(SOLO_INTERNAL, (int)result, "%s: unknown driver result", action);
  return solo_fail_vendor(map[result].status, (int)result, "%s: %s", action, map[result].text);
}
