/* Implements runtime/backend.h with OffloadAPI.h, so that the conformance suite tests the
 * interface. OVER_PLATFORM: a platform, such as "cuda". */
#define _DEFAULT_SOURCE
#include "ports/conformance/image_file.h"

#include "abi/include/OffloadAPI.h"
#include "runtime/device/device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct solo_bdevice {
  ol_device_handle_t handle;
};
struct solo_bmodule {
  ol_device_handle_t device;
  ol_program_handle_t program;
};
struct solo_bqueue {
  ol_device_handle_t device;
  ol_queue_handle_t handle;
};
struct solo_bevent {
  ol_event_handle_t handle; /* NULL: not recorded */
};

enum { MOST = 8 };
static ol_device_handle_t devices[MOST], host;
static int count;

static const char *platform_name(void) {
  const char *name = getenv("OVER_PLATFORM");
  return name ? name : "host";
}

static int is_cpu(void) {
  return strcmp(platform_name(), "host") == 0 || strcmp(platform_name(), "remote-host") == 0;
}

static const solo_backend *real(void) {
  for (int b = 0; b < solo_backend_count; b++)
    if (solo_backends[b] && strcmp(solo_backends[b]->name, platform_name()) == 0)
      return solo_backends[b];
  return NULL;
}

static solo_status status_of(ol_result_t result) {
  static const solo_status of[OL_ERRC_LAST] = {[OL_ERRC_HOST_IO] = SOLO_IO,
                                               [OL_ERRC_INVALID_ARGUMENT] = SOLO_INVALID,
                                               [OL_ERRC_INVALID_SIZE] = SOLO_INVALID,
                                               [OL_ERRC_INVALID_DEVICE] = SOLO_INVALID,
                                               [OL_ERRC_NOT_FOUND] = SOLO_NOT_FOUND,
                                               [OL_ERRC_OUT_OF_RESOURCES] = SOLO_DEVICE_NOMEM,
                                               [OL_ERRC_INVALID_BINARY] = SOLO_INCOMPATIBLE,
                                               [OL_ERRC_UNSUPPORTED] = SOLO_UNSUPPORTED,
                                               [OL_ERRC_BACKEND_FAILURE] = SOLO_DEVICE_LOST};
  if (!result) return SOLO_OK;
  solo_status status = of[result->Code] ? of[result->Code] : SOLO_INTERNAL;
  return solo_fail(status, "%s", result->Details);
}

static bool add(ol_device_handle_t device, void *user) {
  ol_platform_handle_t platform;
  char name[64] = "";
  (void)user;
  if (olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform)) return true;
  if (olGetPlatformInfo(platform, OL_PLATFORM_INFO_NAME, sizeof name, name)) return true;
  if (strcmp(name, platform_name()) == 0 && count < MOST) devices[count++] = device;
  if (strcmp(name, "host") == 0 && !host) host = device;
  return true;
}

static solo_status over_device_count(int *out_count) {
  *out_count = count;
  if (count) return SOLO_OK;
  SOLO_TRY(status_of(olInit()));
  SOLO_TRY(status_of(olIterateDevices(add, NULL)));
  *out_count = count;
  return count ? SOLO_OK : solo_fail(SOLO_UNAVAILABLE, "no platform %s", platform_name());
}

static solo_status over_device_open(int ordinal, int number, solo_bdevice **out_device,
                                    solo_device_info *out_info) {
  int known;
  (void)number;
  SOLO_TRY(over_device_count(&known));
  if (ordinal < 0 || ordinal >= count) return solo_fail(SOLO_INVALID, "no device %d", ordinal);
  solo_bdevice *d = malloc(sizeof *d);
  if (!d) return solo_fail(SOLO_NOMEM, "no memory");
  d->handle = devices[ordinal];
  uint32_t threads = 0;
  uint64_t memory = 0, shared = 0;
  *out_info = (solo_device_info){.warp_size = is_cpu() ? 1 : 32, .max_teams = 0x7fffffff};
  solo_status status = status_of(
      olGetDeviceInfo(d->handle, OL_DEVICE_INFO_NAME, sizeof out_info->name, out_info->name));
  if (status == SOLO_OK)
    status = status_of(
        olGetDeviceInfo(d->handle, OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE, sizeof threads, &threads));
  if (status == SOLO_OK)
    status = status_of(
        olGetDeviceInfo(d->handle, OL_DEVICE_INFO_GLOBAL_MEM_SIZE, sizeof memory, &memory));
  if (status == SOLO_OK)
    status = status_of(olGetDeviceInfo(d->handle, OL_DEVICE_INFO_WORK_GROUP_LOCAL_MEM_SIZE,
                                       sizeof shared, &shared));
  if (status != SOLO_OK) {
    free(d);
    return status;
  }
  out_info->max_threads = is_cpu() ? 0x7fffffff : threads;
  out_info->max_shared_bytes = (uint32_t)shared;
  out_info->memory_bytes = memory;
  int now = strcmp(platform_name(), "host") == 0 || strcmp(platform_name(), "simt") == 0;
  out_info->flags = (now ? SOLO_DEVICE_SYNCHRONOUS : 0) |
                    (strcmp(platform_name(), "host") == 0
                         ? SOLO_DEVICE_SHARED_MEMORY | SOLO_DEVICE_UNIFIED_ADDRESSES
                         : 0) |
                    (is_cpu() ? 0 : SOLO_DEVICE_HAS_RTL);
  *out_device = d;
  return SOLO_OK;
}

static void over_device_close(solo_bdevice *device) {
  free(device);
}

/* OffloadAPI.h recognises images for a device only. */
static int over_image_recognise(const solo_image *image) {
  return real() && real()->image_recognise(image);
}

static uint32_t over_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                                 size_t reason_size) {
  bool valid = false;
  if (olIsValidBinary(device->handle, image->bytes.data, image->bytes.size, &valid) || !valid)
    snprintf(reason, reason_size, "not a valid binary");
  return valid;
}

static solo_status over_module_load(solo_bdevice *device, const solo_image *image,
                                    solo_bmodule **out_module) {
  solo_bmodule *m = malloc(sizeof *m);
  if (!m) return solo_fail(SOLO_NOMEM, "no memory");
  m->device = device->handle;
  solo_status status =
      status_of(olCreateProgram(device->handle, image->bytes.data, image->bytes.size, &m->program));
  if (status == SOLO_OK)
    *out_module = m;
  else
    free(m);
  return status;
}

static void over_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)device;
  CONF_CHECK(!olDestroyProgram(module->program));
  free(module);
}

static solo_status over_module_kernel(solo_bmodule *module, const char *name,
                                      solo_bkernel **out_kernel,
                                      solo_kernel_attributes *out_attributes) {
  ol_symbol_handle_t symbol;
  size_t threads = 0;
  SOLO_TRY(status_of(olGetSymbol(module->program, name, OL_SYMBOL_KIND_KERNEL, &symbol)));
  if (!is_cpu())
    SOLO_TRY(status_of(olCalculateOptimalOccupancy(module->device, symbol, 0, &threads)));
  *out_kernel = (solo_bkernel *)symbol;
  *out_attributes = (solo_kernel_attributes){.max_threads = (uint32_t)threads};
  return SOLO_OK;
}

static solo_status over_module_global(solo_bmodule *module, const char *name,
                                      solo_devptr *out_address, uint64_t *out_bytes) {
  ol_symbol_handle_t symbol;
  void *address;
  size_t bytes;
  ol_result_t r = olGetSymbol(module->program, name, OL_SYMBOL_KIND_GLOBAL_VARIABLE, &symbol);
  if (r && r->Code == OL_ERRC_NOT_FOUND) {
    solo_error_clear(); /* the contract requires no error text */
    return SOLO_NOT_FOUND;
  }
  SOLO_TRY(status_of(r));
  SOLO_TRY(status_of(
      olGetSymbolInfo(symbol, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, sizeof address, &address)));
  SOLO_TRY(status_of(
      olGetSymbolInfo(symbol, OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE, sizeof bytes, &bytes)));
  *out_address = (uintptr_t)address;
  *out_bytes = bytes;
  return SOLO_OK;
}

static solo_status over_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                  solo_devptr *out_address) {
  static const ol_alloc_type_t types[] = {[SOLO_MEMORY_DEVICE] = OL_ALLOC_TYPE_DEVICE,
                                          [SOLO_MEMORY_HOST] = OL_ALLOC_TYPE_HOST,
                                          [SOLO_MEMORY_SHARED] = OL_ALLOC_TYPE_MANAGED};
  void *address;
  SOLO_TRY(status_of(olMemAlloc(device->handle, types[kind], bytes, &address)));
  *out_address = (uintptr_t)address;
  return SOLO_OK;
}

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

static solo_status over_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  (void)device, (void)kind;
  return status_of(olMemFree(pointer(address)));
}

static solo_status over_mem_pin(solo_bdevice *device, void *at, uint64_t bytes,
                                solo_devptr *out_address) {
  void *address;
  SOLO_TRY(status_of(olMemRegister(device->handle, at, bytes, 0, &address)));
  *out_address = (uintptr_t)address;
  return SOLO_OK;
}

static solo_status over_mem_unpin(solo_bdevice *device, void *at) {
  return status_of(olMemUnregister(device->handle, at));
}

static solo_status over_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  solo_bqueue *q = malloc(sizeof *q);
  if (!q) return solo_fail(SOLO_NOMEM, "no memory");
  q->device = device->handle;
  solo_status status = status_of(olCreateQueue(device->handle, &q->handle));
  if (status == SOLO_OK)
    *out_queue = q;
  else
    free(q);
  return status;
}

static void over_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device;
  CONF_CHECK(!olDestroyQueue(queue->handle));
  free(queue);
}

static solo_status over_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                   solo_copy_direction direction) {
  return status_of(olMemcpy(queue->handle, pointer(dst),
                            direction == SOLO_COPY_OUT ? host : queue->device, pointer(src),
                            direction == SOLO_COPY_IN ? host : queue->device, bytes));
}

static solo_status over_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  unsigned char byte = (unsigned char)value;
  return status_of(olMemFill(queue->handle, pointer(dst), 1, &byte, bytes));
}

static solo_status over_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device,
                                        solo_devptr dst, solo_devptr src, uint64_t bytes) {
  return status_of(olMemcpy(queue->handle, pointer(dst), dst_device->handle, pointer(src),
                            queue->device, bytes));
}

static solo_status over_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                     const solo_launch_record *launch) {
  const uint32_t *g = launch->teams, *t = launch->threads;
  const ol_kernel_launch_size_args_t size = {
      3, {g[0], g[1], g[2]}, {t[0], t[1], t[2]}, launch->shared_bytes};
  return status_of(olLaunchKernel(queue->handle, queue->device, (ol_symbol_handle_t)kernel,
                                  launch->arguments, launch->argument_bytes, &size));
}

static solo_status over_queue_sync(solo_bqueue *queue) {
  return status_of(olSyncQueue(queue->handle));
}

static solo_status over_event_open(solo_bdevice *device, solo_bevent **out_event) {
  (void)device;
  solo_bevent *e = calloc(1, sizeof *e);
  if (!e) return solo_fail(SOLO_NOMEM, "no memory");
  *out_event = e;
  return SOLO_OK;
}

static void over_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  if (event->handle) CONF_CHECK(!olDestroyEvent(event->handle));
  free(event);
}

static solo_status over_event_record(solo_bqueue *queue, solo_bevent *event) {
  ol_event_handle_t made;
  SOLO_TRY(status_of(olCreateEvent(queue->handle, &made)));
  if (event->handle) CONF_CHECK(!olDestroyEvent(event->handle));
  event->handle = made;
  return SOLO_OK;
}

static solo_status over_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  return event->handle ? status_of(olWaitEvents(queue->handle, &event->handle, 1)) : SOLO_OK;
}

static solo_status over_event_query(solo_bevent *event, int *out_done) {
  bool done = true;
  if (event->handle)
    SOLO_TRY(
        status_of(olGetEventInfo(event->handle, OL_EVENT_INFO_IS_COMPLETE, sizeof done, &done)));
  *out_done = done;
  return SOLO_OK;
}

static solo_status over_event_wait(solo_bevent *event) {
  return event->handle ? status_of(olSyncEvent(event->handle)) : SOLO_OK;
}

#define ENTRY(operation) .operation = over_##operation,
static const solo_backend over = {
    .api_version = SOLO_BACKEND_API,
    .name = "offload",
    ENTRY(device_count) ENTRY(device_open) ENTRY(device_close) ENTRY(image_recognise)
        ENTRY(image_score) ENTRY(module_load) ENTRY(module_unload) ENTRY(module_kernel)
            ENTRY(module_global) ENTRY(mem_alloc) ENTRY(mem_free) ENTRY(mem_pin) ENTRY(mem_unpin)
                ENTRY(queue_open) ENTRY(queue_close) ENTRY(queue_copy) ENTRY(queue_fill)
                    ENTRY(queue_copy_peer) ENTRY(queue_launch) ENTRY(queue_sync) ENTRY(event_open)
                        ENTRY(event_close) ENTRY(event_record) ENTRY(queue_wait_event)
                            ENTRY(event_query) ENTRY(event_wait)};

static int image(conf_image_choice choice, solo_image *out) {
  static const struct {
    const char *platform;
    conf_image_file file;
  } files[] = {
      {"cuda", {"CONF_CUBIN", "build/sim/cuda/conf-sm90.cubin", 224, 48 + 1, 75}},
      {"hsa", {"CONF_CODE_OBJECT", "build/sim/hsa/conf-gfx90a.co", 190, 48, 0x2f}},
      {"simt", {"CONF_SIMT", "build/sim/simt/conf.image", 190, 48, 75}},
      {"host", {"CONF_HOST_ELF", "build/sim/conf_kernels.so", 224, 48, 0}},
  };
  const char *kind = platform_name();
  if (strncmp(kind, "remote-", 7) == 0) kind += 7;
  if (strcmp(kind, "host") == 0 && choice == CONF_IMAGE_MISFIT) return 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp(files[i].platform, kind) == 0) return conf_image_of(&files[i].file, choice, out);
  return 0;
}

static conf_listed expected[] = {{0}, {0}};
static conf_listed unsupported[] = {{0}, {0}};

static void prepare(void) {
  int remote = strncmp(platform_name(), "remote-", 7) == 0;
  if (strcmp(platform_name(), "cuda") == 0 || strcmp(platform_name(), "hsa") == 0 || remote)
    expected[0] = (conf_listed){"launch/floor", "the lock of the stream"};
  if (remote) setenv("SOLO_SERVER_BACKENDS", platform_name() + 7, 1);
  setenv("SIM_DEVICES", "2", 0);
  if (remote) unsupported[0] = (conf_listed){"memory/mem_pin", "the device is in another process"};
  setenv("SOLO_HOST_DEVICES", "2", 0);
}

const conf_adapter conf_adapter_chosen = {.name = "offload",
                                          .backend = &over,
                                          .prepare = prepare,
                                          .image = image,
                                          .unsupported = unsupported,
                                          .expected_failures = expected};
