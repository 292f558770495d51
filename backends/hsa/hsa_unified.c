/* Memory that a device accesses without copies. With xnack (HSA_XNACK=1, or the driver's default),
 * a device can access all host memory. Without xnack, even an APU can access only memory that the
 * HSA runtime has allocated or locked. With xnack, an APU maps variables without copies, as Clang's
 * runtime does (abi-facts 11); with OMPX_APU_MAPS=1, all devices do. */
#include "backends/hsa/hsa.h"

#include "runtime/base/settings.h"
#include <string.h>

enum { SYSTEM_XNACK_ENABLED = 0x206, AGENT_MEMORY_PROPERTIES = 0xA114, IS_APU = 1 };

static int has_xnack(const solo_bdevice *device) {
  bool enabled = true;
  if (!strstr(device->target, ":xnack+")) return 0;
  return hsa_system_get_info((hsa_system_info_t)SYSTEM_XNACK_ENABLED, &enabled) !=
             HSA_STATUS_SUCCESS ||
         enabled;
}

static int is_processor(const solo_bdevice *device, const char *name) {
  size_t length = strlen(name);
  return strncmp(device->target, name, length) == 0 &&
         (device->target[length] == ':' || !device->target[length]);
}

/* Older runtimes do not report APUs. Known APUs: gfx940, and gfx942 with an even chip id. */
static int is_apu(const solo_bdevice *device) {
  uint8_t properties[8] = {0};
  uint32_t chip = 1;
  if (hsa_agent_get_info(device->agent, (hsa_agent_info_t)AGENT_MEMORY_PROPERTIES, properties) ==
      HSA_STATUS_SUCCESS)
    return properties[0] & IS_APU;
  if (is_processor(device, "gfx940")) return 1;
  return is_processor(device, "gfx942") &&
         hsa_agent_get_info(device->agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_CHIP_ID, &chip) ==
             HSA_STATUS_SUCCESS &&
         chip % 2 == 0;
}

uint32_t solo_hsa_unified_flags(const solo_bdevice *device) {
  if (!has_xnack(device)) return 0;
  return SOLO_DEVICE_UNIFIED_ADDRESSES |
         (solo_settings()->apu_maps || is_apu(device) ? SOLO_DEVICE_SHARED_MEMORY : 0);
}
