#include "ports/skeleton/driver/skeldrv_private.h"

#include <stdlib.h>
#include <string.h>

enum { GRANULE = 256, GUARD = 256 };

atomic_long skeldrv_objects;
static atomic_int fail_in, fail_with, lost;

void skeldrv_fail_call(int nth, skeldrv_result result) {
  atomic_store(&fail_with, (int)result);
  atomic_store(&fail_in, nth);
  if (nth == 0) atomic_store(&lost, 0);
}

long skeldrv_live_objects(void) {
  return atomic_load(&skeldrv_objects);
}

int skeldrv_is_lost(void) {
  return atomic_load(&lost);
}

skeldrv_result skeldrv_enter(void) {
  if (skeldrv_is_lost()) return SKELDRV_LOST;
  if (atomic_load(&fail_in) == 0 || atomic_fetch_sub(&fail_in, 1) != 1) return SKELDRV_OK;
  if (atomic_load(&fail_with) == SKELDRV_LOST) atomic_store(&lost, 1);
  return (skeldrv_result)atomic_load(&fail_with);
}

int skeldrv_device_count(void) {
  const char *text = getenv("SKELDRV_DEVICES");
  return text ? atoi(text) : 2;
}

skeldrv_result skeldrv_device_open(int ordinal, skeldrv_device **out) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  if (ordinal < 0 || ordinal >= skeldrv_device_count()) return SKELDRV_BAD_VALUE;
  skeldrv_device *device = calloc(1, sizeof *device);
  if (!device || !(device->arena = malloc(ARENA_BYTES))) {
    free(device);
    return SKELDRV_NO_HOST;
  }
  device->ordinal = ordinal;
  device->base = 0x5ce100000000u + ((uint64_t)ordinal << 40);
  pthread_mutex_init(&device->mutex, NULL);
  atomic_fetch_add(&skeldrv_objects, 1);
  *out = device;
  return SKELDRV_OK;
}

skeldrv_result skeldrv_device_properties(skeldrv_device *device, skeldrv_properties *out) {
  (void)device;
  *out = (skeldrv_properties){.name = "Skeleton One",
                              .cores = 4,
                              .max_threads = 256,
                              .max_teams = 65535,
                              .shared_bytes = 16384,
                              .memory_bytes = ARENA_BYTES,
                              .clock_hz = 1000000000};
  return skeldrv_enter();
}

void skeldrv_device_close(skeldrv_device *device) {
  while (device->queues) {
    skeldrv_queue *queue = device->queues;
    device->queues = queue->next;
    free(queue);
  }
  while (device->blocks) {
    block *b = device->blocks;
    device->blocks = b->next;
    free(b);
  }
  pthread_mutex_destroy(&device->mutex);
  free(device->arena);
  free(device);
  atomic_fetch_sub(&skeldrv_objects, 1);
}

skeldrv_result skeldrv_alloc(skeldrv_device *device, uint64_t bytes, uint64_t *out) {
  skeldrv_result result = skeldrv_enter();
  if (result != SKELDRV_OK) return result;
  if (bytes == 0) return SKELDRV_BAD_VALUE;
  if (bytes > ARENA_BYTES) return SKELDRV_NO_MEMORY;
  block *b = malloc(sizeof *b);
  if (!b) return SKELDRV_NO_HOST;
  b->bytes = bytes;
  b->offset = 0;
  pthread_mutex_lock(&device->mutex);
  block **at = &device->blocks;
  while (*at && (*at)->offset < b->offset + bytes + GUARD) {
    b->offset = ((*at)->offset + (*at)->bytes + GUARD + GRANULE - 1) / GRANULE * GRANULE;
    at = &(*at)->next;
  }
  if (b->offset + bytes > ARENA_BYTES) {
    result = SKELDRV_NO_MEMORY;
  } else {
    b->next = *at;
    *at = b;
    /* not zero, so that reads of uninitialised memory fail */
    memset(device->arena + b->offset, 0xa5, bytes);
    *out = device->base + b->offset;
    atomic_fetch_add(&skeldrv_objects, 1);
  }
  pthread_mutex_unlock(&device->mutex);
  if (result != SKELDRV_OK) free(b);
  return result;
}

skeldrv_result skeldrv_free(skeldrv_device *device, uint64_t address) {
  skeldrv_result result = SKELDRV_BAD_VALUE;
  pthread_mutex_lock(&device->mutex);
  for (block **at = &device->blocks; *at; at = &(*at)->next) {
    block *b = *at;
    if (device->base + b->offset != address) continue;
    *at = b->next;
    free(b);
    atomic_fetch_sub(&skeldrv_objects, 1);
    result = skeldrv_is_lost() ? SKELDRV_LOST : SKELDRV_OK;
    break;
  }
  pthread_mutex_unlock(&device->mutex);
  return result;
}

void *skeldrv_resolve(skeldrv_device *device, uint64_t address, uint64_t bytes) {
  void *found = NULL;
  uint64_t offset = address - device->base; /* a lower address wraps to a large value */
  pthread_mutex_lock(&device->mutex);
  for (block *b = device->blocks; b; b = b->next)
    if (offset >= b->offset && offset - b->offset < b->bytes &&
        bytes <= b->bytes - (offset - b->offset))
      found = device->arena + offset;
  pthread_mutex_unlock(&device->mutex);
  return found;
}
