/* Copies between devices. In the HSA runtime, a grant of access to a block replaces the block's
 * earlier grants (hsa_ext_amd.h). Therefore the first copy between devices grants access to all
 * open devices. */
#include "backends/hsa/hsa.h"

static int may_reach(hsa_agent_t agent, const solo_bdevice *device) {
  hsa_amd_memory_pool_access_t access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  return hsa_amd_agent_memory_pool_get_info(agent, device->device_pool,
                                            HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS,
                                            &access) == HSA_STATUS_SUCCESS &&
         access != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
}

static int reaches(solo_bdevice *device, solo_bdevice *peer) {
  uint64_t bit = UINT64_C(1) << peer->ordinal;
  if (device == peer) return 1;
  /* pairs with the acq_rel OR below in reaches() */
  if (!(solo_load_acquire(&device->peers_queried) & bit)) {
    if (may_reach(device->agent, peer)) solo_or_relaxed(&device->peers_reached, bit);
    /* publishes peers_reached; pairs with the load above in reaches() */
    solo_or_acq_rel(&device->peers_queried, bit);
  }
  /* relaxed: ordered by peers_queried */
  return (solo_load_relaxed(&device->peers_reached) & bit) != 0;
}

/* Grants `accessor` and all other open devices access to the owner's block at the address. */
static solo_status open_to(solo_bdevice *owner, uint64_t address, const solo_bdevice *accessor) {
  uint64_t bit = UINT64_C(1) << accessor->ordinal;
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  solo_hsa_open_devices open;
  uint64_t devices = 0;
  if (solo_hsa_grants_has(owner, address, bit)) return SOLO_OK;
  SOLO_HSA_TRY(owner,
               hsa_amd_pointer_info((const void *)(uintptr_t)address, &info, NULL, NULL, NULL),
               "looking for the block of 0x%llx", (unsigned long long)address);
  solo_hsa_devices_open(&open);
  uint32_t count = 0;
  for (uint32_t i = 0; i < open.count; i++) {
    if (open.ordinals[i] == owner->ordinal || !may_reach(open.agents[i], owner)) continue;
    open.agents[count++] = open.agents[i];
    devices |= UINT64_C(1) << open.ordinals[i];
  }
  if (!(devices & bit))
    return solo_fail(SOLO_UNSUPPORTED, "hsa: device %d cannot reach the memory of device %d",
                     accessor->number, owner->number);
  SOLO_HSA_TRY(owner, hsa_amd_agents_allow_access(count, open.agents, NULL, info.agentBaseAddress),
               "granting other devices access to the block of 0x%llx", (unsigned long long)address);
  return solo_hsa_grants_add(owner, (uint64_t)(uintptr_t)info.agentBaseAddress, info.sizeInBytes,
                             devices);
}

/* Requires access in both directions, because either device's copy engine may perform the copy. */
solo_status solo_hsa_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                     solo_devptr src, uint64_t bytes) {
  solo_bdevice *device = queue->device;
  solo_hsa_copy copy;
  SOLO_HSA_CHECK_LOST(device);
  SOLO_HSA_CHECK_LOST(dst_device);
  if (device == dst_device) return solo_hsa_queue_copy(queue, dst, src, bytes, SOLO_COPY_WITHIN);
  if (!reaches(device, dst_device) || !reaches(dst_device, device))
    return solo_fail(SOLO_UNSUPPORTED, "hsa: devices %d and %d do not reach each other's memory",
                     device->number, dst_device->number);
  SOLO_TRY(open_to(dst_device, dst, device));
  SOLO_TRY(open_to(device, src, dst_device));
  SOLO_TRY(solo_hsa_copy_begin(queue, &copy));
  SOLO_HSA_TRY(device,
               hsa_amd_memory_async_copy((void *)(uintptr_t)dst, dst_device->agent,
                                         (const void *)(uintptr_t)src, device->agent, bytes,
                                         copy.count, copy.first,
                                         copy.operation->completion->signal),
               "copying %llu bytes from device %d to device %d", (unsigned long long)bytes,
               device->number, dst_device->number);
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}
