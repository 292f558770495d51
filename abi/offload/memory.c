/* Allocations and page-locked host memory. Addresses are unique in the process: an allocation that
 * overlaps an allocation of another device is repeated. */
#include "abi/offload/block_tree.h"

#include <stdlib.h>

enum { MOST_RETRIES = 16 };

static ol_block *blocks;

typedef struct registration {
  struct registration *next;
  ol_device *on;
  char *begin;
  size_t bytes;
  unsigned users;
  int pinned; /* nonzero: the driver has locked the pages */
  void *device_address;
} registration;

static registration *registrations;

static const solo_memory_kind kinds[] = {[OL_ALLOC_TYPE_HOST] = SOLO_MEMORY_HOST,
                                         [OL_ALLOC_TYPE_DEVICE] = SOLO_MEMORY_DEVICE,
                                         [OL_ALLOC_TYPE_MANAGED] = SOLO_MEMORY_SHARED};

ol_device *ol_memory_device(const void *address, int *out_shared) {
  pthread_mutex_lock(&ol_lock);
  const ol_block *block = ol_block_find(blocks, (uintptr_t)address);
  ol_device *on = block ? block->on : ol_variable_device(address);
  *out_shared = block && block->type != OL_ALLOC_TYPE_DEVICE;
  pthread_mutex_unlock(&ol_lock);
  return on;
}

/* Inserts the block and returns nonzero; returns 0 if the block overlaps another block. */
static int insert(ol_block *block) {
  pthread_mutex_lock(&ol_lock);
  int overlaps = ol_block_overlaps(blocks, block->begin, block->bytes);
  if (!overlaps) ol_block_insert(&blocks, block);
  pthread_mutex_unlock(&ol_lock);
  return !overlaps;
}

/* Rejected addresses stay allocated during the search, so that the driver returns other addresses. */
static ol_result_t allocate(ol_block *block) {
  solo_memory_kind kind = kinds[block->type];
  void *rejected[MOST_RETRIES], *address = NULL;
  int count = 0, found = 0;
  solo_status status = SOLO_OK;
  while (!found && count < MOST_RETRIES) {
    status = ol_core->memory_alloc(block->on->device, block->bytes, kind, &address);
    if (status != SOLO_OK) break;
    block->begin = (uintptr_t)address;
    found = insert(block);
    if (!found) rejected[count++] = address;
  }
  ol_result_t result = status == SOLO_OK ? OL_SUCCESS : ol_failed(status);
  while (count > 0) (void)ol_core->memory_free(block->on->device, rejected[--count], kind);
  if (found || result) return result;
  return ol_fail(OL_ERRC_OUT_OF_RESOURCES,
                 "allocating %zu bytes: each address overlaps memory of another device",
                 block->bytes);
}

ol_result_t olMemAlloc(ol_device_handle_t device, ol_alloc_type_t type, size_t size,
                       void **allocation_out) {
  ol_device *on;
  OL_ENTER();
  if (!size) return ol_fail(OL_ERRC_INVALID_SIZE, "an allocation has 0 bytes");
  if (!device) return ol_null_handle("device");
  OL_POINTER(allocation_out);
  OL_FIND_DEVICE(on, device);
  if ((unsigned)type >= OL_ALLOC_TYPE_LAST)
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "memory kind %d does not exist", (int)type);
  OL_TRY(ol_open(on));
  ol_block *block = malloc(sizeof *block);
  if (!block) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory to describe an allocation");
  *block = (ol_block){.bytes = size, .on = on, .type = type};
  ol_result_t result = allocate(block);
  if (result) {
    free(block);
    return result;
  }
  *allocation_out = (void *)block->begin; /* NOLINT(performance-no-int-to-ptr) */
  return OL_SUCCESS;
}

ol_result_t olMemFree(void *address) {
  OL_ENTER();
  OL_POINTER(address);
  pthread_mutex_lock(&ol_lock);
  ol_block *block = ol_block_find(blocks, (uintptr_t)address);
  if (block && block->begin != (uintptr_t)address) block = NULL;
  if (block) ol_block_remove(&blocks, block);
  pthread_mutex_unlock(&ol_lock);
  if (!block)
    return ol_fail(OL_ERRC_INVALID_ARGUMENT, "%p is not the begin of an allocation of olMemAlloc",
                   address);
  solo_status status = ol_core->memory_free(block->on->device, address, kinds[block->type]);
  free(block);
  return status == SOLO_OK ? OL_SUCCESS : ol_failed(status);
}

void ol_memory_end(void) {
  while (blocks) {
    ol_block *block = blocks;
    ol_block_remove(&blocks, block);
    /* status ignored, so that the other blocks are freed */
    (void)ol_core->memory_free(block->on->device, (void *)block->begin, kinds[block->type]);
    free(block);
  }
  while (registrations) {
    registration *r = registrations;
    registrations = r->next;
    if (r->pinned) (void)ol_core->unpin(r->on->device, r->begin);
    free(r);
  }
}

static ol_result_t memory_property(const void *ptr, ol_mem_info_t prop_name, const ol_property *p) {
  OL_ENTER();
  OL_TRY(ol_check_property(p, NULL, NULL));
  OL_POINTER(ptr);
  pthread_mutex_lock(&ol_lock);
  const ol_block *found = ol_block_find(blocks, (uintptr_t)ptr);
  ol_block block = found ? *found : (ol_block){0};
  pthread_mutex_unlock(&ol_lock);
  if (!found) return ol_fail(OL_ERRC_NOT_FOUND, "%p is not memory of olMemAlloc", ptr);
  void *base = (void *)block.begin; /* NOLINT(performance-no-int-to-ptr) */
  void *device = ol_handle_of(&ol_devices, block.on);
  switch (prop_name) {
  case OL_MEM_INFO_DEVICE:
    return ol_put(p, &device, sizeof device);
  case OL_MEM_INFO_BASE:
    return ol_put(p, &base, sizeof base);
  case OL_MEM_INFO_SIZE:
    return ol_put(p, &block.bytes, sizeof block.bytes);
  case OL_MEM_INFO_TYPE:
    return ol_put(p, &block.type, sizeof block.type);
  default:
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of an allocation does not exist",
                   (int)prop_name);
  }
}

ol_result_t olGetMemInfo(const void *ptr, ol_mem_info_t prop_name, size_t prop_size,
                         void *prop_value) {
  return memory_property(ptr, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetMemInfoSize(const void *ptr, ol_mem_info_t prop_name, size_t *prop_size_ret) {
  return memory_property(ptr, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}

/* Returns the link to the device's registration that shares bytes with the range; *link is NULL if none exists. */
static registration **find(const ol_device *on, const char *begin, size_t bytes) {
  registration **link = &registrations;
  while (*link && ((*link)->on != on || begin + bytes <= (*link)->begin ||
                   (*link)->begin + (*link)->bytes <= begin))
    link = &(*link)->next;
  return link;
}

/* Returns whether kernels can access host memory without page-locking, at the same address. */
static int uses_host_addresses(const ol_device *on) {
  return (on->device->info.flags & (SOLO_DEVICE_SHARED_MEMORY | SOLO_DEVICE_UNIFIED_ADDRESSES)) !=
         0;
}

static ol_result_t pin(ol_device *on, char *begin, size_t bytes, void **out) {
  registration *r = *find(on, begin, bytes);
  if (r && (begin < r->begin || begin + bytes > r->begin + r->bytes))
    return ol_fail(OL_ERRC_INVALID_ARGUMENT,
                   "%zu bytes at %p partly overlap registered memory of %zu bytes at %p", bytes,
                   (void *)begin, r->bytes, (void *)r->begin);
  if (!r) {
    solo_devptr address = 0;
    solo_status status = ol_core->pin(on->device, begin, bytes, &address);
    if (status != SOLO_OK && (status != SOLO_UNSUPPORTED || !uses_host_addresses(on)))
      return ol_failed(status);
    r = malloc(sizeof *r);
    if (!r) {
      if (status == SOLO_OK) (void)ol_core->unpin(on->device, begin);
      return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory to describe registered memory");
    }
    *r = (registration){.next = registrations,
                        .on = on,
                        .begin = begin,
                        .bytes = bytes,
                        .pinned = status == SOLO_OK,
                        .device_address =
                            status == SOLO_OK ? (void *)(uintptr_t)address : (void *)begin};
    registrations = r;
  }
  r->users++;
  *out = (char *)r->device_address + (begin - r->begin);
  return OL_SUCCESS;
}

ol_result_t olMemRegister(ol_device_handle_t device, void *ptr, size_t size,
                          ol_memory_register_flags_t flags, void **pinned_ptr) {
  ol_device *on;
  (void)flags;
  OL_ENTER();
  if (!size) return ol_fail(OL_ERRC_INVALID_SIZE, "a registration has 0 bytes");
  if (!device) return ol_null_handle("device");
  OL_POINTER(ptr);
  OL_POINTER(pinned_ptr);
  OL_FIND_DEVICE(on, device);
  OL_TRY(ol_open(on));
  pthread_mutex_lock(&ol_lock);
  ol_result_t result = pin(on, ptr, size, pinned_ptr);
  pthread_mutex_unlock(&ol_lock);
  return result;
}

ol_result_t olMemUnregister(ol_device_handle_t device, void *ptr) {
  ol_device *on;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  OL_POINTER(ptr);
  OL_FIND_DEVICE(on, device);
  OL_TRY(ol_open(on));
  pthread_mutex_lock(&ol_lock);
  registration **link = find(on, ptr, 1), *r = *link;
  solo_status status = SOLO_OK;
  if (r && --r->users == 0) {
    *link = r->next;
    if (r->pinned) status = ol_core->unpin(on->device, r->begin);
  }
  int last = r && !r->users;
  pthread_mutex_unlock(&ol_lock);
  if (last) free(r);
  if (!r) return ol_fail(OL_ERRC_INVALID_ARGUMENT, "%p is not registered memory", ptr);
  return status == SOLO_OK ? OL_SUCCESS : ol_failed(status);
}
