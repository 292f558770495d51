/* The simulated runtime: properties of its devices.
 *
 *   SIM_HSA_AGENT=ID             target id, default gfx90a:sramecc+:xnack-
 *   SIM_HSA_APU=1                the devices share the host's memory
 *   SIM_HSA_OLD=1                an old runtime: reports neither xnack nor APUs
 *   SIM_HSA_PEERS=0              devices cannot access each other's memory
 *   ROCR_VISIBLE_DEVICES=LIST    visible devices by number or unique id; an invalid item ends the list
 */
#include "tests/sim/libhsa/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *processor;
  /* chip: the id of an accelerator; an APU has the next lower even number */
  uint32_t machine, wavefront, chip;
} processors[] = {{"gfx900", 0x2c, 64, 0x6863}, {"gfx906", 0x2f, 64, 0x66a1},
                  {"gfx90a", 0x3f, 64, 0x7408}, {"gfx940", 0x40, 64, 0x74a0},
                  {"gfx942", 0x4c, 64, 0x74a1}, {"gfx1030", 0x36, 32, 0x73bf},
                  {"gfx1100", 0x41, 32, 0x744c}};

static int is_set(const char *name) {
  const char *text = getenv(name);
  return text && atoi(text) != 0;
}

static const char *target(void) {
  const char *text = getenv("SIM_HSA_AGENT");
  return text ? text : "gfx90a:sramecc+:xnack-";
}

static size_t processor(void) {
  size_t length = strcspn(target(), ":");
  for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
    if (strlen(processors[i].processor) == length &&
        strncmp(processors[i].processor, target(), length) == 0)
      return i;
  fprintf(stderr, "sim: SIM_HSA_AGENT=%s: unknown processor\n", target());
  abort();
}

int sim_agent_has_xnack(void) {
  return strstr(target(), ":xnack+") != NULL;
}

int sim_agent_is_old(void) {
  return is_set("SIM_HSA_OLD");
}

uint32_t sim_agent_machine(void) {
  return processors[processor()].machine;
}

static void unique_id(int device, char *out) {
  snprintf(out, 21, "GPU-%016x", 0xa0 + device);
}

static int device_named(const char *text, size_t length) {
  char id[21];
  for (int i = 0; i < sim_device_count(); i++) {
    unique_id(i, id);
    if (length == strlen(id) && strncmp(text, id, length) == 0) return i;
  }
  char *end;
  long number = strtol(text, &end, 10);
  return length && end == text + length && number >= 0 && number < sim_device_count() ? (int)number
                                                                                      : -1;
}

int sim_agents_visible(int *out) {
  const char *text = getenv("ROCR_VISIBLE_DEVICES");
  int count = 0;
  for (int i = 0; !text && i < sim_device_count(); i++) out[count++] = i;
  while (text && *text && count < SIM_MAX_DEVICES) {
    size_t length = strcspn(text, ",");
    int device = device_named(text, length);
    if (device < 0) break;
    out[count++] = device;
    text += length + (text[length] == ',');
  }
  return count;
}

API hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t key, void *out) {
  ENTER();
  int device = (int)agent.handle - AGENT_DEVICE;
  if (device >= sim_device_count() || agent.handle == 0) return HSA_STATUS_ERROR_INVALID_AGENT;
  size_t p = processor();
  switch ((int)key) {
  case HSA_AGENT_INFO_DEVICE:
    *(hsa_device_type_t *)out = device < 0 ? HSA_DEVICE_TYPE_CPU : HSA_DEVICE_TYPE_GPU;
    return HSA_STATUS_SUCCESS;
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    *(uint32_t *)out = processors[p].wavefront;
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
    unique_id(device, out);
    return HSA_STATUS_SUCCESS;
  case HSA_AMD_AGENT_INFO_CHIP_ID:
    *(uint32_t *)out = is_set("SIM_HSA_APU") ? processors[p].chip & ~1u : processors[p].chip;
    return HSA_STATUS_SUCCESS;
  case AGENT_TIMESTAMP_FREQUENCY:
    if (sim_agent_is_old()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *(uint64_t *)out = 100000000;
    return HSA_STATUS_SUCCESS;
  case AGENT_MEMORY_PROPERTIES: /* a mask of 8 bytes; the lowest bit marks an APU */
    if (sim_agent_is_old()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    memset(out, 0, 8);
    *(uint8_t *)out = (uint8_t)is_set("SIM_HSA_APU");
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
  static const char triple[] = "amdgcn-amd-amdhsa--";
  ENTER();
  if (isa.handle != 1) return HSA_STATUS_ERROR_INVALID_ISA;
  if (key == HSA_ISA_INFO_NAME_LENGTH) {
    *(uint32_t *)out = (uint32_t)(sizeof triple + strlen(target()));
    return HSA_STATUS_SUCCESS;
  }
  if (key != HSA_ISA_INFO_NAME) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  memcpy(out, triple, sizeof triple);
  strcpy((char *)out + sizeof triple - 1, target());
  return HSA_STATUS_SUCCESS;
}

/* The host's agent has no access to device memory, as on a system without a large BAR. */
API hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t pool,
                                                    hsa_amd_agent_memory_pool_info_t key,
                                                    void *out) {
  ENTER();
  if (key != HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  hsa_amd_memory_pool_access_t *access = out;
  *access = HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
  if (pool.handle >= POOL_DEVICE) {
    const char *peers = getenv("SIM_HSA_PEERS");
    uint64_t owner = pool.handle - POOL_DEVICE + AGENT_DEVICE;
    if (owner == agent.handle)
      *access = HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
    else if (agent.handle == AGENT_HOST || (peers && !atoi(peers)))
      *access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  }
  return HSA_STATUS_SUCCESS;
}
