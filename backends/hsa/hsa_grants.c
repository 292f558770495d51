/* Blocks of device memory that other devices can access (hsa_peer.c). */
#include "backends/hsa/hsa.h"

#include <stdlib.h>

struct solo_hsa_grant {
  solo_hsa_grant *next;
  uint64_t base, bytes;
  uint64_t devices; /* one bit per ordinal, without the owner */
};

static solo_hsa_grant *find(solo_bdevice *device, uint64_t address) {
  solo_hsa_grant *grant = device->grants;
  while (grant && address - grant->base >= grant->bytes) grant = grant->next;
  return grant;
}

int solo_hsa_grants_has(solo_bdevice *device, uint64_t address, uint64_t devices) {
  solo_lock_acquire(&device->lock);
  const solo_hsa_grant *grant = find(device, address);
  int has = grant && (grant->devices & devices) == devices;
  solo_lock_release(&device->lock);
  return has;
}

solo_status solo_hsa_grants_add(solo_bdevice *device, uint64_t base, uint64_t bytes,
                                uint64_t devices) {
  solo_hsa_grant *made = malloc(sizeof *made);
  if (!made) return solo_fail(SOLO_NOMEM, "hsa: no memory to record a block");
  *made = (solo_hsa_grant){NULL, base, bytes, devices};
  solo_lock_acquire(&device->lock);
  solo_hsa_grant *grant = find(device, base);
  if (grant) {
    grant->devices = devices;
    free(made);
  } else {
    made->next = device->grants;
    device->grants = made;
  }
  solo_lock_release(&device->lock);
  return SOLO_OK;
}

void solo_hsa_grants_remove(solo_bdevice *device, uint64_t base) {
  solo_lock_acquire(&device->lock);
  for (solo_hsa_grant **at = &device->grants; *at; at = &(*at)->next)
    if ((*at)->base == base) {
      solo_hsa_grant *grant = *at;
      *at = grant->next;
      free(grant);
      break;
    }
  solo_lock_release(&device->lock);
}

void solo_hsa_grants_close(solo_bdevice *device) {
  for (solo_hsa_grant *grant = device->grants, *next; grant; grant = next) {
    next = grant->next;
    free(grant);
  }
}
