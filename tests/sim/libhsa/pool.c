/* The simulated runtime: memory pools, pinned memory, and access of agents. */
#include "tests/sim/libhsa/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of a pool, or pinned memory at its device address. */
typedef struct owned {
  struct owned *next;
  uint64_t base, bytes;
  void *pinned;     /* the host address of pinned memory, or NULL */
  int owner;        /* device, or SIM_ON_HOST */
  uint64_t devices; /* one bit per device that has access */
} owned;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list */
static owned *blocks;

static owned *find(uint64_t address) {
  owned *o = blocks;
  while (o && address - o->base >= o->bytes) o = o->next;
  return o;
}

static int remember(uint64_t base, uint64_t bytes, void *pinned, int owner) {
  owned *o = malloc(sizeof *o);
  if (!o) return -1;
  pthread_mutex_lock(&lock);
  *o = (owned){blocks, base, bytes, pinned, owner, 0};
  blocks = o;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void forget(uint64_t base, const void *pinned) {
  pthread_mutex_lock(&lock);
  for (owned **at = &blocks; *at; at = &(*at)->next) {
    owned *o = *at;
    if (pinned ? o->pinned != pinned : o->base != base) continue;
    *at = o->next;
    free(o);
    break;
  }
  pthread_mutex_unlock(&lock);
}

void sim_access_check(const void *address, int device, const char *what) {
  pthread_mutex_lock(&lock);
  const owned *o = find((uint64_t)(uintptr_t)address);
  int may = !o || o->owner == device || (o->devices & UINT64_C(1) << device);
  pthread_mutex_unlock(&lock);
  if (!may) sim_violation("%s at %p is not accessible to device %d", what, address, device);
}

API hsa_status_t hsa_amd_agent_iterate_memory_pools(
    hsa_agent_t agent, hsa_status_t (*see)(hsa_amd_memory_pool_t, void *), void *data) {
  ENTER();
  uint64_t device = agent.handle - AGENT_DEVICE;
  uint64_t pools[2] = {POOL_HOST, POOL_KERNARG};
  if (agent.handle >= AGENT_DEVICE) pools[0] = POOL_DEVICE + device, pools[1] = POOL_GROUP + device;
  for (int i = 0; i < 2; i++) {
    hsa_status_t status = see((hsa_amd_memory_pool_t){pools[i]}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool,
                                              hsa_amd_memory_pool_info_t key, void *out) {
  ENTER();
  int group = pool.handle >= POOL_GROUP, device = pool.handle >= POOL_DEVICE;
  switch (key) {
  case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
    *(hsa_amd_segment_t *)out = group ? HSA_AMD_SEGMENT_GROUP : HSA_AMD_SEGMENT_GLOBAL;
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    *(size_t *)out = group ? 65536 : sim_memory_total();
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    *(bool *)out = !group;
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
    *(uint32_t *)out = device ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED
                       : pool.handle == POOL_KERNARG
                           ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT |
                                 HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED
                           : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    return HSA_STATUS_SUCCESS;
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

API hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t size,
                                              uint32_t flags, void **out) {
  ENTER();
  (void)flags;
  int device = pool.handle >= POOL_DEVICE ? (int)pool.handle - POOL_DEVICE : SIM_ON_HOST;
  if (size == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (device >= 0 && sim_device_start(device)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  uint64_t address = sim_memory_alloc(device, size, 4096);
  if (!address) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (remember(address, size, NULL, device)) {
    sim_memory_free(address);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  sim_live("memory", 1);
  *out = (void *)(uintptr_t)address;
  return HSA_STATUS_SUCCESS;
}

/* Frees the block although a failure is injected, so that the failure causes no leak. */
API hsa_status_t hsa_amd_memory_pool_free(void *address) {
  int code = sim_call(__func__);
  if (sim_hsa_free(address)) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  forget((uint64_t)(uintptr_t)address, NULL);
  sim_live("memory", -1);
  return (hsa_status_t)code;
}

/* The list of agents replaces the previous list (hsa_ext_amd.h). */
API hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
                                             const uint32_t *flags, const void *address) {
  ENTER();
  uint64_t devices = 0;
  if (!count || !agents || flags) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < count; i++)
    if (agents[i].handle >= AGENT_DEVICE)
      devices |= UINT64_C(1) << (agents[i].handle - AGENT_DEVICE);
  pthread_mutex_lock(&lock);
  owned *o = find((uint64_t)(uintptr_t)address);
  int found = o && o->base == (uint64_t)(uintptr_t)address && !o->pinned;
  if (found) o->devices = devices;
  pthread_mutex_unlock(&lock);
  return found ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

API hsa_status_t hsa_amd_memory_lock(void *host, size_t size, hsa_agent_t *agents, int count,
                                     void **out) {
  ENTER();
  uint64_t address = sim_memory_pin(host, size);
  if (!address) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (remember(address, size, host, SIM_ON_HOST)) {
    sim_memory_unpin(host);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; i < count; i++)
    if (agents[i].handle >= AGENT_DEVICE)
      blocks->devices |= UINT64_C(1) << (agents[i].handle - AGENT_DEVICE);
  pthread_mutex_unlock(&lock);
  sim_live("pinned", 1);
  *out = (void *)(uintptr_t)address;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_amd_memory_unlock(void *host) {
  int code = sim_call(__func__);
  if (sim_memory_unpin(host)) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  forget(0, host);
  sim_live("pinned", -1);
  return (hsa_status_t)code;
}

API hsa_status_t hsa_amd_pointer_info(const void *pointer, hsa_amd_pointer_info_t *info,
                                      void *(*allocate)(size_t), uint32_t *agents,
                                      hsa_agent_t **accessible) {
  ENTER();
  (void)allocate, (void)agents, (void)accessible;
  uint64_t pinned = sim_memory_pinned(pointer);
  info->type = HSA_EXT_POINTER_TYPE_UNKNOWN;
  pthread_mutex_lock(&lock);
  const owned *o = find(pinned ? pinned : (uint64_t)(uintptr_t)pointer);
  if (o) {
    info->type = o->pinned ? HSA_EXT_POINTER_TYPE_LOCKED : HSA_EXT_POINTER_TYPE_HSA;
    info->agentBaseAddress = (void *)(uintptr_t)o->base;
    info->hostBaseAddress = o->pinned ? o->pinned : info->agentBaseAddress;
    info->sizeInBytes = o->bytes;
  }
  pthread_mutex_unlock(&lock);
  return HSA_STATUS_SUCCESS;
}
