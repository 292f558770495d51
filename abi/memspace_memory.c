#include "abi/memory_nodes.h"
#include "abi/memspace.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "runtime/device/transfer.h"

static solo_memory_kind memory_kind(const solo_memspace *space) {
  return space->shared ? SOLO_MEMORY_SHARED : SOLO_MEMORY_DEVICE;
}

static void *alloc(const solo_memspace *space, size_t bytes) {
  if (space->device == SOLO_MEMSPACE_HOST) {
    void *pages = solo_pages_alloc(bytes);
    if (!pages || solo_pages_bind(pages, bytes, space->nodes) == 0) return pages;
    solo_pages_free(pages, bytes);
    return NULL;
  }
  solo_device *device;
  void *address = NULL;
  solo_status status = tgt_get_device(space->device, &device);
  if (status == SOLO_OK) status = solo_memory_alloc(device, bytes, memory_kind(space), &address);
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
  return address;
}

static void release(const solo_memspace *space, void *address, size_t bytes) {
  if (space->device == SOLO_MEMSPACE_HOST) {
    solo_pages_free(address, bytes);
    return;
  }
  solo_device *device;
  solo_status status = tgt_get_device(space->device, &device);
  if (status == SOLO_OK) status = solo_memory_free(device, address, memory_kind(space));
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, NULL);
}

const solo_memspace_seam solo_memspaces = {.alloc = alloc,
                                           .free = release,
                                           .round = solo_pages_round,
                                           .pages = solo_pages_alloc,
                                           .free_pages = solo_pages_free,
                                           .place = solo_mempartition_place};
