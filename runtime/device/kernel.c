#include "runtime/device/kernel.h"

#include "runtime/base/early.h"

enum { FIRST_SLOTS = 16 };

/* Returns the slot of the key; else a slot of an unloaded kernel; else the first empty slot. */
static solo_kernel_slot *slot_for(solo_kernel_table *table, uintptr_t key) {
  solo_kernel_slot *forgotten = NULL;
  for (size_t i = solo_kernel_hash((const void *)key);; i++) {
    solo_kernel_slot *slot = &table->slots[i & table->mask];
    uintptr_t found = solo_load_relaxed(&slot->key); /* relaxed, all: lock held */
    if (found == key) return slot;
    if (!found) return forgotten ? forgotten : slot;
    if (!forgotten && !solo_load_relaxed(&slot->value)) forgotten = slot;
  }
}

static void put(solo_kernel_table *table, uintptr_t key, solo_kernel *kernel) {
  solo_kernel_slot *slot = slot_for(table, key);
  if (!solo_load_relaxed(&slot->key)) table->used++; /* relaxed: lock held */
  /* the value before the key; pairs with solo_kernel_get */
  solo_store_release(&slot->value, kernel);
  /* Invariant: a slot's value is stored before its key.
   * Ordering:  pairs with the acquire load in solo_kernel_get().
   * Otherwise: a reader could use the slot's previous kernel. The comparison with the kernel
   *            record's key also prevents this.
   */
  solo_store_release(&slot->key, key);
}

static void put_all(solo_device *device, solo_kernel_table *table) {
  for (solo_kernel *k = device->all_kernels; k; k = k->next)
    put(table, solo_load_relaxed(&k->key), k); /* relaxed: lock held */
}

/* If most slots belong to unloaded kernels, clears and refills the table in place. A reader that
 * misses its key meanwhile retries with the lock. */
static int swept(solo_device *device, solo_kernel_table *table) {
  size_t live = 0;
  for (solo_kernel *k = device->all_kernels; k; k = k->next) live++;
  if (live * 4 > table->mask) return 0;
  for (size_t i = 0; i <= table->mask; i++) {
    solo_store_release(&table->slots[i].value, NULL); /* pairs with solo_kernel_get */
    solo_store_release(&table->slots[i].key, 0);
  }
  table->used = 0;
  put_all(device, table);
  return 1;
}

/* Ensures a free slot. Returns nonzero if no memory is left. */
static int grow(solo_device *device) {
  solo_kernel_table *old = solo_load_relaxed(&device->kernels); /* relaxed: lock held */
  if (old && (old->used * 2 <= old->mask || swept(device, old))) return 0;
  size_t slots = old ? (old->mask + 1) * 2 : FIRST_SLOTS;
  solo_kernel_table *table = solo_early_allocate(sizeof *table + slots * sizeof table->slots[0]);
  if (!table) return 1;
  table->mask = slots - 1;
  table->retired = old;
  put_all(device, table);
  /* Invariant: a published table is filled, and stays until close.
   * Ordering:  pairs with the acquire load in solo_kernel_get().
   * Otherwise: a reader could read uninitialised slots.
   */
  solo_store_release(&device->kernels, table);
  return 0;
}

solo_kernel *solo_kernel_allocate(solo_device *device) {
  solo_kernel *kernel = device->free_kernels;
  if (kernel)
    device->free_kernels = kernel->next;
  else
    kernel = solo_early_allocate(sizeof *kernel);
  if (!kernel) return NULL;
  const size_t described = offsetof(solo_kernel, attributes);
  memset((char *)kernel + described, 0, sizeof *kernel - described);
  return kernel;
}

void solo_kernel_free(solo_device *device, solo_kernel *kernel) {
  kernel->next = device->free_kernels;
  device->free_kernels = kernel;
}

solo_kernel *solo_kernel_find_resolved(const solo_device *device, const void *key) {
  /* relaxed, all: lock held */
  const solo_kernel_table *table = solo_load_relaxed(&device->kernels);
  for (size_t i = solo_kernel_hash(key); table; i++) {
    const solo_kernel_slot *slot = &table->slots[i & table->mask];
    uintptr_t found = solo_load_relaxed(&slot->key);
    if (found == (uintptr_t)key) return solo_load_relaxed(&slot->value);
    if (!found) break;
  }
  return NULL;
}

int solo_kernel_publish(solo_device *device, solo_kernel *kernel, const void *key) {
  if (grow(device)) return 0;
  kernel->next = device->all_kernels;
  device->all_kernels = kernel;
  /* the record is complete; pairs with solo_kernel_get */
  solo_store_release(&kernel->key, (uintptr_t)key);
  put(solo_load_relaxed(&device->kernels), (uintptr_t)key, kernel);
  return 1;
}

void solo_kernel_remove_library(solo_device *device, const solo_library *library) {
  solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* relaxed: lock held */
  solo_kernel **link = &device->all_kernels;
  while (*link) {
    solo_kernel *kernel = *link;
    if (kernel->library != library) {
      link = &kernel->next;
      continue;
    }
    solo_kernel_slot *slot = slot_for(table, solo_load_relaxed(&kernel->key));
    solo_store_release(&slot->value, NULL); /* pairs with solo_kernel_get */
    solo_store_release(&kernel->key, 0);
    *link = kernel->next;
    solo_kernel_free(device, kernel);
  }
}

static void free_list(solo_kernel *first) {
  for (solo_kernel *k = first, *next; k; k = next) {
    next = k->next;
    solo_early_free(k);
  }
}

void solo_kernel_free_all(solo_device *device) {
  solo_kernel_table *table = solo_load_relaxed(&device->kernels); /* relaxed: one thread */
  while (table) {
    solo_kernel_table *older = table->retired;
    solo_early_free(table);
    table = older;
  }
  solo_store_relaxed(&device->kernels, NULL);
  free_list(device->all_kernels);
  free_list(device->free_kernels);
  device->all_kernels = device->free_kernels = NULL;
}
