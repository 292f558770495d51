/* Properties of devices. A value that solo cannot determine is 0. */
#include "abi/offload/internal.h"

#include <string.h>

enum { PROCESSOR_FLOATS = 0x7f }; /* all flags except SOFT_FLOAT */

static ol_result_t put_u32(const ol_property *p, uint64_t value) {
  uint32_t word = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  return ol_put(p, &word, sizeof word);
}

static ol_result_t put_dimensions(const ol_property *p, uint32_t x, uint32_t y, uint32_t z) {
  ol_dimensions_t d = {x, y, z};
  return ol_put(p, &d, sizeof d);
}

static int is_cpu(const solo_device_info *info) {
  return info->warp_size <= 1;
}

static ol_result_t text(const ol_device *on, const solo_device_info *info, ol_device_info_t name,
                        const ol_property *p) {
  switch (name) {
  case OL_DEVICE_INFO_UID:
    return ol_put_text(p, info->uid[0] ? info->uid : "host");
  case OL_DEVICE_INFO_VENDOR:
    return ol_put_text(p, on->platform->vendor);
  case OL_DEVICE_INFO_DRIVER_VERSION:
    return ol_put_text(p, solo_version());
  default:
    return ol_put_text(p, info->name[0] ? info->name : "host");
  }
}

static ol_result_t limit(const solo_device_info *info, ol_device_info_t name,
                         const ol_property *p) {
  uint32_t threads = is_cpu(info) ? 1 : info->max_threads, most = UINT32_MAX;
  uint32_t depth = threads < 64 ? threads : 64; /* CUDA and HSA limit the third dimension */
  switch (name) {
  case OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE:
    return put_u32(p, threads);
  case OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE_PER_DIMENSION:
    return put_dimensions(p, threads, threads, depth);
  case OL_DEVICE_INFO_MAX_WORK_SIZE:
    return put_u32(p, most);
  case OL_DEVICE_INFO_MAX_WORK_SIZE_PER_DIMENSION:
    return put_dimensions(p, most, most, most);
  default:
    return put_u32(p, info->compute_units ? info->compute_units : 1);
  }
}

static ol_result_t number(const solo_device_info *info, ol_device_info_t name,
                          const ol_property *p) {
  uint64_t memory = info->memory_bytes, shared = info->max_shared_bytes;
  switch (name) {
  case OL_DEVICE_INFO_ADDRESS_BITS:
    return put_u32(p, 64);
  case OL_DEVICE_INFO_MAX_MEM_ALLOC_SIZE:
  case OL_DEVICE_INFO_GLOBAL_MEM_SIZE:
    return ol_put(p, &memory, sizeof memory);
  case OL_DEVICE_INFO_WORK_GROUP_LOCAL_MEM_SIZE:
    return ol_put(p, &shared, sizeof shared);
  case OL_DEVICE_INFO_SINGLE_FP_CONFIG:
  case OL_DEVICE_INFO_DOUBLE_FP_CONFIG:
    return put_u32(p, PROCESSOR_FLOATS);
  case OL_DEVICE_INFO_HALF_FP_CONFIG:
    return put_u32(p, is_cpu(info) ? 0 : PROCESSOR_FLOATS);
  case OL_DEVICE_INFO_NATIVE_VECTOR_WIDTH_HALF:
    return put_u32(p, is_cpu(info) ? 0 : 1);
  case OL_DEVICE_INFO_VENDOR_ID:
  case OL_DEVICE_INFO_MAX_CLOCK_FREQUENCY:
  case OL_DEVICE_INFO_MEMORY_CLOCK_RATE:
    return put_u32(p, 0);
  default:
    return put_u32(p, 1); /* vector widths */
  }
}

static ol_result_t device_property(ol_device_handle_t device, ol_device_info_t prop_name,
                                   const ol_property *p) {
  static const solo_device_info none = {.warp_size = 1};
  const solo_device_info *info = &none;
  ol_device *on;
  OL_ENTER();
  OL_TRY(ol_check_property(p, "device", device));
  OL_FIND_DEVICE(on, device);
  if ((unsigned)prop_name >= OL_DEVICE_INFO_LAST)
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of a device does not exist",
                   (int)prop_name);
  if (prop_name == OL_DEVICE_INFO_PLATFORM) {
    void *platform = ol_handle_of(&ol_platforms, on->platform);
    return ol_put(p, &platform, sizeof platform);
  }
  if (on->device) {
    OL_TRY(ol_open(on));
    info = ol_core->device_describe(on->device);
  }
  if (prop_name == OL_DEVICE_INFO_TYPE) {
    ol_device_type_t type = on->is_host    ? OL_DEVICE_TYPE_HOST
                            : is_cpu(info) ? OL_DEVICE_TYPE_CPU
                                           : OL_DEVICE_TYPE_GPU;
    return ol_put(p, &type, sizeof type);
  }
  if (prop_name <= OL_DEVICE_INFO_DRIVER_VERSION) return text(on, info, prop_name, p);
  if (prop_name <= OL_DEVICE_INFO_MAX_WORK_SIZE_PER_DIMENSION ||
      prop_name == OL_DEVICE_INFO_NUM_COMPUTE_UNITS)
    return limit(info, prop_name, p);
  return number(info, prop_name, p);
}

ol_result_t olGetDeviceInfo(ol_device_handle_t device, ol_device_info_t prop_name, size_t prop_size,
                            void *prop_value) {
  return device_property(device, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetDeviceInfoSize(ol_device_handle_t device, ol_device_info_t prop_name,
                                size_t *prop_size_ret) {
  return device_property(device, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}
