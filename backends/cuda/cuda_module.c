#include "backends/cuda/cuda.h"

#include "runtime/image/target_id.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_CUDA = 190, JIT_LOG_BYTES = 1024 };

int solo_cuda_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_PTX ||
         (image->kind == SOLO_IMAGE_ELF && image->machine == MACHINE_CUDA);
}

uint32_t solo_cuda_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                               size_t reason_size) {
  char arch[SOLO_TARGET_TEXT];
  if (!solo_cuda_version_fits(device->driver, image, reason, reason_size)) return 0;
  snprintf(arch, sizeof arch, "sm_%u%u", device->major, device->minor);
  if (image->kind == SOLO_IMAGE_PTX)
    return image->target[0] ? solo_target_score_ptx(image->target, arch, reason, reason_size) : 1;
  return solo_target_score(image->target, arch, reason, reason_size);
}

/* Returns the image's bytes as the driver requires them: PTX with a final NUL, ELF files aligned to
 * 8 bytes. The caller frees *out_copy, a copy if one was necessary. Returns NULL without memory. */
static const void *bytes_for_driver(const solo_image *image, void **out_copy) {
  const solo_span bytes = image->bytes;
  int ptx = image->kind == SOLO_IMAGE_PTX;
  *out_copy = NULL;
  if (ptx ? bytes.size && bytes.data[bytes.size - 1] == 0 : (uintptr_t)bytes.data % 8 == 0)
    return bytes.data;
  char *copy = malloc(bytes.size + 1);
  if (!copy) return NULL;
  memcpy(copy, bytes.data, bytes.size);
  copy[bytes.size] = 0;
  *out_copy = copy;
  return copy;
}

static int holds(solo_span bytes, const char *word) {
  size_t length = strlen(word);
  const uint8_t *at = bytes.data, *end = bytes.data + bytes.size;
  while ((size_t)(end - at) >= length &&
         (at = memchr(at, word[0], (size_t)(end - at) - length + 1))) {
    if (memcmp(at, word, length) == 0) return 1;
    at++;
  }
  return 0;
}

static int prints(const solo_image *image) {
  return holds(image->bytes, "vprintf") || holds(image->bytes, "__assertfail");
}

static CUresult load(const void *bytes, CUmodule *out, char *log) {
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(JIT_LOG_BYTES - 1)};
  memset(log, 0, JIT_LOG_BYTES); /* the driver may write no NUL */
  return cuModuleLoadDataEx(out, bytes, sizeof options / sizeof *options, options, values);
}

static solo_status fail_load(solo_bdevice *device, const solo_image *image, CUresult result,
                             const char *log) {
  char what[128];
  solo_image_describe(image, what, sizeof what);
  solo_status status =
      solo_cuda_fail(device, result, "loading %s (%zu bytes)", what, image->bytes.size);
  solo_cuda_version_note(device->driver, image, result);
  if (log[0]) solo_error_note("; the driver's compiler reports: %s", log);
  return status;
}

solo_status solo_cuda_module_load(solo_bdevice *device, const solo_image *image,
                                  solo_bmodule **out_module) {
  SOLO_CUDA_CHECK_LOST(device);
  char log[JIT_LOG_BYTES];
  void *copy;
  const void *bytes = bytes_for_driver(image, &copy);
  solo_bmodule *module = calloc(1, sizeof *module);
  if (!bytes || !module) {
    free(copy);
    free(module);
    return solo_fail(SOLO_NOMEM, "cuda: no memory for an image of %zu bytes", image->bytes.size);
  }
  solo_lock_init(&module->lock, SOLO_RANK_DRIVER);
  module->device = device;
  log[0] = 0;
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = load(bytes, &module->module, log);
    solo_cuda_pop_context(&scope);
  }
  free(copy);
  if (result != CUDA_SUCCESS) {
    free(module);
    return fail_load(device, image, result, log);
  }
  /* relaxed: see solo_cuda_prints() */
  if (prints(image)) solo_store_relaxed(&device->prints, 1);
  *out_module = module;
  return SOLO_OK;
}

/* The kernel records remain until the device closes, because queues use their names in messages. */
void solo_cuda_module_unload(solo_bdevice *device, solo_bmodule *module) {
  SOLO_CUDA_RELEASE(device, cuModuleUnload(module->module));
  for (solo_bkernel *kernel = module->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    kernel->next = device->retired; /* needs no lock: the runtime serialises unloads of a device */
    device->retired = kernel;
  }
  free(module);
}

static solo_bkernel *find(solo_bmodule *module, const char *name) {
  solo_bkernel *kernel = module->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) kernel = kernel->next;
  return kernel;
}

static CUresult look_up(solo_bmodule *module, solo_bkernel *kernel) {
  int shared = 0, threads = 0;
  /* for an empty name the driver would report CUDA_ERROR_INVALID_VALUE */
  CUresult result = CUDA_ERROR_NOT_FOUND;
  if (*kernel->name) result = cuModuleGetFunction(&kernel->function, module->module, kernel->name);
  if (result == CUDA_SUCCESS)
    result = cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel->function);
  if (result == CUDA_SUCCESS)
    result =
        cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function);
  if (result != CUDA_SUCCESS) return result;
  uint32_t limit = module->device->shared_default;
  kernel->static_shared = (uint32_t)shared;
  kernel->max_threads = (uint32_t)threads;
  atomic_init(&kernel->shared_allowed,
              kernel->static_shared < limit ? limit - kernel->static_shared : 0);
  return CUDA_SUCCESS;
}

static solo_bkernel *make(solo_bmodule *module, const char *name, solo_status *out_status) {
  size_t size = strlen(name) + 1;
  solo_bkernel *kernel = calloc(1, sizeof *kernel + size);
  if (!kernel) {
    *out_status = solo_fail(SOLO_NOMEM, "cuda: no memory for kernel %.150s", name);
    return NULL;
  }
  memcpy(kernel->name, name, size);
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(module->device, &scope);
  if (result == CUDA_SUCCESS) {
    result = look_up(module, kernel);
    solo_cuda_pop_context(&scope);
  }
  if (result == CUDA_SUCCESS) return kernel;
  free(kernel);
  *out_status = solo_cuda_fail(module->device, result, "looking for kernel %.150s", name);
  return NULL;
}

solo_status solo_cuda_module_kernel(solo_bmodule *module, const char *name,
                                    solo_bkernel **out_kernel,
                                    solo_kernel_attributes *out_attributes) {
  solo_lock_acquire(&module->lock);
  solo_bkernel *kernel = find(module, name);
  solo_lock_release(&module->lock);
  if (!kernel) {
    SOLO_CUDA_CHECK_LOST(module->device);
    solo_status status;
    solo_bkernel *made = make(module, name, &status);
    if (!made) return status;
    solo_lock_acquire(&module->lock);
    if ((kernel = find(module, name))) {
      free(made);
    } else {
      kernel = made;
      kernel->next = module->kernels;
      module->kernels = kernel;
    }
    solo_lock_release(&module->lock);
  }
  *out_attributes = (solo_kernel_attributes){.shared_bytes = kernel->static_shared,
                                             .max_threads = kernel->max_threads};
  *out_kernel = kernel;
  return SOLO_OK;
}

solo_status solo_cuda_module_global(solo_bmodule *module, const char *name,
                                    solo_devptr *out_address, uint64_t *out_bytes) {
  SOLO_CUDA_CHECK_LOST(module->device);
  CUdeviceptr address = 0;
  size_t bytes = 0;
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(module->device, &scope);
  if (result == CUDA_SUCCESS) {
    result = cuModuleGetGlobal_v2(&address, &bytes, module->module, name);
    solo_cuda_pop_context(&scope);
  }
  if (result == CUDA_ERROR_NOT_FOUND) return SOLO_NOT_FOUND;
  if (result != CUDA_SUCCESS)
    return solo_cuda_fail(module->device, result, "looking for global %.150s", name);
  *out_address = address;
  *out_bytes = bytes;
  return SOLO_OK;
}
