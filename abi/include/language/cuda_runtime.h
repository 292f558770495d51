/* CUDA runtime API of libsolo_cuda.a (solo_kernel_language.h). */
#ifndef SOLO_CUDA_RUNTIME_H
#define SOLO_CUDA_RUNTIME_H

#define KL(name) cuda##name
#include <solo_kernel_language.h>
#undef KL

extern "C" {
cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void *address);
cudaError_t cudaThreadSynchronize(void); /* old name of cudaDeviceSynchronize */
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     void *stream = 0);
}

enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaCpuDeviceId = -1 };
template <typename T>
static inline cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned flags) {
  return cudaHostAlloc((void **)address, bytes, flags);
}

#endif
