/* Function-pointer tables of devices (fptr.h). */
#include "runtime/fptr.h"

#include "runtime/base/log.h"
#include "runtime/rtl.h"
#include <stdlib.h>

/* Superseded tables and their device copies, freed when the device is closed. */
typedef struct solo_fptr_retired {
  struct solo_fptr_retired *next;
  solo_fptr_table *table;
  solo_block *block;
} retired;

enum { ENVIRONMENT_TABLE_AT = 24, FLAGS = SOLO_ENTRY_INDIRECT | SOLO_ENTRY_VTABLE };

static solo_status add(solo_module *module, uint64_t host, uint64_t device) {
  if (module->pair_count == module->pair_capacity) {
    size_t capacity = module->pair_capacity ? module->pair_capacity * 2 : 32;
    solo_fptr_pair *pairs = realloc(module->pairs, capacity * sizeof *pairs);
    if (!pairs) return solo_fail(SOLO_NOMEM, "no host memory for a function-pointer table");
    module->pairs = pairs;
    module->pair_capacity = capacity;
  }
  module->pairs[module->pair_count++] = (solo_fptr_pair){(int64_t)host, (int64_t)device};
  return SOLO_OK;
}

/* The pairs of one entry. */
static solo_status read_entry(solo_device *device, solo_module *module, const solo_entry *entry) {
  solo_devptr at;
  uint64_t bytes, value;
  solo_status status =
      SOLO_OP(device->backend, module_global)(module->handle, entry->name, &at, &bytes);
  if (status == SOLO_NOT_FOUND)
    return solo_fail(status,
                     "indirect function or vtable %s is not in the image for device %d: calls "
                     "through its address cannot be led there",
                     entry->name, device->number);
  if (status != SOLO_OK) return status;
  uint64_t host = (uintptr_t)entry->address;
  if (entry->size == 0) return add(module, host, at);
  SOLO_TRY(solo_rtl_read(device, &value, at, sizeof value));
  if (!(entry->flags & SOLO_ENTRY_VTABLE)) return add(module, host, value);
  for (uint64_t slot = 0; slot < entry->size; slot += sizeof(void *))
    SOLO_TRY(add(module, host + slot, value + slot));
  return SOLO_OK;
}

static solo_status collect(solo_device *device, solo_module *module) {
  const solo_library_source *source = &module->library->source;
  for (size_t i = 0; i < source->entry_count; i++) {
    solo_entry entry;
    source->read_entry(source->entries, i, &entry);
    if ((entry.flags & FLAGS) && entry.address && entry.name)
      SOLO_TRY(read_entry(device, module, &entry));
  }
  return SOLO_OK;
}

/* Writes address and count where this module's device code looks for them, if it does. */
static solo_status tell_module(solo_device *device, solo_module *module, solo_devptr table,
                               uint64_t count) {
  static const char *const names[] = {"__omp_rtl_device_environment", "__omp_offloading_fptr_map_p",
                                      "__omp_offloading_fptr_map_size"};
  const uint64_t words[] = {table, count};
  for (int i = 0; i < 3; i++) {
    solo_devptr at;
    uint64_t bytes;
    solo_status status =
        SOLO_OP(device->backend, module_global)(module->handle, names[i], &at, &bytes);
    if (status == SOLO_NOT_FOUND) continue;
    if (status != SOLO_OK) return status;
    if (i == 0)
      status = bytes >= ENVIRONMENT_TABLE_AT + sizeof words
                   ? solo_rtl_write(device, at + ENVIRONMENT_TABLE_AT, words, sizeof words)
                   : SOLO_OK;
    else
      status = solo_rtl_write(device, at, &words[i - 1], sizeof words[0]);
    if (status != SOLO_OK) return status;
  }
  return SOLO_OK;
}

static void retire(solo_device *device, solo_fptr_table *table, solo_block *block) {
  if (!table && !block) return;
  retired *r = malloc(sizeof *r);
  if (!r) return; /* they stay for good: someone may be reading them */
  *r = (retired){device->fptr_retired, table, block};
  device->fptr_retired = r;
}

/* Makes table the device's: copied there, told to every module, visible to translate. */
static solo_status publish(solo_device *device, solo_fptr_table *table) {
  solo_block *block = NULL;
  uint64_t bytes = table->count * sizeof *table->sorted;
  solo_status status = SOLO_OK;
  if (bytes) {
    status = solo_pool_take(device, bytes, &block);
    if (status == SOLO_OK) status = solo_rtl_write(device, block->address, table->sorted, bytes);
  }
  for (solo_module *m = device->modules; m && status == SOLO_OK; m = m->next)
    if (m->handle) status = tell_module(device, m, block ? block->address : 0, table->count);
  if (status != SOLO_OK) {
    retire(device, table, block); /* some module may know it already */
    return status;
  }
  solo_fptr_table *old = solo_load_relaxed(&device->fptr); /* writers hold the device's lock */
  solo_store_release(&device->fptr, table);                /* pairs with solo_fptr_translate */
  retire(device, old, device->fptr_block);
  device->fptr_block = block;
  return SOLO_OK;
}

static solo_status publish_pairs(solo_device *device, const solo_fptr_pair *pairs, size_t count) {
  solo_fptr_table *table = solo_fptr_table_new(pairs, count);
  if (!table)
    return solo_fail(SOLO_NOMEM, "no host memory for a table of %zu function pointers", count);
  return publish(device, table);
}

/* The union of what all modules have. */
static solo_status rebuild(solo_device *device) {
  size_t count = 0;
  for (solo_module *m = device->modules; m; m = m->next) count += m->pair_count;
  solo_fptr_pair *all = malloc((count ? count : 1) * sizeof *all);
  if (!all) return solo_fail(SOLO_NOMEM, "no host memory for %zu function pointers", count);
  size_t at = 0;
  for (solo_module *m = device->modules; m; m = m->next)
    for (size_t i = 0; i < m->pair_count; i++) all[at++] = m->pairs[i];
  solo_status status = publish_pairs(device, all, count);
  free(all);
  return status;
}

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) {
  SOLO_TRY(collect(device, module));
  if (module->pair_count) return rebuild(device);
  /* nothing of its own, but its code may look up what others have */
  const solo_fptr_table *table = solo_load_relaxed(&device->fptr); /* lock held */
  return table && table->count
             ? tell_module(device, module, device->fptr_block->address, table->count)
             : SOLO_OK;
}

void solo_fptr_library_leaving(solo_device *device, solo_module *module) {
  if (!module->pair_count) return;
  free(module->pairs);
  module->pairs = NULL;
  module->pair_count = module->pair_capacity = 0;
  if (rebuild(device) != SOLO_OK)
    solo_debug(1, "device %d: function pointers: %s", device->number, solo_error_last()->text);
}

solo_status solo_fptr_set(solo_device *device, const solo_fptr_pair *pairs, size_t count) {
  solo_lock_acquire(&device->lock);
  solo_status status = publish_pairs(device, pairs, count);
  solo_lock_release(&device->lock);
  return status;
}

void solo_fptr_close(solo_device *device) {
  retire(device, solo_load_relaxed(&device->fptr), device->fptr_block); /* nobody else is left */
  solo_store_relaxed(&device->fptr, NULL);                              /* likewise */
  device->fptr_block = NULL;
  while (device->fptr_retired) {
    retired *r = device->fptr_retired;
    device->fptr_retired = r->next;
    solo_fptr_table_free(r->table);
    if (r->block) solo_pool_give(device, r->block);
    free(r);
  }
}
