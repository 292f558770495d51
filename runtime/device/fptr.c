#include "runtime/device/fptr.h"

#include "runtime/base/debug.h"
#include "runtime/device/driver_call.h"
#include "runtime/device/pool.h"
#include "runtime/device/rtl.h"
#include "runtime/trace/info.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct solo_fptr_retired {
  struct solo_fptr_retired *next;
  solo_fptr_table *table;
  solo_block *block;
  int complete;
} retired;

enum { ENVIRONMENT_TABLE_AT = 24, FLAGS = SOLO_ENTRY_INDIRECT | SOLO_ENTRY_VTABLE };

_Atomic(solo_fptr_table *) solo_fptr_only;
static solo_lock only_lock =
    SOLO_LOCK_INIT(SOLO_RANK_FPTR); /* guards writes of solo_fptr_only, and cpu_tables */
static int cpu_tables; /* number of devices that have a table and lack Clang's device runtime */

static int is_only_one(const solo_device *device) {
  /* a device without this flag executes kernels in another process */
  if (!(device->info.flags & SOLO_DEVICE_SURVIVES_FORK)) return 0;
  int known =
      solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices in devices.c */
  for (int i = 0; i < known; i++)
    if (solo_devices[i] != device && solo_devices[i]->backend == device->backend) return 0;
  return cpu_tables == 1;
}

static void set_table(solo_device *device, solo_fptr_table *table) {
  solo_fptr_table *old = solo_load_relaxed(&device->fptr); /* relaxed: lock held */
  if (!solo_device_has_rtl(device)) {
    solo_lock_acquire(&only_lock);
    cpu_tables += (table != NULL) - (old != NULL);
    /* The table is complete; pairs with solo_function_in_kernel (abi/fptr_device.c). */
    solo_store_release(&solo_fptr_only, table && is_only_one(device) ? table : NULL);
    solo_lock_release(&only_lock);
  }
  /* Invariant: a published table is complete, and its memory stays until close.
   * Ordering:  pairs with the acquire load in solo_fptr_translate().
   * Otherwise: a reader could call a wrong address.
   */
  solo_store_release(&device->fptr, table);
}

static solo_status add(solo_fptr_list *list, uint64_t host, uint64_t device) {
  return solo_fptr_list_add(list, host, device)
             ? SOLO_OK
             : solo_fail(SOLO_NOMEM, "no host memory for a function-pointer table");
}

/* An indirect function or vtable. value: its device address, read from a device global. */
typedef struct found {
  uint64_t host, slots; /* slots: bytes of a vtable; 0: a function */
  uint64_t value;
} found;

/* Finds the offload entry of a function in the image. The entry contains the function's address,
 * which GPU drivers do not return. */
static solo_status find_entry_of(solo_device *device, solo_module *module, const char *name,
                                 solo_devptr *out_at) {
  static const char *const prefixes[] = {".omp_offloading.entry.", ".offloading.entry."};
  solo_status status = SOLO_NOT_FOUND;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && status == SOLO_NOT_FOUND; i++) {
    char symbol[512];
    uint64_t bytes;
    int length = snprintf(symbol, sizeof symbol, "%s%s", prefixes[i], name);
    if (length > 0 && (size_t)length < sizeof symbol)
      status = SOLO_OP(device->backend, module_global)(module->handle, symbol, out_at, &bytes);
  }
  return status;
}

static solo_status read_entry(solo_device *device, solo_module *module, const solo_entry *entry,
                              found *f) {
  solo_devptr at;
  uint64_t bytes;
  solo_status status =
      SOLO_OP(device->backend, module_global)(module->handle, entry->name, &at, &bytes);
  if (status == SOLO_NOT_FOUND && !entry->size && solo_device_has_rtl(device))
    status = find_entry_of(device, module, entry->name, &at);
  if (status == SOLO_NOT_FOUND)
    return solo_fail(status,
                     "indirect function or vtable %s is not in the image for device %d: its host "
                     "address cannot be translated",
                     entry->name, device->number);
  if (status != SOLO_OK) return status;
  *f = (found){(uintptr_t)entry->address, 0, at};
  if (entry->flags & SOLO_ENTRY_VTABLE) f->slots = entry->size;
  /* on a CPU, `at` is the address of the function itself */
  if (entry->size == 0 && !solo_device_has_rtl(device)) return SOLO_OK;
  SOLO_INFO(SOLO_INFO_TRANSFER, device->number,
            "Copying data from device to host, TgtPtr=0x%llx, HstPtr=%p, Size=%zu, Name=%s",
            (unsigned long long)at, (void *)&f->value, sizeof f->value, entry->name);
  return solo_queue_copy_unreported(device, device->shared_queue, (uintptr_t)&f->value, at,
                                    sizeof f->value, SOLO_COPY_OUT);
}

/* Maps one byte of the function, so that a kernel argument with a function pointer is translated
 * like a data pointer. A longer range could overlap the next function. */
static solo_status map_function(solo_device *device, uint64_t host, uint64_t value) {
  const solo_mapping_new what = {.begin = (uintptr_t)host,
                                 .end = (uintptr_t)host + 1,
                                 .base = (uintptr_t)host,
                                 .device = value,
                                 .counts = SOLO_COUNT_DYNAMIC,
                                 .name = "(indirect function)",
                                 .flags = SOLO_MAPPING_GLOBAL};
  solo_mapping *mapping;
  uint64_t version;
  solo_index_range clash;
  solo_status status = solo_mapping_insert(&device->mappings, &what, &mapping, &version, &clash);
  /* overlap: another library's copy of the function is mapped already */
  return status == SOLO_OVERLAP ? SOLO_OK : status;
}

/* Removes the function mappings of the module. If another module has the function, maps that
 * module's copy. */
static void unmap_functions(solo_device *device, const solo_module *leaving) {
  for (size_t i = 0; i < leaving->pairs.count; i++) {
    const solo_fptr_pair *pair = &leaving->pairs.pairs[i];
    if (!solo_mapping_remove_global(&device->mappings, (uintptr_t)pair->host,
                                    (uint64_t)pair->device))
      continue;
    for (solo_module *m = device->modules; m; m = m->next)
      for (size_t k = 0; m != leaving && k < m->pairs.count; k++)
        if (m->pairs.pairs[k].host == pair->host &&
            map_function(device, (uint64_t)pair->host, (uint64_t)m->pairs.pairs[k].device) !=
                SOLO_OK)
          solo_debug(1, "device %d: %s", device->number, solo_error_last()->text);
  }
}

static solo_status add_found(solo_device *device, solo_module *module, const found *f) {
  if (!f->slots) {
    SOLO_TRY(add(&module->pairs, f->host, f->value));
    return map_function(device, f->host, f->value);
  }
  for (uint64_t slot = 0; slot < f->slots; slot += sizeof(void *))
    SOLO_TRY(add(&module->pairs, f->host + slot, f->value + slot));
  return SOLO_OK;
}

static size_t next_entry(const solo_library_source *source, size_t i, solo_entry *entry) {
  for (; i < source->entry_count; i++) {
    source->read_entry(source->entries, i, entry);
    if ((entry->flags & FLAGS) && entry->address && entry->name) break;
  }
  return i;
}

static solo_status collect(solo_device *device, solo_module *module) {
  const solo_library_source *source = &module->library->source;
  solo_entry entry;
  size_t count = 0, known = 0;
  for (size_t i = 0; (i = next_entry(source, i, &entry)) < source->entry_count; i++) count++;
  if (!count) return SOLO_OK;
  found *all = malloc(count * sizeof *all);
  if (!all) return solo_fail(SOLO_NOMEM, "no host memory for %zu function pointers", count);
  solo_status status = SOLO_OK;
  for (size_t i = 0; (i = next_entry(source, i, &entry)) < source->entry_count; i++) {
    status = read_entry(device, module, &entry, &all[known]);
    if (status != SOLO_OK) break;
    known++;
  }
  solo_status copied = solo_queue_sync_unreported(device, device->shared_queue);
  if (status == SOLO_OK) status = copied;
  for (size_t i = 0; i < known && status == SOLO_OK; i++)
    status = add_found(device, module, &all[i]);
  free(all);
  return status;
}

/* Does nothing if the module has no such global, or if the global is too small. */
static solo_status write_global(solo_device *device, solo_module *module, const char *name,
                                uint64_t at, const uint64_t *words, uint64_t bytes) {
  solo_devptr address;
  uint64_t size;
  solo_status status =
      SOLO_OP(device->backend, module_global)(module->handle, name, &address, &size);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  return size >= at + bytes ? solo_module_write(device, address + at, words, bytes) : SOLO_OK;
}

static solo_status write_table(solo_device *device, solo_module *module, const solo_block *block,
                               uint64_t count) {
  const uint64_t head = block ? block->address : 0;
  const uint64_t words[] = {block ? head + sizeof(solo_fptr_pair) : 0, count};
  SOLO_TRY(write_global(device, module, "solo_fptr_map", 0, &head, 8));
  SOLO_TRY(write_global(device, module, "__omp_offloading_fptr_map_p", 0, &words[0], 8));
  SOLO_TRY(write_global(device, module, "__omp_offloading_fptr_map_size", 0, &words[1], 8));
  return write_global(device, module, "__omp_rtl_device_environment", ENVIRONMENT_TABLE_AT, words,
                      16);
}

static void retire(solo_device *device, solo_fptr_table *table, solo_block *block, int complete) {
  if (!table) return;
  retired *r = malloc(sizeof *r);
  if (!r) return; /* leaks the table, because a thread may still read it */
  *r = (retired){device->fptr_retired, table, block, complete};
  device->fptr_retired = r;
}

/* If a retired table has the same pairs, replaces *table by it, so that repeated loading does not
 * accumulate tables. */
static int revive(solo_device *device, solo_fptr_table **table, solo_block **out_block) {
  size_t bytes = (*table)->count * sizeof *(*table)->sorted;
  for (retired **link = &device->fptr_retired, *r; (r = *link); link = &r->next) {
    if (!r->complete || r->table->count != (*table)->count ||
        (bytes && memcmp(r->table->sorted, (*table)->sorted, bytes) != 0))
      continue;
    solo_fptr_table_free(*table);
    *table = r->table;
    *out_block = r->block;
    *link = r->next;
    free(r);
    return 1;
  }
  return 0;
}

static solo_status copy_to_device(solo_device *device, const solo_fptr_table *table,
                                  solo_block **out_block) {
  uint64_t bytes = (table->count + 1) * sizeof *table->sorted;
  if (!table->count) return SOLO_OK;
  SOLO_TRY(solo_pool_allocate(device, bytes, out_block));
  return solo_module_write(device, (*out_block)->address, table->sorted - 1, bytes);
}

static solo_status publish(solo_device *device, solo_fptr_table *table) {
  solo_block *block = NULL;
  solo_status status = SOLO_OK;
  if (!revive(device, &table, &block)) status = copy_to_device(device, table, &block);
  for (solo_module *m = device->modules; m && status == SOLO_OK; m = m->next)
    if (m->handle) status = write_table(device, m, block, table->count);
  if (status != SOLO_OK) {
    /* some modules may already contain the block's address, so the block is not freed */
    retire(device, table, block, 0);
    return status;
  }
  solo_fptr_table *old = solo_load_relaxed(&device->fptr); /* relaxed: lock held */
  set_table(device, table);
  retire(device, old, device->fptr_block, 1);
  device->fptr_block = block;
  return SOLO_OK;
}

static solo_status publish_pairs(solo_device *device, const solo_fptr_pair *pairs, size_t count) {
  solo_fptr_table *table = solo_fptr_table_new(pairs, count);
  if (!table)
    return solo_fail(SOLO_NOMEM, "no host memory for a table of %zu function pointers", count);
  return publish(device, table);
}

/* Publishes all pairs. Pairs of modules are first: of equal host addresses, the first is used. */
static solo_status rebuild(solo_device *device) {
  size_t count = device->fptr_added.count;
  for (solo_module *m = device->modules; m; m = m->next) count += m->pairs.count;
  solo_fptr_pair *all = malloc((count ? count : 1) * sizeof *all);
  if (!all) return solo_fail(SOLO_NOMEM, "no host memory for %zu function pointers", count);
  size_t at = 0;
  for (solo_module *m = device->modules; m; m = m->next)
    for (size_t i = 0; i < m->pairs.count; i++) all[at++] = m->pairs.pairs[i];
  for (size_t i = 0; i < device->fptr_added.count; i++) all[at++] = device->fptr_added.pairs[i];
  solo_status status = publish_pairs(device, all, count);
  free(all);
  return status;
}

solo_status solo_fptr_library_loaded(solo_device *device, solo_module *module) {
  SOLO_TRY(collect(device, module));
  if (module->pairs.count) return rebuild(device);
  /* the module's code may call functions of other modules, so it receives the whole table */
  const solo_fptr_table *table = solo_load_relaxed(&device->fptr); /* relaxed: lock held */
  return table && table->count ? write_table(device, module, device->fptr_block, table->count)
                               : SOLO_OK;
}

void solo_fptr_library_leaving(solo_device *device, solo_module *module) {
  if (!module->pairs.count) return;
  unmap_functions(device, module);
  solo_fptr_list_free(&module->pairs);
  if (rebuild(device) != SOLO_OK)
    solo_debug(1, "device %d: function pointers: %s", device->number, solo_error_last()->text);
}

static solo_status add_pair(solo_fptr_list *added, const solo_fptr_pair *pair) {
  for (size_t i = 0; i < added->count; i++)
    if (added->pairs[i].host == pair->host) {
      added->pairs[i] = *pair;
      return SOLO_OK;
    }
  return add(added, (uint64_t)pair->host, (uint64_t)pair->device);
}

solo_status solo_fptr_add(solo_device *device, const solo_fptr_pair *pairs, size_t count) {
  solo_device_lock(device);
  solo_status status = SOLO_OK;
  for (size_t i = 0; i < count && status == SOLO_OK; i++)
    status = add_pair(&device->fptr_added, &pairs[i]);
  if (status == SOLO_OK) status = rebuild(device);
  if (status != SOLO_OK) solo_error_set_device(device->number);
  solo_lock_release(&device->lock);
  return status;
}

solo_status solo_fptr_set(solo_device *device, const solo_fptr_pair *pairs, size_t count) {
  solo_device_lock(device);
  solo_status status = publish_pairs(device, pairs, count);
  if (status != SOLO_OK) solo_error_set_device(device->number);
  solo_lock_release(&device->lock);
  return status;
}

void solo_fptr_close(solo_device *device) {
  retire(device, solo_load_relaxed(&device->fptr), device->fptr_block, 1); /* relaxed: one thread */
  set_table(device, NULL);
  device->fptr_block = NULL;
  solo_fptr_list_free(&device->fptr_added);
  while (device->fptr_retired) {
    retired *r = device->fptr_retired;
    device->fptr_retired = r->next;
    solo_fptr_table_free(r->table);
    if (r->block) solo_pool_free(device, r->block);
    free(r);
  }
}
