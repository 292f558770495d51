/* The deferred backend: operations of devices and images, and the table of operations. */
#include "tests/deferred/deferred_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic long calls_until_failure; /* 0: none */
static _Atomic int has_failed;

void solo_deferred_fail_at(long n) {
  solo_store_seq_cst(&has_failed, 0);
  solo_store_seq_cst(&calls_until_failure, n);
}

int solo_deferred_failed(void) {
  return solo_load_seq_cst(&has_failed);
}

int solo_deferred_fails(void) {
  long n = solo_load_seq_cst(&calls_until_failure);
  while (n > 0) {
    if (!solo_cas_seq_cst(&calls_until_failure, &n, n - 1)) continue;
    if (n == 1) solo_store_seq_cst(&has_failed, 1);
    return n == 1;
  }
  return 0;
}

solo_deferred_counts solo_deferred_count(void) {
  solo_lock_acquire(&solo_deferred_lock);
  solo_deferred_counts counts = solo_deferred_state;
  solo_lock_release(&solo_deferred_lock);
  return counts;
}

solo_status solo_deferred_device_count(int *out_count) {
  const char *text = getenv("SOLO_DEFERRED_FAIL");
  static int asked;
  if (text && !asked) solo_deferred_fail_at(strtol(text, NULL, 10));
  asked = 1;
  *out_count = 2;
  return SOLO_OK;
}

solo_status solo_deferred_device_open(int ordinal, int number, solo_bdevice **out_device,
                                      solo_device_info *out_info) {
  if (ordinal < 0 || ordinal > 1) return solo_fail(SOLO_INVALID, "deferred: device %d", ordinal);
  *out_device = calloc(1, sizeof **out_device);
  if (!*out_device) return solo_fail(SOLO_NOMEM, "deferred: device");
  (*out_device)->number = number;
  *out_info = (solo_device_info){.arch = "x86_64",
                                 .warp_size = 1,
                                 .max_threads = 1024,
                                 .default_threads = 1,
                                 .default_teams = 1,
                                 .max_teams = 65535,
                                 .compute_units = 1,
                                 .memory_bytes = DEFERRED_ARENA,
                                 .flags = SOLO_DEVICE_COPIES_IN_TURN};
  snprintf(out_info->name, sizeof out_info->name, "deferred %d", ordinal);
  snprintf(out_info->uid, sizeof out_info->uid, "deferred-%d", ordinal);
  return SOLO_OK;
}

void solo_deferred_device_close(solo_bdevice *device) {
  free(device);
}

int solo_deferred_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_LINKED;
}

uint32_t solo_deferred_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                                   size_t reason_size) {
  (void)device;
  if (image->kind == SOLO_IMAGE_LINKED) return 1;
  snprintf(reason, reason_size, "not a linked image");
  return 0;
}

solo_status solo_deferred_module_load(solo_bdevice *device, const solo_image *image,
                                      solo_bmodule **out_module) {
  (void)device;
  if (solo_deferred_fails()) return solo_fail(SOLO_BAD_IMAGE, "deferred: load made to fail");
  *out_module = calloc(1, sizeof **out_module);
  if (!*out_module) return solo_fail(SOLO_NOMEM, "deferred: module");
  (*out_module)->linked = (const solo_linked_image *)(const void *)image->bytes.data;
  return SOLO_OK;
}

void solo_deferred_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)device;
  free(module);
}

static const solo_linked_symbol *find(const solo_bmodule *module, const char *name) {
  for (uint64_t i = 0; i < module->linked->symbol_count; i++)
    if (strcmp(module->linked->symbols[i].name, name) == 0) return &module->linked->symbols[i];
  return NULL;
}

solo_status solo_deferred_module_kernel(solo_bmodule *module, const char *name,
                                        solo_bkernel **out_kernel,
                                        solo_kernel_attributes *out_attributes) {
  const solo_linked_symbol *symbol = find(module, name);
  if (!symbol) return SOLO_NOT_FOUND;
  *out_kernel = symbol->address;
  *out_attributes = (solo_kernel_attributes){0};
  return SOLO_OK;
}

solo_status solo_deferred_module_global(solo_bmodule *module, const char *name,
                                        solo_devptr *out_address, uint64_t *out_bytes) {
  const solo_linked_symbol *symbol = find(module, name);
  if (!symbol) return SOLO_NOT_FOUND;
  *out_address = (uintptr_t)symbol->address;
  *out_bytes = symbol->size;
  return SOLO_OK;
}

const solo_backend solo_deferred_backend = {
    .api_version = SOLO_BACKEND_API,
    .name = "deferred",
    .device_count = solo_deferred_device_count,
    .device_open = solo_deferred_device_open,
    .device_close = solo_deferred_device_close,
    .image_recognise = solo_deferred_image_recognise,
    .image_score = solo_deferred_image_score,
    .module_load = solo_deferred_module_load,
    .module_unload = solo_deferred_module_unload,
    .module_kernel = solo_deferred_module_kernel,
    .module_global = solo_deferred_module_global,
    .mem_alloc = solo_deferred_mem_alloc,
    .mem_free = solo_deferred_mem_free,
    .queue_open = solo_deferred_queue_open,
    .queue_close = solo_deferred_queue_close,
    .queue_copy = solo_deferred_queue_copy,
    .queue_launch = solo_deferred_queue_launch,
    .queue_sync = solo_deferred_queue_sync,
    .event_open = solo_deferred_event_open,
    .event_close = solo_deferred_event_close,
    .event_record = solo_deferred_event_record,
    .queue_wait_event = solo_deferred_queue_wait_event,
    .event_query = solo_deferred_event_query,
    .event_wait = solo_deferred_event_wait,
};
