#define _DEFAULT_SOURCE
#include "backends/simt/simt.h"

#include "backends/simt/exec/simt.h"
#include "runtime/base/atomic.h"
#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  DEFAULT_TARGET = 90,
  UNITS = 4,
  DEFAULT_TEAMS = 16, /* more than UNITS, as on a GPU */
  WARPS_PER_UNIT = 32,
  MAX_THREADS = 1024,
  NS_PER_SECOND = 1000000000,
  MEMORY_PART = 2, /* device memory is 1/2 of the host memory */
};

static uint32_t asked_for(void) {
  static _Atomic int reported;
  const char *text = solo_simt_settings()->target;
  if (!text) return 0;
  uint32_t kind = strncmp(text, "gfx", 3) == 0 ? SOLO_SIMT_HEX : 0;
  size_t digits = 0;
  if (kind || strncmp(text, "sm_", 3) == 0)
    digits = strspn(text + 3, kind ? "0123456789abcdef" : "0123456789");
  if (digits >= 2 && digits <= 4 && !text[3 + digits])
    return kind | (uint32_t)strtoul(text + 3, NULL, kind ? 16 : 10);
  if (!solo_exchange_relaxed(&reported, 1)) /* relaxed: only selects the thread that warns */
    solo_warn("SIMT_TARGET=\"%s\" is not understood (sm_90, gfx90a, ...); used instead: none",
              text);
  return 0;
}

solo_status solo_simt_device_count(int *out_count) {
  *out_count = solo_simt_image_flags() || asked_for();
  if (*out_count) return SOLO_OK;
  return solo_fail(SOLO_UNAVAILABLE, "simt: no image for a virtual GPU is registered; set "
                                     "SIMT_TARGET=sm_90 or gfx90a to use one without an image");
}

/* Source: CUDA C++ Programming Guide, compute capabilities. */
static uint32_t shared_of(uint32_t target) {
  if (target & SOLO_SIMT_HEX) return 64 << 10;
  if (target >= 90) return 227 << 10;
  if (target == 80 || target == 87) return 163 << 10;
  if (target >= 80) return 99 << 10;
  if (target >= 70) return target == 75 ? 64 << 10 : 96 << 10;
  return 48 << 10;
}

/* RDNA (gfx10 and later) has wavefronts of 32 lanes. */
static uint32_t warp_of(uint32_t target) {
  return target & SOLO_SIMT_HEX && (target & ~(uint32_t)SOLO_SIMT_HEX) < 0x1000 ? 64 : 32;
}

solo_status solo_simt_check_lost(const solo_bdevice *device) {
  /* relaxed: the flag publishes no data */
  if (SOLO_LIKELY(!solo_load_relaxed(&device->lost))) return SOLO_OK;
  return solo_fail(SOLO_DEVICE_LOST, "simt: device %d is lost: an earlier kernel failed",
                   device->number);
}

static void describe(const solo_bdevice *device, solo_device_info *info) {
  int gfx = (device->target & SOLO_SIMT_HEX) != 0;
  uint32_t number = device->target & ~(uint32_t)SOLO_SIMT_HEX;
  uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  snprintf(info->arch, sizeof info->arch, gfx ? "gfx%x" : "sm_%u", number);
  snprintf(info->name, sizeof info->name, gfx ? "virtual GPU (gfx%x)" : "virtual GPU (sm_%u)",
           number);
  snprintf(info->uid, sizeof info->uid, "simt-0");
  info->flags = SOLO_DEVICE_SYNCHRONOUS | SOLO_DEVICE_UNIFIED_ADDRESSES | SOLO_DEVICE_HAS_RTL |
                (gfx ? SOLO_DEVICE_HEAP_FROM_HOST : SOLO_DEVICE_STRUCTORS_BY_HOST) |
                (solo_simt_image_flags() & SOLO_SIMT_CHECKED ? SOLO_DEVICE_EXACT_BLOCKS : 0);
  info->warp_size = device->warp_size;
  info->max_threads = MAX_THREADS;
  info->default_threads = gfx ? 256 : 128;
  info->default_teams = DEFAULT_TEAMS;
  info->max_teams = 0x7fffffff;
  info->compute_units = UNITS;
  info->max_shared_bytes = device->shared_bytes;
  info->memory_bytes = memory / MEMORY_PART;
  info->hardware_threads = UNITS * WARPS_PER_UNIT;
  /* frequency of s_memrealtime and globaltimer */
  info->clock_hz = gfx ? NS_PER_SECOND / 10 : NS_PER_SECOND;
  snprintf(info->init_kernel, sizeof info->init_kernel,
           gfx ? "amdgcn.device.init" : "nvptx$device$init");
  snprintf(info->fini_kernel, sizeof info->fini_kernel,
           gfx ? "amdgcn.device.fini" : "nvptx$device$fini");
}

solo_status solo_simt_device_open(int ordinal, int number, solo_bdevice **out_device,
                                  solo_device_info *out_info) {
  if (ordinal != 0)
    return solo_fail(SOLO_INVALID, "simt: no virtual GPU %d: only 0 exists", ordinal);
  if (!simt_catch_faults())
    return solo_fail(SOLO_UNAVAILABLE, "simt: cannot install the handlers of fault signals");
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "simt: no memory for a device");
  device->queue.device = device;
  device->event.device = device;
  device->number = number;
  device->target = solo_simt_image_flags() & SOLO_SIMT_TARGET;
  if (!device->target) device->target = asked_for();
  if (!device->target) device->target = DEFAULT_TARGET;
  device->warp_size = warp_of(device->target);
  device->shared_bytes = shared_of(device->target);
  const solo_simt_settings_table *settings = solo_simt_settings();
  device->workers = settings->workers ? (uint32_t)settings->workers : (uint32_t)solo_usable_cpus();
  device->seed = (uint64_t)settings->seed;
  device->race_status = (int)settings->race_status;
  *out_info = (solo_device_info){.name = ""};
  describe(device, out_info);
  *out_device = device;
  return SOLO_OK;
}

void solo_simt_device_close(solo_bdevice *device) {
  free(device);
}
