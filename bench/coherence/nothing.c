/* An asynchronous device that does nothing and is not instrumented, so that offload.c counts only
 * the runtime's accesses. Threads: any. */
#include "runtime/backend_call.h"
#include "runtime/image/image.h"

#include <stdlib.h>

struct solo_bdevice {
  int number;
};

static struct solo_bdevice the_device;

solo_status solo_nothing_device_count(int *out_count) {
  *out_count = 1;
  return SOLO_OK;
}

solo_status solo_nothing_device_open(int ordinal, int number, solo_bdevice **out_device,
                                     solo_device_info *out_info) {
  (void)ordinal;
  the_device.number = number;
  *out_device = &the_device;
  *out_info = (solo_device_info){.name = "nothing",
                                 .uid = "nothing",
                                 .arch = "x86_64",
                                 .warp_size = 1,
                                 .max_threads = 1,
                                 .default_threads = 1,
                                 .default_teams = 1,
                                 .max_teams = 1,
                                 .compute_units = 1,
                                 .memory_bytes = UINT64_C(1) << 40,
                                 .flags = SOLO_DEVICE_COPIES_IN_TURN};
  return SOLO_OK;
}

void solo_nothing_device_close(solo_bdevice *device) {
  (void)device;
}

int solo_nothing_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_LINKED;
}

uint32_t solo_nothing_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                                  size_t reason_size) {
  (void)device, (void)reason, (void)reason_size;
  return image->kind == SOLO_IMAGE_LINKED;
}

solo_status solo_nothing_module_load(solo_bdevice *device, const solo_image *image,
                                     solo_bmodule **out_module) {
  (void)image;
  *out_module = (solo_bmodule *)(void *)device;
  return SOLO_OK;
}

void solo_nothing_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)device, (void)module;
}

solo_status solo_nothing_module_kernel(solo_bmodule *module, const char *name,
                                       solo_bkernel **out_kernel,
                                       solo_kernel_attributes *out_attributes) {
  (void)name;
  *out_kernel = (solo_bkernel *)(void *)module;
  *out_attributes = (solo_kernel_attributes){0};
  return SOLO_OK;
}

solo_status solo_nothing_module_global(solo_bmodule *module, const char *name,
                                       solo_devptr *out_address, uint64_t *out_bytes) {
  (void)module, (void)name, (void)out_address, (void)out_bytes;
  return SOLO_NOT_FOUND;
}

solo_status solo_nothing_mem_alloc(solo_bdevice *device, uint64_t bytes, solo_memory_kind kind,
                                   solo_devptr *out_address) {
  (void)device, (void)kind;
  *out_address = (uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *out_address ? SOLO_OK : SOLO_DEVICE_NOMEM;
}

solo_status solo_nothing_mem_free(solo_bdevice *device, solo_devptr address,
                                  solo_memory_kind kind) {
  (void)device, (void)kind;
  free((void *)(uintptr_t)address);
  return SOLO_OK;
}

solo_status solo_nothing_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  *out_queue = (solo_bqueue *)(void *)device;
  return SOLO_OK;
}

void solo_nothing_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device, (void)queue;
}

solo_status solo_nothing_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                    solo_copy_direction direction) {
  (void)queue, (void)dst, (void)src, (void)bytes, (void)direction;
  return SOLO_OK;
}

solo_status solo_nothing_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                      const solo_launch_record *launch) {
  (void)queue, (void)kernel, (void)launch;
  return SOLO_OK;
}

solo_status solo_nothing_queue_sync(solo_bqueue *queue) {
  (void)queue;
  return SOLO_OK;
}

solo_status solo_nothing_event_open(solo_bdevice *device, solo_bevent **out_event) {
  *out_event = (solo_bevent *)(void *)device;
  return SOLO_OK;
}

void solo_nothing_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device, (void)event;
}

solo_status solo_nothing_event_record(solo_bqueue *queue, solo_bevent *event) {
  (void)queue, (void)event;
  return SOLO_OK;
}

solo_status solo_nothing_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  (void)queue, (void)event;
  return SOLO_OK;
}

solo_status solo_nothing_event_query(solo_bevent *event, int *out_done) {
  (void)event;
  *out_done = 1;
  return SOLO_OK;
}

solo_status solo_nothing_event_wait(solo_bevent *event) {
  (void)event;
  return SOLO_OK;
}

const solo_backend solo_nothing_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "nothing",
    .device_count = solo_nothing_device_count,
    .device_open = solo_nothing_device_open,
    .device_close = solo_nothing_device_close,
    .image_recognise = solo_nothing_image_recognise,
    .image_score = solo_nothing_image_score,
    .module_load = solo_nothing_module_load,
    .module_unload = solo_nothing_module_unload,
    .module_kernel = solo_nothing_module_kernel,
    .module_global = solo_nothing_module_global,
    .mem_alloc = solo_nothing_mem_alloc,
    .mem_free = solo_nothing_mem_free,
    .queue_open = solo_nothing_queue_open,
    .queue_close = solo_nothing_queue_close,
    .queue_copy = solo_nothing_queue_copy,
    .queue_launch = solo_nothing_queue_launch,
    .queue_sync = solo_nothing_queue_sync,
    .event_open = solo_nothing_event_open,
    .event_close = solo_nothing_event_close,
    .event_record = solo_nothing_event_record,
    .queue_wait_event = solo_nothing_queue_wait_event,
    .event_query = solo_nothing_event_query,
    .event_wait = solo_nothing_event_wait,
};
