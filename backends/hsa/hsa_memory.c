#include "backends/hsa/hsa.h"

static const char *const kind_words[] = {"device memory", "host memory", "shared memory"};

/* Host memory and shared memory are both fine-grained host memory. */
solo_status solo_hsa_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                               solo_devptr *out_address) {
  SOLO_HSA_CHECK_LOST(device);
  if ((unsigned)kind > SOLO_MEMORY_SHARED)
    return solo_fail(SOLO_UNSUPPORTED, "hsa: unknown kind of memory: %d", (int)kind);
  void *address = NULL;
  hsa_amd_memory_pool_t pool = kind == SOLO_MEMORY_DEVICE ? device->device_pool : device->host_pool;
  hsa_status_t result = bytes > SIZE_MAX / 2
                            ? HSA_STATUS_ERROR_OUT_OF_RESOURCES
                            : hsa_amd_memory_pool_allocate(pool, bytes, 0, &address);
  /* the runtime reports a size above the pool's limit as an invalid allocation */
  if (result == HSA_STATUS_ERROR_INVALID_ALLOCATION) result = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (result == HSA_STATUS_SUCCESS && kind != SOLO_MEMORY_DEVICE) {
    result = hsa_amd_agents_allow_access(1, &device->agent, NULL, address);
    if (result != HSA_STATUS_SUCCESS) (void)hsa_amd_memory_pool_free(address);
  }
  SOLO_HSA_TRY(device, result, "allocating %llu bytes of %s", (unsigned long long)bytes,
               kind_words[kind]);
  *out_address = (solo_devptr)(uintptr_t)address;
  return SOLO_OK;
}

/* Also called for a lost device, because host memory must be freed. */
solo_status solo_hsa_mem_free(solo_bdevice *device, solo_devptr address, solo_memory_kind kind) {
  if (kind == SOLO_MEMORY_DEVICE) solo_hsa_grants_remove(device, address);
  SOLO_HSA_TRY(device, hsa_amd_memory_pool_free((void *)(uintptr_t)address), "freeing 0x%llx",
               (unsigned long long)address);
  return SOLO_OK;
}

solo_status solo_hsa_mem_pin(solo_bdevice *device, void *host, uint64_t bytes,
                             solo_devptr *out_address) {
  SOLO_HSA_CHECK_LOST(device);
  void *address = NULL;
  SOLO_HSA_TRY(device, hsa_amd_memory_lock(host, bytes, &device->agent, 1, &address),
               "pinning %llu bytes at %p", (unsigned long long)bytes, host);
  *out_address = (solo_devptr)(uintptr_t)address;
  return SOLO_OK;
}

solo_status solo_hsa_mem_unpin(solo_bdevice *device, void *host) {
  SOLO_HSA_TRY(device, hsa_amd_memory_unlock(host), "unpinning the memory at %p", host);
  return SOLO_OK;
}
