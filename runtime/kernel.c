/* The kernel tables of kernel.h. */
#include "runtime/kernel.h"

#include "runtime/base/early.h"
#include "runtime/module.h"
#include "runtime/rtl.h"

enum { FIRST_SLOTS = 16 };

static void put(solo_kernel_table *table, const void *key, solo_kernel *kernel) {
  size_t i = solo_kernel_hash(key);
  for (;; i++) {
    solo_kernel_slot *slot = &table->slots[i & table->mask];
    uintptr_t found = solo_load_relaxed(&slot->key); /* writers hold the device's lock */
    if (found && found != (uintptr_t)key) continue;
    solo_store_release(&slot->value, kernel); /* pairs with solo_kernel_get */
    if (!found) {
      table->used++;
      solo_store_release(&slot->key, (uintptr_t)key); /* pairs with solo_kernel_get */
    }
    return;
  }
}

/* Makes room for one more; nonzero: no memory. */
static int grow(solo_device *device) {
  solo_kernel_table *old = solo_load_relaxed(&device->kernels); /* writers hold the lock */
  if (old && old->used * 2 <= old->mask) return 0;
  size_t slots = old ? (old->mask + 1) * 2 : FIRST_SLOTS;
  solo_kernel_table *table = solo_early_alloc(sizeof *table + slots * sizeof table->slots[0]);
  if (!table) return 1;
  table->mask = slots - 1;
  table->retired = old;
  for (size_t i = 0; old && i <= old->mask; i++) {
    solo_kernel *kernel = solo_load_relaxed(&old->slots[i].value); /* likewise */
    if (kernel) put(table, kernel->key, kernel);
  }
  solo_store_release(&device->kernels, table); /* pairs with solo_kernel_get */
  return 0;
}

/* A kernel of the module, described; the device's lock is held. */
static solo_status describe(solo_device *device, solo_module *module, const solo_entry *entry,
                            solo_kernel **out_kernel) {
  solo_kernel *kernel = solo_early_alloc(sizeof *kernel);
  if (!kernel) return solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  solo_status status = SOLO_OP(device->backend, module_kernel)(
      module->handle, entry->name, &kernel->handle, &kernel->attributes);
  if (status == SOLO_NOT_FOUND)
    status =
        solo_fail(status,
                  "the image on device %d (%s) has no kernel %s: were host and device parts of "
                  "the program compiled from the same sources?",
                  device->number, device->info.arch, entry->name);
  kernel->key = entry->address;
  kernel->library = module->library;
  if (status == SOLO_OK && solo_device_has_rtl(device))
    status = solo_rtl_kernel_environment(device, module, entry->name, kernel);
  if (status == SOLO_OK && grow(device))
    status = solo_fail(SOLO_NOMEM, "no host memory for kernel %s", entry->name);
  if (status != SOLO_OK) {
    solo_early_free(kernel);
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

static solo_status resolve_in(solo_device *device, solo_library *library, const solo_entry *entry,
                              solo_kernel **out_kernel) {
  *out_kernel = known(device, entry->address);
  if (*out_kernel) return SOLO_OK;
  solo_module *module;
  SOLO_TRY(solo_module_get(device, library, &module));
  SOLO_TRY(describe(device, module, entry, out_kernel));
  (*out_kernel)->next = device->all_kernels;
  device->all_kernels = *out_kernel;
  put(solo_load_relaxed(&device->kernels), entry->address, *out_kernel); /* lock held */
  return SOLO_OK;
}

solo_status solo_kernel_resolve(solo_device *device, const void *key, solo_kernel **out_kernel) {
  solo_status status = SOLO_NOT_FOUND;
  solo_library *library = solo_registry_next(NULL);
  solo_entry entry;
  while (library && !solo_library_find_kernel(library, key, &entry))
    library = solo_registry_next(library);
  if (!library)
    return solo_fail(SOLO_NOT_FOUND,
                     "no registered image has an entry for the region with key %p: was the program "
                     "linked without its device code (solo-link, or clang's linker wrapper)?",
                     key);
  solo_lock_acquire(&device->lock);
  status = resolve_in(device, library, &entry, out_kernel);
  solo_lock_release(&device->lock);
  solo_registry_release(library);
  return status;
}

void solo_kernel_forget(solo_device *device, const solo_library *library) {
  solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* lock held */
  for (size_t i = 0; table && i <= table->mask; i++) {
    solo_kernel *kernel = solo_load_relaxed(&table->slots[i].value); /* likewise */
    if (kernel && kernel->library == library)
      solo_store_release(&table->slots[i].value, NULL); /* pairs with solo_kernel_get */
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
  for (solo_kernel *k = device->all_kernels, *next; k; k = next) {
    next = k->next;
    solo_early_free(k);
  }
  device->all_kernels = NULL;
}
