/* libcuda.so for LLVM's liboffload over the simulated libcuda.so.1: adds the driver functions that
 * solo does not call. Both libraries then use the same device. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int result;
typedef uint64_t devptr;
#define API __attribute__((visibility("default")))

enum { SUCCESS = 0, INVALID_VALUE = 1, MANY = 1024, NAMES = 64 };

result cuMemcpyHtoDAsync_v2(devptr to, const void *from, size_t bytes, void *stream);
result cuStreamSynchronize(void *stream);
result cuMemAlloc_v2(devptr *out, size_t bytes);
result cuMemFree_v2(devptr address);
result cuMemHostAlloc(void **out, size_t bytes, unsigned flags);
result cuEventDestroy_v2(void *event);
result cuStreamDestroy_v2(void *stream);
result cuDevicePrimaryCtxRelease_v2(int device);
result cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags);

API result cuEventDestroy(void *event) {
  return cuEventDestroy_v2(event);
}
API result cuStreamDestroy(void *stream) {
  return cuStreamDestroy_v2(stream);
}
API result cuDevicePrimaryCtxRelease(int device) {
  return cuDevicePrimaryCtxRelease_v2(device);
}
API result cuDevicePrimaryCtxSetFlags(int device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
API result cuCtxGetDevice(int *device) {
  *device = 0;
  return SUCCESS;
}
API result cuCtxGetLimit(size_t *value, int limit) {
  (void)limit;
  *value = 8 << 20;
  return SUCCESS;
}
API result cuMemAllocAsync(devptr *out, size_t bytes, void *stream) {
  (void)stream;
  return cuMemAlloc_v2(out, bytes);
}
API result cuMemFreeAsync(devptr address, void *stream) {
  result r = cuStreamSynchronize(stream), s = cuMemFree_v2(address);
  return r ? r : s;
}
API result cuMemAllocHost_v2(void **out, size_t bytes) {
  return cuMemHostAlloc(out, bytes, 0);
}
API result cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, void *size,
                                            size_t shared, int limit) {
  (void)function, (void)size, (void)shared, (void)limit;
  *grid = 4;
  *block = MANY;
  return SUCCESS;
}

static result fill(devptr to, const void *value, size_t width, size_t count, void *stream) {
  static _Thread_local char buffer[1 << 20];
  if (width * count > sizeof buffer) return INVALID_VALUE;
  for (size_t i = 0; i < count; i++) memcpy(buffer + i * width, value, width);
  result r = cuMemcpyHtoDAsync_v2(to, buffer, width * count, stream),
         s = cuStreamSynchronize(stream);
  return r ? r : s;
}
API result cuMemsetD16Async(devptr to, unsigned short value, size_t count, void *stream) {
  return fill(to, &value, sizeof value, count, stream);
}
API result cuMemsetD32Async(devptr to, unsigned value, size_t count, void *stream) {
  return fill(to, &value, sizeof value, count, stream);
}
#define ROWS(bits, type)                                                                           \
  API result cuMemsetD2D##bits##Async(devptr to, size_t pitch, type value, size_t width,           \
                                      size_t height, void *stream) {                               \
    result r = SUCCESS;                                                                            \
    for (size_t i = 0; i < height && !r; i++)                                                      \
      r = fill(to + i * pitch, &value, sizeof value, width, stream);                               \
    return r;                                                                                      \
  }
ROWS(8, unsigned char)
ROWS(16, unsigned short)
ROWS(32, unsigned)

API result cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  result r = cuStreamSynchronize(stream);
  function(data);
  return r;
}
API result cuStreamAddCallback(void *stream, void (*function)(void *, result, void *), void *data,
                               unsigned flags) {
  (void)flags;
  function(stream, cuStreamSynchronize(stream), data);
  return SUCCESS;
}

API result cuDeviceGetAttribute(int *value, int attribute, int device) {
  static result (*real)(int *, int, int);
  if (!real) real = (result(*)(int *, int, int))(uintptr_t)dlsym(RTLD_NEXT, "cuDeviceGetAttribute");
  result r = real(value, attribute, device);
  if (r != INVALID_VALUE) return r;
  *value = attribute == 2 || attribute == 3   ? MANY /* block size, x and y */
           : attribute == 4                   ? 64
           : attribute == 6 || attribute == 7 ? 65535 /* grid size, y and z */
                                              : 0;
  return SUCCESS;
}

/* Parameters of the kernels in conf_kernels.c, 8 bytes each. */
static const struct {
  const char *name;
  size_t count;
} parameters[] = {{"conf_empty", 1}, {"conf_affine", 4}, {"conf_slow", 4}, {"conf_grid", 2},
                  {"conf_many", 25}, {"conf_read", 2},   {"conf_write", 2}};
static struct {
  void *function;
  size_t count;
} functions[NAMES];
static int known;

API result cuModuleGetFunction(void **function, void *module, const char *name) {
  static result (*real)(void **, void *, const char *);
  if (!real)
    real = (result(*)(void **, void *, const char *))(uintptr_t)dlsym(RTLD_NEXT,
                                                                      "cuModuleGetFunction");
  result r = real(function, module, name);
  for (size_t i = 0; !r && i < sizeof parameters / sizeof *parameters && known < NAMES; i++)
    if (strcmp(parameters[i].name, name) == 0) {
      functions[known].function = *function;
      functions[known++].count = parameters[i].count;
    }
  return r;
}

API result cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
  for (int i = known; i-- > 0;)
    if (functions[i].function == function) {
      if (index >= functions[i].count) return INVALID_VALUE;
      *offset = 8 * index;
      if (size) *size = 8;
      return SUCCESS;
    }
  return INVALID_VALUE;
}
