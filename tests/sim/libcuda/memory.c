/* The simulated driver: memory. */
#include "tests/sim/libcuda/internal.h"

#include <string.h>

enum { BLOCKS = 8192 };

typedef enum block_kind { BLOCK_DEVICE, BLOCK_MANAGED, BLOCK_HOST } block_kind;
static const char *const words[] = {"device block", "managed block", "pinned block"};

static struct {
  uint64_t address;
  block_kind kind;
  CUcontext context;
} blocks[BLOCKS]; /* protected by cuda_sim_lock */
static int block_count;

static CUresult allocate(uint64_t *out, size_t bytes, block_kind kind, CUcontext context) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  uint64_t at = sim_memory_alloc(kind == BLOCK_DEVICE ? context->device : SIM_ON_HOST, bytes, 256);
  if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock(&cuda_sim_lock);
  blocks[block_count].address = at;
  blocks[block_count].kind = kind;
  blocks[block_count].context = context;
  if (block_count < BLOCKS - 1) block_count++;
  pthread_mutex_unlock(&cuda_sim_lock);
  sim_live(words[kind], 1);
  *out = at;
  return CUDA_SUCCESS;
}

static CUresult release(uint64_t address, int host) {
  int kind = -1;
  pthread_mutex_lock(&cuda_sim_lock);
  for (int i = 0; i < block_count; i++) {
    if (blocks[i].address != address || (blocks[i].kind == BLOCK_HOST) != host) continue;
    kind = blocks[i].kind;
    blocks[i] = blocks[--block_count];
    break;
  }
  pthread_mutex_unlock(&cuda_sim_lock);
  if (kind < 0 || sim_memory_free(address)) {
    sim_violation("0x%llx is freed, but this kind of allocation does not exist there",
                  (unsigned long long)address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  sim_live(words[kind], -1);
  return CUDA_SUCCESS;
}

void cuda_sim_memory_drop(CUcontext context) {
  for (;;) {
    uint64_t address = 0;
    int host = 0;
    pthread_mutex_lock(&cuda_sim_lock);
    for (int i = 0; i < block_count && !address; i++)
      if (blocks[i].context == context)
        address = blocks[i].address, host = blocks[i].kind == BLOCK_HOST;
    pthread_mutex_unlock(&cuda_sim_lock);
    if (!address) return;
    release(address, host);
  }
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  return allocate(address, bytes, BLOCK_DEVICE, context);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (flags != CU_MEM_ATTACH_GLOBAL) return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, bytes, BLOCK_MANAGED, context);
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  CUcontext context;
  uint64_t at;
  ENTER_CONTEXT(&context);
  if (flags & ~3u) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = allocate(&at, bytes, BLOCK_HOST, context);
  if (!result) *address = (void *)at;
  return result;
}

/* Frees the block although a failure is injected, so that the failure causes no leak. */
CUresult cuMemFree_v2(CUdeviceptr address) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  CUresult result = release(address, 0);
  return result ? result : entered;
}

CUresult cuMemFreeHost(void *address) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  CUresult result = release((uint64_t)address, 1);
  return result ? result : entered;
}

CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (!address || !bytes || flags & ~3u) return CUDA_ERROR_INVALID_VALUE;
  if (sim_memory_pinned(address)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (!sim_memory_pin(address, bytes)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  sim_live("pinned range", 1);
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *address) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  if (sim_memory_unpin(address)) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  sim_live("pinned range", -1);
  return entered;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  uint64_t at = sim_memory_pinned(host);
  if (!at && sim_memory_reach((uint64_t)host, 1, NULL)) at = (uint64_t)host;
  if (!at) return CUDA_ERROR_INVALID_VALUE;
  *device = at;
  return CUDA_SUCCESS;
}

/* The driver returns INVALID_VALUE for pageable memory (CUDA Driver API, Unified Addressing). */
CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
  int device = SIM_ON_HOST;
  ENTER();
  if (attribute != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return CUDA_ERROR_INVALID_VALUE;
  int known = sim_memory_reach(address, 1, &device) || sim_memory_pinned((void *)address);
  *(unsigned *)data = !known ? 0 : device >= 0 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
