/* Detection, opening and closing of devices. */
#include "backends/cuda/cuda.h"

#include "runtime/base/settings.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST_DRIVER = 11000, NS_PER_SECOND = 1000000000 };

/* Defaults of Clang's device runtime (abi-facts 7.4). */
enum { DEFAULT_THREADS = 128, DEFAULT_TEAMS = 3200 };

static const solo_foreign_runtime foreign = {2, 11, "cuda_driver", "nvidia", "CUdevice"};

static solo_status find_driver(void) {
#if SOLO_DRIVER_WEAK
  if (!cuInit)
    return solo_fail(SOLO_UNAVAILABLE,
                     "cuda: no driver library (libcuda.so.1) in this process; ldd shows whether "
                     "the program looks for it (through libsolo_drv.so), ldconfig -p whether the "
                     "machine has it");
  if (!cuDevicePrimaryCtxRelease_v2) /* the newest function that solo requires */
    return solo_fail(SOLO_UNAVAILABLE, "cuda: the driver library in this process is older than "
                                       "CUDA 11: update the NVIDIA driver");
#endif
  return SOLO_OK;
}

solo_status solo_cuda_device_count(int *out_count) {
  int version = 0, count = 0;
  *out_count = 0;
  SOLO_TRY(find_driver());
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDriverGetVersion(&version);
  if (result != CUDA_SUCCESS) return solo_cuda_fail_start(result, "the driver does not start");
  if (version < OLDEST_DRIVER)
    return solo_fail(
        SOLO_UNAVAILABLE,
        "cuda: the driver supports CUDA %d.%d, solo requires 11.0 or newer: update the "
        "NVIDIA driver",
        version / 1000, version % 1000 / 10);
  result = cuDeviceGetCount(&count);
  if (result == CUDA_SUCCESS && count == 0) result = CUDA_ERROR_NO_DEVICE;
  if (result != CUDA_SUCCESS) return solo_cuda_fail_start(result, "counting devices");
  *out_count = count;
  return SOLO_OK;
}

typedef struct attribute {
  int key;
  uint32_t *out;
} attribute;

static CUresult read_attributes(CUdevice handle, const attribute *wanted, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int value = 0;
    CUresult result = cuDeviceGetAttribute(&value, wanted[i].key, handle);
    if (result != CUDA_SUCCESS) return result;
    *wanted[i].out = value < 0 ? 0 : (uint32_t)value;
  }
  return CUDA_SUCCESS;
}

/* nvidia-smi's format: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. */
static void write_uid(char *out, size_t size, const CUuuid *uuid) {
  size_t used = (size_t)snprintf(out, size, "GPU-");
  for (int i = 0; i < 16; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%02x",
                             i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                             (unsigned char)uuid->bytes[i]);
}

static CUresult describe(solo_bdevice *device, solo_device_info *info) {
  uint32_t resident = 0, pageable = 0, host_tables = 0, optin = 0, pitch = 0;
  const attribute wanted[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &device->major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &device->minor},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &info->warp_size},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info->max_threads},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &info->max_teams},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &info->compute_units},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &resident},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &device->shared_default},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &optin},
      {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &device->managed},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &pageable},
      {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, &host_tables},
      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, &pitch},
  };
  size_t memory = 0;
  CUuuid uuid;
  CUresult result = read_attributes(device->handle, wanted, sizeof wanted / sizeof *wanted);
  if (result == CUDA_SUCCESS)
    result = cuDeviceGetName(info->name, sizeof info->name, device->handle);
  if (result == CUDA_SUCCESS) result = cuDeviceTotalMem_v2(&memory, device->handle);
  if (result == CUDA_SUCCESS) result = cuDeviceGetUuid(&uuid, device->handle);
  if (result != CUDA_SUCCESS) return result;
  info->name[sizeof info->name - 1] = 0;
  snprintf(info->arch, sizeof info->arch, "sm_%u%u", device->major, device->minor);
  write_uid(info->uid, sizeof info->uid, &uuid);
  /* COPIES_IN_TURN: a copy of pageable memory waits for the stream; a copy of pinned memory is in
   * stream order. */
  info->flags = SOLO_DEVICE_HAS_RTL | SOLO_DEVICE_STRUCTORS_BY_HOST | SOLO_DEVICE_COPIES_IN_TURN |
                (pageable ? SOLO_DEVICE_UNIFIED_ADDRESSES : 0);
  info->default_threads = DEFAULT_THREADS;
  info->default_teams = DEFAULT_TEAMS;
  info->max_shared_bytes = optin > device->shared_default ? optin : device->shared_default;
  device->shared_most = info->max_shared_bytes;
  info->memory_bytes = memory;
  /* in warps, as in LLVM's plugin; omp_get_num_procs() in kernels returns this number */
  info->hardware_threads =
      (uint64_t)info->compute_units * (resident / (info->warp_size ? info->warp_size : 1));
  info->clock_hz = NS_PER_SECOND; /* %globaltimer counts ns */
  snprintf(info->init_kernel, sizeof info->init_kernel, "nvptx$device$init");
  snprintf(info->fini_kernel, sizeof info->fini_kernel, "nvptx$device$fini");
  info->foreign = &foreign;
  device->graphs = solo_settings()->cuda_graphs && solo_cuda_graphs_available();
  device->max_pitch = pitch;
  device->stage_from = solo_cuda_stage_threshold(host_tables != 0);
  return CUDA_SUCCESS;
}

static CUresult set_limits(void) {
  const solo_settings_table *settings = solo_settings();
  CUresult result = CUDA_SUCCESS;
  if (settings->stack_size) result = cuCtxSetLimit(CU_LIMIT_STACK_SIZE, settings->stack_size);
  if (result == CUDA_SUCCESS && settings->heap_size)
    result = cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, settings->heap_size);
  return result;
}

static CUresult retain(solo_bdevice *device) {
  unsigned flags = 0;
  int active = 0;
  CUresult result = cuDevicePrimaryCtxGetState(device->handle, &flags, &active);
  /* In a blocking context, threads would also sleep in copies from the device to pageable memory.
   * Therefore a blocking context is used only with SOLO_SPIN_US=0, or if user code has created one. A
   * failure to set the flag is harmless. */
  if (result == CUDA_SUCCESS && !active && !solo_settings()->spin_us &&
      cuDevicePrimaryCtxSetFlags_v2(device->handle, CU_CTX_SCHED_BLOCKING_SYNC) == CUDA_SUCCESS)
    flags = CU_CTX_SCHED_BLOCKING_SYNC;
  device->spins = !(flags & CU_CTX_SCHED_BLOCKING_SYNC);
  if (result == CUDA_SUCCESS) result = cuDevicePrimaryCtxRetain(&device->context, device->handle);
  return result;
}

static solo_status open_device(solo_bdevice *device, solo_device_info *info) {
  int ordinal = device->ordinal;
  CUresult result = cuInit(0);
  if (result == CUDA_SUCCESS) result = cuDriverGetVersion(&device->driver);
  if (result == CUDA_SUCCESS) result = cuDeviceGet(&device->handle, ordinal);
  if (result == CUDA_ERROR_INVALID_DEVICE)
    return solo_cuda_fail(device, result, "there is no CUDA device %d", ordinal);
  if (result == CUDA_SUCCESS) result = describe(device, info);
  if (result != CUDA_SUCCESS)
    return solo_cuda_fail(device, result, "reading the properties of CUDA device %d", ordinal);
  result = retain(device);
  if (result != CUDA_SUCCESS)
    return solo_cuda_fail(device, result, "opening CUDA device %d (%s)", ordinal, info->name);
  solo_cuda_scope scope;
  result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = set_limits();
    solo_cuda_pop_context(&scope);
  }
  if (result == CUDA_SUCCESS) return SOLO_OK;
  (void)cuDevicePrimaryCtxRelease_v2(device->handle);
  return solo_cuda_fail(device, result,
                        "setting up CUDA device %d (LIBOMPTARGET_STACK_SIZE, "
                        "LIBOMPTARGET_HEAP_SIZE)",
                        ordinal);
}

solo_status solo_cuda_device_open(int ordinal, int number, solo_bdevice **out_device,
                                  solo_device_info *out_info) {
  SOLO_TRY(find_driver());
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "cuda: no memory for a device");
  device->ordinal = ordinal;
  device->number = number;
  solo_device_info info = {0};
  solo_status status = open_device(device, &info);
  if (status != SOLO_OK) {
    free(device);
    return status;
  }
  *out_info = info;
  *out_device = device;
  return SOLO_OK;
}

/* Releasing the context frees the device's remaining memory, unless user code also retains the
 * context. Errors are ignored, because the driver may have ended at exit. */
void solo_cuda_device_close(solo_bdevice *device) {
  if (solo_cuda_current_context == device->context) solo_cuda_current_context = NULL;
  (void)cuDevicePrimaryCtxRelease_v2(device->handle);
  for (solo_bkernel *kernel = device->retired, *next; kernel; kernel = next) {
    next = kernel->next;
    free(kernel);
  }
  free(device);
}

solo_status solo_cuda_native_handle(solo_bdevice *device, solo_bqueue *queue, solo_native_kind kind,
                                    void **out_handle) {
  switch (kind) {
  case SOLO_NATIVE_DEVICE:
    *out_handle = (void *)(intptr_t)device->handle;
    return SOLO_OK;
  case SOLO_NATIVE_CONTEXT:
    *out_handle = device->context;
    return SOLO_OK;
  case SOLO_NATIVE_QUEUE:
    if (!queue) return solo_fail(SOLO_INVALID, "cuda: a CUstream requires a queue");
    *out_handle = queue->stream;
    return SOLO_OK;
  }
  return solo_fail(SOLO_UNSUPPORTED, "cuda: no native handle of kind %d", (int)kind);
}
