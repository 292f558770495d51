#define _DEFAULT_SOURCE
#include "backends/host/host.h"

#include "runtime/base/early.h"
#include "runtime/base/settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  MAX_DEVICES = 256,
  NO_LIMIT = 0x7fffffff,
};

solo_status solo_host_device_count(int *out_count) {
  int64_t count = solo_settings()->host_devices;
  if (count <= 0 || count > MAX_DEVICES) {
    *out_count = 0;
    return solo_fail(SOLO_UNAVAILABLE,
                     "SOLO_HOST_DEVICES=%lld: there is no CPU device; use a value from 1 to %d",
                     (long long)count, MAX_DEVICES);
  }
  *out_count = (int)count;
  return SOLO_OK;
}

solo_status solo_host_device_open(int ordinal, int number, solo_bdevice **out_device,
                                  solo_device_info *out_info) {
  if (ordinal < 0 || ordinal >= solo_settings()->host_devices)
    return solo_fail(SOLO_INVALID, "CPU device %d does not exist: SOLO_HOST_DEVICES is %lld",
                     ordinal, (long long)solo_settings()->host_devices);
  solo_bdevice *device = solo_early_allocate(sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "no host memory to open CPU device %d", ordinal);
  device->ordinal = ordinal;
  device->queue.number = number;

  *out_info = (solo_device_info){
      .arch = SOLO_ARCH_NAME,
      .flags = SOLO_DEVICE_SYNCHRONOUS | SOLO_DEVICE_UNIFIED_ADDRESSES | SOLO_DEVICE_SURVIVES_FORK |
               (solo_settings()->host_memory ? SOLO_DEVICE_SHARED_MEMORY : 0) |
               (solo_host_has_red_zones() ? SOLO_DEVICE_EXACT_BLOCKS : 0),
      .warp_size = 1,
      .max_threads = NO_LIMIT,
      .default_teams = 1,
      .max_teams = NO_LIMIT,
      .clock_hz = 1000000000,
  };
  *out_device = device;
  return SOLO_OK;
}

void solo_host_device_describe(solo_bdevice *device, solo_device_info *info) {
  /* not the processor's brand string: in a virtual machine, cpuid takes 50 us or more */
  snprintf(info->name, sizeof info->name, "%s CPU", SOLO_ARCH_NAME);
  snprintf(info->uid, sizeof info->uid, "host-%d", device->ordinal);
  uint32_t cpus = solo_usable_cpus();
  info->default_threads = cpus;
  info->compute_units = cpus;
  info->hardware_threads = cpus;
  info->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void solo_host_device_close(solo_bdevice *device) {
  solo_early_free(device);
}
