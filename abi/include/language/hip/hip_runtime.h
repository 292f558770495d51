/* HIP runtime API of libsolo_hip.a (solo_kernel_language.h). */
#ifndef SOLO_HIP_RUNTIME_H
#define SOLO_HIP_RUNTIME_H

#define KL(name) hip##name
#include <solo_kernel_language.h>
#undef KL

#define hipGetDeviceProperties hipGetDevicePropertiesR0600
#define HIP_SYMBOL(variable)   variable
#define HIP_KERNEL_NAME(...)   __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                         \
  kernel<<<grid, block, shared_bytes, stream>>>(__VA_ARGS__)
#define hipThreadIdx_x threadIdx.x
#define hipBlockIdx_x  blockIdx.x
#define hipBlockDim_x  blockDim.x
#define hipGridDim_x   gridDim.x

enum { hipErrorOutOfMemory = 2, hipErrorInvalidHandle = 400, hipErrorNoBinaryForGpu = 209 };
enum { hipHostMallocDefault = 0, hipHostMallocPortable = 1, hipHostMallocMapped = 2 };
enum { hipMemAttachGlobal = 1, hipMemAttachHost = 2, hipCpuDeviceId = -1 };

extern "C" {
hipError_t hipHostMalloc(void **address, size_t bytes, unsigned flags);
hipError_t hipHostFree(void *address);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);
int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void *stream = 0);
}

template <typename T>
static inline hipError_t hipHostMalloc(T **address, size_t bytes, unsigned flags = 0) {
  return hipHostMalloc((void **)address, bytes, flags);
}

#endif
