/* Platforms and devices. The first olIterateDevices searches for devices, because a program receives handles only through
 * its callback. A device is opened at its first use. */
#include "abi/offload/internal.h"

#include <string.h>

ol_device *ol_host;
static int searched;

static void end_device(void *object) {
  ol_device *on = object;
  solo_store_relaxed(&on->open, 0); /* relaxed: no other thread uses the interface */
  ol_destroy(&ol_devices, on);
}

static void end_platform(void *object) {
  ol_destroy(&ol_platforms, object);
}

void ol_platforms_end(void) {
  ol_each(&ol_devices, end_device);
  ol_each(&ol_platforms, end_platform);
  ol_host = NULL;
  searched = 0;
}

static const ol_platform kinds[] = {
    {.name = "host", .vendor = "solo", .backend = OL_PLATFORM_BACKEND_HOST},
    {.name = "cuda", .vendor = "NVIDIA", .backend = OL_PLATFORM_BACKEND_CUDA},
    {.name = "hsa", .vendor = "AMD", .backend = OL_PLATFORM_BACKEND_AMDGPU},
    {.name = "simt", .vendor = "solo virtual GPU", .backend = OL_PLATFORM_BACKEND_UNKNOWN},
};

static ol_platform *find_platform(const char *name) {
  /* relaxed: lock held */
  for (uint32_t i = 0; i < solo_load_relaxed(&ol_platforms.used); i++) {
    ol_platform *p = (ol_platform *)(void *)solo_load_relaxed(&ol_platforms.chunks[0]) + i;
    if ((solo_load_relaxed(&p->header.generation) & 1) && strcmp(p->name, name) == 0) return p;
  }
  ol_platform *p = ol_create(&ol_platforms);
  if (!p) return NULL;
  p->name = name;
  p->vendor = "solo device server"; /* if kinds[] lacks the name */
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, name) == 0) {
      p->vendor = kinds[i].vendor;
      p->backend = kinds[i].backend;
    }
  ol_publish(p);
  return p;
}

static ol_device *add(int number, solo_device *device) {
  ol_platform *platform = find_platform(device ? device->backend->name : "host");
  ol_device *on = platform ? ol_create(&ol_devices) : NULL;
  if (!on) return NULL;
  on->platform = platform;
  on->number = number;
  on->device = device;
  on->is_host = platform->backend == OL_PLATFORM_BACKEND_HOST;
  if (on->is_host && !ol_host) ol_host = on;
  ol_publish(on);
  return on;
}

static int is_host(const solo_device *device) {
  return strcmp(device->backend->name, kinds[0].name) == 0;
}

static ol_result_t search(void) {
  int complete = 1;
  pthread_mutex_lock(&ol_lock);
  if (!searched) {
    int count = ol_core->device_count();
    for (int hosts = 0; hosts < 2; hosts++) /* the host is last, as in LLVM */
      for (int i = 0; i < count && complete; i++)
        if (is_host(ol_core->device_at(i)) == hosts)
          complete = add(i, ol_core->device_at(i)) != NULL;
    if (complete && !ol_host) complete = add(-1, NULL) != NULL;
    searched = complete;
  }
  pthread_mutex_unlock(&ol_lock);
  return complete ? OL_SUCCESS
                  : ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for the list of devices");
}

ol_result_t olIterateDevices(ol_device_iterate_cb_t callback, void *user_data) {
  OL_ENTER();
  OL_POINTER(callback);
  OL_TRY(search());
  uint32_t used = solo_load_acquire(&ol_devices.used); /* pairs with extend in handle.c */
  for (uint32_t i = 0; i < used; i++) {
    /* relaxed: search() has locked ol_lock */
    ol_device *on = (ol_device *)(void *)(solo_load_relaxed(&ol_devices.chunks[i / OL_CHUNK]) +
                                          i % OL_CHUNK * sizeof *on);
    if (!(solo_load_relaxed(&on->header.generation) & 1)) continue;
    if (!callback(ol_handle_of(&ol_devices, on), user_data)) break;
  }
  return OL_SUCCESS;
}

ol_result_t ol_open_slow(ol_device *on) {
  solo_device *device;
  if (!on->device)
    return ol_fail(OL_ERRC_UNSUPPORTED, "this build or OMP_TARGET_OFFLOAD=disabled has no CPU "
                                        "device; the host supports copies only");
  OL_TRY_STATUS(ol_core->device_get(on->number, &device));
  /* Invariant: `open` implies that the members of solo_device are constant.
   * Ordering:  pairs with the acquire load in ol_open().
   * Otherwise: a thread could use a device without a driver handle.
   */
  solo_store_release(&on->open, 1);
  return OL_SUCCESS;
}

ol_result_t ol_check_property(const ol_property *p, const char *name, const void *handle) {
  if (!p->size) return ol_fail(OL_ERRC_INVALID_SIZE, "the size of the buffer for a property is 0");
  if (name && !handle) return ol_null_handle(name);
  if (!p->out_size && !p->value)
    return ol_null_pointer(p->size == SIZE_MAX ? "prop_size_ret" : "prop_value");
  return OL_SUCCESS;
}

ol_result_t ol_put(const ol_property *p, const void *bytes, size_t size) {
  if (p->out_size) {
    *p->out_size = size;
    return OL_SUCCESS;
  }
  if (p->size < size)
    return ol_fail(OL_ERRC_INVALID_SIZE, "the property has %zu bytes, the buffer %zu", size,
                   p->size);
  memcpy(p->value, bytes, size);
  return OL_SUCCESS;
}

ol_result_t ol_put_text(const ol_property *p, const char *text) {
  return ol_put(p, text, strlen(text) + 1);
}

static ol_result_t platform_property(ol_platform_handle_t platform, ol_platform_info_t prop_name,
                                     const ol_property *p) {
  static const char version[] = "v0.0.1";
  ol_platform *it;
  OL_ENTER();
  OL_TRY(ol_check_property(p, "platform", platform));
  OL_FIND(it, ol_platforms, platform, OL_ERRC_INVALID_PLATFORM);
  switch (prop_name) {
  case OL_PLATFORM_INFO_NAME:
    return ol_put_text(p, it->name);
  case OL_PLATFORM_INFO_VENDOR_NAME:
    return ol_put_text(p, it->vendor);
  case OL_PLATFORM_INFO_VERSION:
    return ol_put_text(p, version);
  case OL_PLATFORM_INFO_BACKEND:
    return ol_put(p, &it->backend, sizeof it->backend);
  default:
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of a platform does not exist",
                   (int)prop_name);
  }
}

ol_result_t olGetPlatformInfo(ol_platform_handle_t platform, ol_platform_info_t prop_name,
                              size_t prop_size, void *prop_value) {
  return platform_property(platform, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetPlatformInfoSize(ol_platform_handle_t platform, ol_platform_info_t prop_name,
                                  size_t *prop_size_ret) {
  return platform_property(platform, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}
