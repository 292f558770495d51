/* The simulated runtime: start, agents, faults, the test interface. */
#include "tests/sim/libhsa/internal.h"

#include "tests/sim/libhsa/hsa_sim.h"
#include <stdio.h>
#include <stdlib.h>

static int started;

API hsa_status_t hsa_init(void); /* hsa.h has no prototype of this function */

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
  switch ((int)key) {
  case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
    *(uint64_t *)out = 1000000000;
    return HSA_STATUS_SUCCESS;
  case SYSTEM_XNACK_ENABLED:
    if (sim_agent_is_old()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *(bool *)out = sim_agent_has_xnack();
    return HSA_STATUS_SUCCESS;
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

API hsa_status_t hsa_iterate_agents(hsa_status_t (*see)(hsa_agent_t, void *), void *data) {
  ENTER();
  if (!started) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  hsa_status_t status = see((hsa_agent_t){AGENT_HOST}, data);
  int visible[SIM_MAX_DEVICES], count = sim_agents_visible(visible);
  for (int i = 0; i < count && status == HSA_STATUS_SUCCESS; i++)
    status = see((hsa_agent_t){(uint64_t)(AGENT_DEVICE + visible[i])}, data);
  return status;
}

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
