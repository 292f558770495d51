/* The kernel tables of kernel.h. */
#include "runtime/device/kernel.h"

#include "runtime/base/early.h"
#include "runtime/device/entries.h"
#include "runtime/device/module.h"
#include "runtime/device/rtl.h"

enum { FIRST_SLOTS = 16 };

/* The slot that has the key, else the first forgotten one on the way, else the first empty one. */
static solo_kernel_slot *slot_for(solo_kernel_table *table, uintptr_t key) {
  solo_kernel_slot *forgotten = NULL;
  for (size_t i = solo_kernel_hash((const void *)key);; i++) {
    solo_kernel_slot *slot = &table->slots[i & table->mask];
    uintptr_t found = solo_load_relaxed(&slot->key); /* writers hold the device's lock */
    if (found == key) return slot;
    if (!found) return forgotten ? forgotten : slot;
    if (!forgotten && !solo_load_relaxed(&slot->value)) forgotten = slot; /* likewise */
  }
}

static void put(solo_kernel_table *table, uintptr_t key, solo_kernel *kernel) {
  solo_kernel_slot *slot = slot_for(table, key);
  if (!solo_load_relaxed(&slot->key)) table->used++; /* likewise */
  solo_store_release(&slot->value, kernel);          /* pairs with solo_kernel_get */
  solo_store_release(&slot->key, key);               /* pairs with solo_kernel_get */
}

static void put_all(solo_device *device, solo_kernel_table *table) {
  for (solo_kernel *k = device->all_kernels; k; k = k->next)
    put(table, solo_load_relaxed(&k->key), k); /* lock held */
}

/* Most slots are forgotten ones: fills the table anew, in place. A reader meanwhile finds nothing,
 * or a kernel with another key, and asks under the lock. */
static int swept(solo_device *device, solo_kernel_table *table) {
  size_t live = 0;
  for (solo_kernel *k = device->all_kernels; k; k = k->next) live++;
  if (live * 4 > table->mask) return 0;
  for (size_t i = 0; i <= table->mask; i++) {
    solo_store_release(&table->slots[i].value, NULL); /* pairs with solo_kernel_get */
    solo_store_release(&table->slots[i].key, 0);      /* likewise */
  }
  table->used = 0;
  put_all(device, table);
  return 1;
}

/* Makes room for one more; nonzero: no memory. */
static int grow(solo_device *device) {
  solo_kernel_table *old = solo_load_relaxed(&device->kernels); /* writers hold the lock */
  if (old && (old->used * 2 <= old->mask || swept(device, old))) return 0;
  size_t slots = old ? (old->mask + 1) * 2 : FIRST_SLOTS;
  solo_kernel_table *table = solo_early_alloc(sizeof *table + slots * sizeof table->slots[0]);
  if (!table) return 1;
  table->mask = slots - 1;
  table->retired = old;
  put_all(device, table);
  solo_store_release(&device->kernels, table); /* pairs with solo_kernel_get */
  return 0;
}

/* A kernel of the module, described; the device's lock is held. */
static solo_status describe(solo_device *device, solo_module *module, const solo_entry *entry,
                            solo_kernel **out_kernel) {
  solo_kernel *kernel = device->free_kernels;
  if (kernel)
    device->free_kernels = kernel->next;
  else
    kernel = solo_early_alloc(sizeof *kernel);
  if (!kernel) return solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  const size_t described = offsetof(solo_kernel, attributes);
  memset((char *)kernel + described, 0, sizeof *kernel - described);
  solo_status status = SOLO_OP(device->backend, module_kernel)(
      module->handle, entry->name, &kernel->handle, &kernel->attributes);
  if (status == SOLO_NOT_FOUND)
    status = solo_fail(status, "the image on device %d (%s) has no kernel %s: %s", device->number,
                       device->info.arch, entry->name, solo_entries_mismatch(&module->image));
  kernel->library = module->library;
  if (status == SOLO_OK && solo_device_has_rtl(device))
    status = solo_rtl_kernel_environment(device, module, entry->name, kernel);
  if (status == SOLO_OK && grow(device))
    status = solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  if (status != SOLO_OK) {
    kernel->next = device->free_kernels;
    device->free_kernels = kernel;
    return status;
  }
  size_t length = strlen(entry->name);
  if (length >= sizeof kernel->name) length = sizeof kernel->name - 1;
  memcpy(kernel->name, entry->name, length);
  *out_kernel = kernel;
  return SOLO_OK;
}

/* The lock is held, so another thread that resolved the same kernel is done. */
static solo_kernel *known(const solo_device *device, const void *key) {
  const solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* lock held */
  for (size_t i = solo_kernel_hash(key); table; i++) {
    const solo_kernel_slot *slot = &table->slots[i & table->mask];
    uintptr_t found = solo_load_relaxed(&slot->key);                     /* lock held */
    if (found == (uintptr_t)key) return solo_load_relaxed(&slot->value); /* lock held */
    if (!found) break;
  }
  return NULL;
}

static void publish(solo_device *device, solo_kernel *kernel, uintptr_t key) {
  kernel->next = device->all_kernels;
  device->all_kernels = kernel;
  solo_store_release(&kernel->key, key);                 /* pairs with solo_kernel_get */
  put(solo_load_relaxed(&device->kernels), key, kernel); /* lock held */
}

static solo_status resolve_in(solo_device *device, solo_library *library, const solo_entry *entry,
                              solo_kernel **out_kernel) {
  *out_kernel = known(device, entry->address);
  if (*out_kernel) return SOLO_OK;
  solo_module *module;
  SOLO_TRY(solo_module_get(device, library, &module));
  SOLO_TRY(describe(device, module, entry, out_kernel));
  publish(device, *out_kernel, (uintptr_t)entry->address);
  return SOLO_OK;
}

solo_status solo_kernel_resolve(solo_device *device, const void *key, solo_kernel **out_kernel) {
  solo_entry entry;
  solo_status status = SOLO_OK;
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l)) {
    if (!solo_library_find_kernel(l, key, &entry)) continue;
    solo_device_lock(device);
    status = resolve_in(device, l, &entry, out_kernel);
    solo_lock_release(&device->lock);
    if (status == SOLO_OK) {
      solo_registry_release(l);
      return SOLO_OK;
    }
  }
  return status == SOLO_OK ? solo_entries_missing(key) : status;
}

solo_status solo_kernel_of(solo_device *device, solo_library *library, const char *name,
                           const void *key, solo_kernel **out_kernel) {
  const solo_entry entry = {.address = (void *)(uintptr_t)key, .name = name};
  solo_device_lock(device);
  solo_status status = resolve_in(device, library, &entry, out_kernel);
  solo_lock_release(&device->lock);
  return status;
}

void solo_kernel_forget(solo_device *device, const solo_library *library) {
  solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* lock held */
  solo_kernel **link = &device->all_kernels;
  while (*link) {
    solo_kernel *kernel = *link;
    if (kernel->library != library) {
      link = &kernel->next;
      continue;
    }
    solo_kernel_slot *slot = slot_for(table, solo_load_relaxed(&kernel->key)); /* lock held */
    solo_store_release(&slot->value, NULL); /* pairs with solo_kernel_get */
    solo_store_release(&kernel->key, 0);    /* likewise */
    *link = kernel->next;
    kernel->next = device->free_kernels;
    device->free_kernels = kernel;
  }
}

static void free_list(solo_kernel *first) {
  for (solo_kernel *k = first, *next; k; k = next) {
    next = k->next;
    solo_early_free(k);
  }
}

void solo_kernel_free_all(solo_device *device) {
  solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* nobody else is left */
  while (table) {
    solo_kernel_table *older = table->retired;
    solo_early_free(table);
    table = older;
  }
  solo_store_relaxed(&device->kernels, NULL); /* likewise */
  free_list(device->all_kernels);
  free_list(device->free_kernels);
  device->all_kernels = device->free_kernels = NULL;
}
