#include "abi/kernel_language/kl.h"

#include "abi/include/omp.h"
#include <stdlib.h>
#include <string.h>

typedef enum block_kind { DEVICE, PINNED, MANAGED } block_kind;

typedef struct block {
  struct block *next;
  char *begin;
  size_t bytes;
  int device;
  block_kind kind;
} block;

static block *blocks;

static int note(void *address, size_t bytes, block_kind kind) {
  block *b = malloc(sizeof *b);
  if (!b) return 0;
  pthread_mutex_lock(&solo_kl_lock);
  *b = (block){blocks, address, bytes, solo_kl_current(), kind};
  blocks = b;
  pthread_mutex_unlock(&solo_kl_lock);
  return 1;
}

static int find(const void *address, block *out) {
  pthread_mutex_lock(&solo_kl_lock);
  const block *b = blocks;
  while (b && ((const char *)address < b->begin || (const char *)address >= b->begin + b->bytes))
    b = b->next;
  if (b) *out = *b;
  pthread_mutex_unlock(&solo_kl_lock);
  return b != NULL;
}

static void free_block(void *address, int device, block_kind kind) {
  if (kind == DEVICE)
    (void)__tgt_rtl_data_delete(device, address);
  else if (kind == PINNED)
    llvm_omp_target_free_host(address, device);
  else
    llvm_omp_target_free_shared(address, device);
}

static int allocate(void **out, size_t bytes, block_kind kind) {
  int device = solo_kl_current();
  if (!out) return solo_kl_fail(KL_INVALID_VALUE, "the address for the allocated pointer is NULL");
  *out = NULL;
  if (!bytes) return KL_OK;
  *out = kind == DEVICE   ? __tgt_rtl_data_alloc(device, (int64_t)bytes)
         : kind == PINNED ? llvm_omp_target_alloc_host(bytes, device)
                          : llvm_omp_target_alloc_shared(bytes, device);
  /* nonzero, so that solo_kl_status() returns the last failure */
  if (!*out) return solo_kl_status(-1);
  if (note(*out, bytes, kind)) return KL_OK;
  free_block(*out, device, kind);
  *out = NULL;
  return solo_kl_fail(KL_NO_MEMORY, "allocation of %zu bytes on device %d", bytes, device);
}

int solo_kl_alloc(void **out_address, size_t bytes) {
  return allocate(out_address, bytes, DEVICE);
}

int solo_kl_alloc_host(void **out_address, size_t bytes) {
  return allocate(out_address, bytes, PINNED);
}

int solo_kl_alloc_managed(void **out_address, size_t bytes) {
  return allocate(out_address, bytes, MANAGED);
}

/* First waits for the device, as HIP and CUDA do. */
int solo_kl_free(void *address) {
  if (!address) return KL_OK;
  int error = solo_kl_device_sync();
  pthread_mutex_lock(&solo_kl_lock);
  block **link = &blocks;
  while (*link && (*link)->begin != address) link = &(*link)->next;
  block *b = *link;
  if (b) *link = b->next;
  pthread_mutex_unlock(&solo_kl_lock);
  if (!b)
    return solo_kl_fail(KL_INVALID_VALUE, "%p is not allocated, or was freed already", address);
  free_block(address, b->device, b->kind);
  free(b);
  return error;
}

int solo_kl_memory(size_t *out_free, size_t *out_bytes) {
  solo_device_description d = {.size = sizeof d};
  int device = solo_kl_current();
  if (!out_free || !out_bytes)
    return solo_kl_fail(KL_INVALID_VALUE, "an address for the memory sizes is NULL");
  int error = solo_kl_status(solo_describe_device(device, &d));
  if (error) return error;
  size_t used = 0;
  pthread_mutex_lock(&solo_kl_lock);
  for (const block *b = blocks; b; b = b->next)
    if (b->device == device && b->kind != PINNED) used += b->bytes;
  pthread_mutex_unlock(&solo_kl_lock);
  *out_bytes = (size_t)d.memory_bytes;
  *out_free = used < *out_bytes ? *out_bytes - used : 0;
  return KL_OK;
}

int solo_kl_managed(const void *address, size_t bytes) {
  block b;
  if (find(address, &b) && b.kind == MANAGED &&
      bytes <= b.bytes - (size_t)((const char *)address - b.begin))
    return KL_OK;
  return solo_kl_fail(KL_INVALID_VALUE, "the range of %zu bytes at %p is not managed memory", bytes,
                      address);
}

/* Returns the device of an address (for KL_DEFAULT); -1: host, pinned or managed memory. */
static int device_of(const void *address) {
  block b;
  return find(address, &b) && b.kind == DEVICE ? b.device : -1;
}

/* Copies within the host or between devices. The copy is complete at the return. */
static int copy_now(void *to, const void *from, size_t bytes, int direction, kl_stream *stream) {
  int error = solo_kl_stream_sync(stream);
  if (error) return error;
  if (direction == KL_HOST_TO_HOST) {
    memmove(to, from, bytes);
    return KL_OK;
  }
  int to_device = device_of(to), from_device = device_of(from);
  if (to_device < 0) to_device = solo_kl_current();
  if (from_device < 0) from_device = solo_kl_current();
  return omp_target_memcpy(to, from, bytes, 0, 0, to_device, from_device) == 0
             ? KL_OK
             : solo_kl_fail(KL_INVALID_VALUE, "copy of %zu bytes from %p to %p", bytes, from, to);
}

int solo_kl_copy_async(void *to, const void *from, size_t bytes, int direction, kl_stream *stream) {
  if (direction < KL_HOST_TO_HOST || direction > KL_DEFAULT)
    return solo_kl_fail(KL_INVALID_DIRECTION, "copy direction %d is unknown", direction);
  if (!bytes) return KL_OK;
  if (!to || !from)
    return solo_kl_fail(KL_INVALID_VALUE, "copy from %p to %p: an address is NULL", from, to);
  if (direction == KL_DEFAULT) {
    int in = device_of(to) >= 0, out = device_of(from) >= 0;
    direction = in && out ? KL_WITHIN : in ? KL_IN : out ? KL_OUT : KL_HOST_TO_HOST;
  }
  if (direction == KL_WITHIN || direction == KL_HOST_TO_HOST)
    return copy_now(to, from, bytes, direction, stream);
  kl_order order;
  tgt_event_t event = NULL;
  solo_kl_order_begin(stream, &order);
  int device = device_of(direction == KL_IN ? to : from);
  if (device < 0) device = order.device;
  void *host = (void *)(uintptr_t)from;
  int status = direction == KL_IN ? __tgt_rtl_async_data_submit(device, to, host, (int64_t)bytes,
                                                                order.count, order.after, &event)
                                  : __tgt_rtl_async_data_retrieve(device, to, host, (int64_t)bytes,
                                                                  order.count, order.after, &event);
  solo_kl_order_end(stream, &order, event);
  return solo_kl_status(status);
}

int solo_kl_copy(void *to, const void *from, size_t bytes, int direction) {
  int error = solo_kl_copy_async(to, from, bytes, direction, NULL);
  return error ? error : solo_kl_stream_sync(NULL);
}

int solo_kl_set(void *address, int value, size_t bytes, kl_stream *stream) {
  int error = solo_kl_stream_sync(stream);
  if (error || !bytes) return error;
  int device = device_of(address);
  if (device < 0) device = solo_kl_current();
  return omp_target_memset(address, value & 0xff, bytes, device)
             ? KL_OK
             : solo_kl_fail(KL_INVALID_VALUE, "setting %zu bytes at %p failed", bytes, address);
}
