#include "backends/cuda/cuda.h"

static CUresult allocate(const solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                         solo_devptr *out) {
  void *host = NULL;
  CUresult result;
  switch (kind) {
  case SOLO_MEMORY_DEVICE:
    return cuMemAlloc_v2(out, bytes);
  case SOLO_MEMORY_HOST: /* unified addressing: host and device use the same address */
    result = cuMemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    *out = (solo_devptr)(uintptr_t)host;
    return result;
  case SOLO_MEMORY_SHARED:
    return device->managed ? cuMemAllocManaged(out, bytes, CU_MEM_ATTACH_GLOBAL)
                           : CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

static const char *const kind_words[] = {"device memory", "pinned host memory", "managed memory"};

solo_status solo_cuda_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                solo_devptr *out_address) {
  SOLO_CUDA_CHECK_LOST(device);
  solo_cuda_scope scope;
  solo_devptr address = 0;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = allocate(device, bytes, kind, &address);
    solo_cuda_pop_context(&scope);
  }
  if (result != CUDA_SUCCESS)
    return solo_cuda_fail(device, result, "allocating %llu bytes of %s", (unsigned long long)bytes,
                          (unsigned)kind < 3 ? kind_words[kind] : "memory of an unknown kind");
  *out_address = address;
  return SOLO_OK;
}

/* Also called for a lost device, because host memory must be freed. */
solo_status solo_cuda_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = kind == SOLO_MEMORY_HOST ? cuMemFreeHost((void *)(uintptr_t)address)
                                      : cuMemFree_v2(address);
    solo_cuda_pop_context(&scope);
  }
  if (result == CUDA_SUCCESS) return SOLO_OK;
  return solo_cuda_fail(device, result, "freeing 0x%llx", (unsigned long long)address);
}

solo_status solo_cuda_mem_pin(solo_bdevice *device, void *host, uint64_t bytes,
                              solo_devptr *out_address) {
  SOLO_CUDA_CHECK_LOST(device);
  solo_cuda_scope scope;
  CUdeviceptr address = 0;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = cuMemHostRegister_v2(host, bytes,
                                  CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
    if (result == CUDA_SUCCESS) {
      result = cuMemHostGetDevicePointer_v2(&address, host, 0);
      if (result != CUDA_SUCCESS) (void)cuMemHostUnregister(host);
    }
    solo_cuda_pop_context(&scope);
  }
  if (result != CUDA_SUCCESS)
    return solo_cuda_fail(device, result, "pinning %llu bytes at %p", (unsigned long long)bytes,
                          host);
  *out_address = address;
  return SOLO_OK;
}

solo_status solo_cuda_mem_unpin(solo_bdevice *device, void *host) {
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = cuMemHostUnregister(host);
    solo_cuda_pop_context(&scope);
  }
  return result == CUDA_SUCCESS
             ? SOLO_OK
             : solo_cuda_fail(device, result, "unpinning the memory at %p", host);
}
