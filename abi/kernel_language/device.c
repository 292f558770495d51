#include "abi/kernel_language/kl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int current;

int solo_kl_current(void) {
  return current;
}

int solo_kl_device_count(int *out_count) {
  if (!out_count)
    return solo_kl_fail(KL_INVALID_VALUE, "the address for the number of devices is NULL");
  *out_count = __tgt_rtl_number_of_devices();
  if (*out_count > KL_MOST_DEVICES) *out_count = KL_MOST_DEVICES;
  return *out_count ? KL_OK
                    : solo_kl_fail(KL_NO_DEVICE, "run solo-info to see why no device can be used");
}

int solo_kl_set_device(int device) {
  int count = 0;
  int error = solo_kl_device_count(&count);
  if (error) return error;
  if (device < 0 || device >= count)
    return solo_kl_fail(KL_INVALID_DEVICE, "device number %d; number of devices: %d", device,
                        count);
  current = device;
  return KL_OK;
}

int solo_kl_get_device(int *out_device) {
  if (!out_device)
    return solo_kl_fail(KL_INVALID_VALUE, "the address for the device number is NULL");
  *out_device = current;
  return KL_OK;
}

/* Computes the compute capability: "sm_90" is 9.0, "gfx90a" 9.0, "gfx1100" 11.0. */
static void read_version(const char *arch, int *major, int *minor) {
  const char *digits = arch + strcspn(arch, "0123456789");
  long number = strtol(digits, NULL, 10);
  if (strncmp(arch, "gfx", 3) == 0) { /* the last two characters are minor version and stepping */
    size_t length = strcspn(digits, ":");
    char text[8] = "";
    if (length > 2 && length < sizeof text + 2) memcpy(text, digits, length - 2);
    *major = (int)strtol(text, NULL, 10);
    *minor = length > 2 && digits[length - 2] >= '0' && digits[length - 2] <= '9'
                 ? digits[length - 2] - '0'
                 : 0;
    return;
  }
  *major = (int)(number / 10);
  *minor = (int)(number % 10);
}

int solo_kl_properties(void *out, size_t size, char *arch, int device) {
  solo_device_description d = {.size = sizeof d};
  if (!out) return solo_kl_fail(KL_INVALID_VALUE, "the address for the device properties is NULL");
  if (device < 0 || device >= __tgt_rtl_number_of_devices())
    return solo_kl_fail(KL_INVALID_DEVICE, "device number %d; number of devices: %d", device,
                        __tgt_rtl_number_of_devices());
  int error = solo_kl_status(solo_describe_device(device, &d));
  if (error) return error;
  kl_properties p = {.memory = (size_t)d.memory_bytes,
                     .shared_per_block = d.shared_bytes,
                     .registers_per_block = 65536,
                     .warp_size = (int)d.warp_size,
                     .pitch = 0x7fffffff,
                     .threads_per_block = (int)d.max_threads,
                     .block = {(int)d.max_threads, (int)d.max_threads, 64},
                     .grid = {0x7fffffff, 65535, 65535},
                     .constant_memory = 65536,
                     .texture = {512, 32},
                     .compute_units = (int)d.compute_units,
                     .integrated = d.shares_host_memory,
                     .maps_host_memory = 1,
                     .concurrent_kernels = 1,
                     .copy_engines = 1,
                     .unified_addressing = 1,
                     .threads_per_unit = (int)d.max_threads, /* a lower bound */
                     .shared_per_unit = d.shared_bytes,
                     .registers_per_unit = 65536,
                     .managed_memory = 1,
                     .shared_opt_in = d.shared_bytes};
  snprintf(p.name, sizeof p.name, "%s", d.name);
  read_version(d.arch, &p.major, &p.minor);
  memset(out, 0, size);
  memcpy(out, &p, size < sizeof p ? size : sizeof p);
  if (arch) memcpy(arch, d.arch, sizeof d.arch);
  return KL_OK;
}
