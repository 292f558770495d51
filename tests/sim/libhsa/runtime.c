/* The simulated runtime: start, agents, instruction sets, memory, tests' questions. */
#include "tests/sim/libhsa/inside.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char isa_name[] = "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-";
static int started;

API hsa_status_t hsa_init(void); /* hsa.h declares it without a prototype */

API hsa_status_t hsa_init(void) {
  ENTER();
  if (getenv("SIM_HSA_ABSENT")) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  started = 1;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_status_string(hsa_status_t status, const char **out) {
  static const struct {
    int code;
    const char *text;
  } words[] = {{0, "HSA_STATUS_SUCCESS"},
               {HSA_STATUS_ERROR, "HSA_STATUS_ERROR: A generic error has occurred."},
               {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "HSA_STATUS_ERROR_OUT_OF_RESOURCES"},
               {HSA_STATUS_ERROR_INVALID_ARGUMENT, "HSA_STATUS_ERROR_INVALID_ARGUMENT"},
               {HSA_STATUS_ERROR_FATAL, "HSA_STATUS_ERROR_FATAL"},
               {HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION"},
               {HSA_STATUS_ERROR_MEMORY_FAULT, "HSA_STATUS_ERROR_MEMORY_FAULT"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].code == (int)status) {
      *out = words[i].text;
      return HSA_STATUS_SUCCESS;
    }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

API hsa_status_t hsa_system_get_info(hsa_system_info_t key, void *out) {
  ENTER();
  if (key != HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *(uint64_t *)out = 1000000000;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_iterate_agents(hsa_status_t (*see)(hsa_agent_t, void *), void *data) {
  ENTER();
  if (!started) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  for (int i = 0; i <= sim_device_count(); i++) {
    hsa_status_t status = see((hsa_agent_t){(uint64_t)(AGENT_HOST + i)}, data);
    if (status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t key, void *out) {
  ENTER();
  int device = (int)agent.handle - AGENT_DEVICE;
  if (device >= sim_device_count() || agent.handle == 0) return HSA_STATUS_ERROR_INVALID_AGENT;
  switch ((int)key) {
  case HSA_AGENT_INFO_DEVICE:
    *(hsa_device_type_t *)out = device < 0 ? HSA_DEVICE_TYPE_CPU : HSA_DEVICE_TYPE_GPU;
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    *(uint32_t *)out = 64;
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    *(uint32_t *)out = 1024;
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_GRID_MAX_DIM:
    *(hsa_dim3_t *)out = (hsa_dim3_t){UINT32_MAX, UINT32_MAX, UINT32_MAX};
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    *(uint32_t *)out = 104;
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    *(uint32_t *)out = 32;
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME: /* 64 bytes */
    strcpy(out, "Simulated Instinct");
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_AGENT_INFO_UUID: /* 21 bytes */
    snprintf(out, 21, "GPU-%016x", 0xa0 + device);
    return HSA_STATUS_SUCCESS;
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

API hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*see)(hsa_isa_t, void *),
                                        void *data) {
  ENTER();
  if (agent.handle < AGENT_DEVICE) return HSA_STATUS_ERROR_INVALID_AGENT;
  return see((hsa_isa_t){1}, data);
}

API hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t key, void *out) {
  ENTER();
  if (isa.handle != 1) return HSA_STATUS_ERROR_INVALID_ISA;
  if (key == HSA_ISA_INFO_NAME_LENGTH) {
    *(uint32_t *)out = sizeof isa_name;
    return HSA_STATUS_SUCCESS;
  }
  if (key != HSA_ISA_INFO_NAME) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  memcpy(out, isa_name, sizeof isa_name);
  return HSA_STATUS_SUCCESS;
}

/* --- pools --------------------------------------------------------------------------------------
 */

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
  sim_live("memory", 1);
  *out = (void *)(uintptr_t)address;
  return HSA_STATUS_SUCCESS;
}

/* A failure that was ordered for a call that releases is a failure, not a leak. */
API hsa_status_t hsa_amd_memory_pool_free(void *address) {
  int code = sim_call(__func__);
  if (sim_hsa_free(address)) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  sim_live("memory", -1);
  return (hsa_status_t)code;
}

API hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t *agents,
                                             const uint32_t *flags, const void *address) {
  ENTER();
  (void)agents, (void)flags;
  if (!count || !sim_memory_reach((uint64_t)(uintptr_t)address, 1, NULL))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_amd_memory_lock(void *host, size_t size, hsa_agent_t *agents, int count,
                                     void **out) {
  ENTER();
  (void)agents, (void)count;
  uint64_t address = sim_memory_pin(host, size);
  if (!address) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  sim_live("pinned", 1);
  *out = (void *)(uintptr_t)address;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_amd_memory_unlock(void *host) {
  int code = sim_call(__func__);
  if (sim_memory_unpin(host)) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
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
  info->agentBaseAddress = info->hostBaseAddress = (void *)(uintptr_t)pointer;
  if (pinned) {
    info->type = HSA_EXT_POINTER_TYPE_LOCKED;
    info->agentBaseAddress = (void *)(uintptr_t)pinned;
  } else if (sim_memory_reach((uint64_t)(uintptr_t)pointer, 1, NULL)) {
    info->type = HSA_EXT_POINTER_TYPE_HSA;
  }
  return HSA_STATUS_SUCCESS;
}

/* --- faults -------------------------------------------------------------------------------------
 */

static hsa_amd_system_event_callback_t handler;
static void *handler_data;

API hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback,
                                                       void *data) {
  ENTER();
  if (handler) return HSA_STATUS_ERROR;
  handler = callback;
  handler_data = data;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t sim_hsa_report_fault(int device, uint64_t address) {
  hsa_amd_event_t event = {.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT};
  event.memory_fault.agent.handle = (uint64_t)(AGENT_DEVICE + device);
  event.memory_fault.virtual_address = address;
  return handler ? handler(&event, handler_data) : HSA_STATUS_ERROR;
}

/* --- tests' questions ---------------------------------------------------------------------------
 */

unsigned hsa_sim_calls(const char *name) {
  return sim_call_count(name);
}
void hsa_sim_reset_calls(void) {
  sim_call_reset();
}
void hsa_sim_fail(const char *name, unsigned nth, int code) {
  sim_call_fail(name, nth, code);
}
const char *hsa_sim_failed(void) {
  return sim_call_failed();
}
int hsa_sim_live(const char *kind) {
  return sim_live_count(kind);
}
int hsa_sim_violations(void) {
  return sim_violations();
}
void hsa_sim_delay(unsigned us) {
  sim_delay_set(us);
}
