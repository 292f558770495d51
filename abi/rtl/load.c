/* Images that the program registers: one library per image, one table per device and image. */
#include "abi/rtl/load.h"

#include "abi/tgt_upgrade.h"
#include "runtime/device/devices.h"
#include "runtime/device/load.h"
#include "runtime/device/resolve.h"
#include <stdlib.h>

_Static_assert(sizeof(__tgt_device_image) == sizeof(tgt_device_image), "the same struct");

typedef struct loaded {
  struct loaded *next;
  const solo_device *device;
  uint32_t opening;
  const void *image;
  tgt_target_table table;
  solo_status status; /* not SOLO_OK: the table is incomplete, so the program does not receive it */
} loaded;

typedef struct owned_library {
  struct owned_library *next;
  tgt_bin_desc descriptor;
  tgt_device_image image;
} owned_library;

static solo_lock tables_lock = SOLO_LOCK_INIT(SOLO_RANK_RTL_TABLES);
static loaded *tables;
static owned_library *owned;

/* Returns the library of an image, acquired; the caller releases it. */
static solo_library *find_library(const void *start) {
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l))
    for (size_t i = 0; i < l->source.image_count; i++)
      if (l->source.read_image(l->source.images, i).data == start) return l;
  return NULL;
}

static solo_status register_image(const __tgt_device_image *image) {
  owned_library *o = calloc(1, sizeof *o);
  if (!o) return solo_fail(SOLO_NOMEM, "no host memory for an image's registration");
  o->image = (tgt_device_image){image->ImageStart, image->ImageEnd, image->EntriesBegin,
                                image->EntriesEnd};
  o->descriptor = (tgt_bin_desc){1, &o->image, image->EntriesBegin, image->EntriesEnd};
  solo_library_source source;
  solo_status status = tgt_read_descriptor(&o->descriptor, &source);
  if (status == SOLO_OK) status = solo_registry_add(&source);
  if (status != SOLO_OK) {
    free(o);
    return status;
  }
  o->next = owned;
  owned = o;
  return SOLO_OK;
}

static void *function_address(const solo_module *module, const void *host) {
  for (size_t i = 0; i < module->pairs.count; i++)
    if (module->pairs.pairs[i].host == (int64_t)(uintptr_t)host)
      return (void *)(uintptr_t)module->pairs.pairs[i].device;
  return NULL;
}

/* Sets out->address; NULL if the device lacks the entry. The key of a kernel is the address `out`. Its host address is
 * unsuitable as a key, because entries of other images may have the same host address. */
static solo_status entry_address(solo_device *device, solo_module *module, const solo_entry *entry,
                                 tgt_target_entry *out) {
  solo_status status;
  if (entry->size == 0 && !entry->flags) {
    solo_kernel *kernel;
    status = solo_kernel_of(device, module->library, entry->name, out, &kernel);
    if (status == SOLO_OK) out->address = kernel;
  } else if (entry->size == 0 && (entry->flags & SOLO_ENTRY_INDIRECT)) {
    out->address = function_address(module, entry->address);
    status = SOLO_OK;
  } else {
    solo_devptr address;
    uint64_t bytes;
    status = SOLO_OP(device->backend, module_global)(module->handle, entry->name, &address, &bytes);
    if (status == SOLO_OK) out->address = (void *)(uintptr_t)address;
  }
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}

static solo_status fill(solo_device *device, solo_library *library, tgt_target_entry *entries) {
  solo_module *module;
  solo_device_lock(device);
  solo_status status = solo_module_get(device, library, &module);
  solo_lock_release(&device->lock);
  for (size_t i = 0; i < library->source.entry_count && status == SOLO_OK; i++) {
    solo_entry entry;
    library->source.read_entry(library->source.entries, i, &entry);
    entries[i] = (tgt_target_entry){.name = entry.name, .size = entry.size};
    if (entry.name && !(entry.flags & SOLO_ENTRY_REQUIRES))
      status = entry_address(device, module, &entry, &entries[i]);
  }
  return status;
}

static int has_kernels(const tgt_target_entry *entries, size_t count) {
  size_t i = 0;
  while (entries && i < count && (entries[i].size || !entries[i].address)) i++;
  return entries && i < count;
}

static solo_status make(solo_device *device, solo_library *library, const void *image,
                        loaded **out_loaded) {
  size_t count = library->source.entry_count;
  loaded *l = calloc(1, sizeof *l);
  tgt_target_entry *entries = calloc(count + 1, sizeof *entries);
  solo_status status = l && entries ? fill(device, library, entries)
                                    : solo_fail(SOLO_NOMEM, "no host memory for an address table");
  if (!l || (status != SOLO_OK && !has_kernels(entries, count))) {
    free(l);
    free(entries);
    return status;
  }
  *l = (loaded){tables, device, device->openings, image, {entries, entries + count}, status};
  tables = l; /* even an incomplete table, because kernels use addresses in it as keys */
  *out_loaded = l;
  return status;
}

/* Unregisters an image that no device could load. Otherwise the image would hide a valid image with
 * the same entries. Preserves the last error. */
static void drop(const void *image) {
  for (const loaded *l = tables; l; l = l->next)
    if (l->image == image && l->status == SOLO_OK) return;
  owned_library **link = &owned;
  while (*link && (*link)->image.image_start != image) link = &(*link)->next;
  owned_library *o = *link;
  if (!o) return;
  *link = o->next;
  solo_saved_error reason;
  solo_error_save(&reason);
  solo_library *library = solo_registry_remove(&o->descriptor);
  if (library) solo_device_unload_library(library);
  free(o);
  (void)solo_error_restore(&reason);
}

static solo_status load(solo_device *device, const __tgt_device_image *image, loaded **out_loaded) {
  for (loaded *l = tables; l; l = l->next)
    if (l->device == device && l->opening == device->openings && l->image == image->ImageStart &&
        l->status == SOLO_OK) {
      *out_loaded = l;
      return SOLO_OK;
    }
  solo_library *library = find_library(image->ImageStart);
  if (!library) {
    SOLO_TRY(register_image(image));
    library = find_library(image->ImageStart);
    if (!library) return solo_fail(SOLO_INTERNAL, "a registered image is not found");
  }
  solo_device *ready;
  solo_status status = solo_device_get(device->number, &ready);
  if (status == SOLO_OK) status = make(device, library, image->ImageStart, out_loaded);
  solo_registry_release(library);
  if (status != SOLO_OK) drop(image->ImageStart);
  return status;
}

solo_status tgt_rtl_load(solo_device *device, const __tgt_device_image *image,
                         tgt_target_table **out_table) {
  if (!image || !image->ImageStart || (char *)image->ImageEnd < (char *)image->ImageStart)
    return solo_fail(SOLO_INVALID,
                     "__tgt_rtl_load_binary: the image is NULL or its end precedes its start");
  loaded *l = NULL;
  solo_lock_acquire(&tables_lock);
  solo_status status = load(device, image, &l);
  solo_lock_release(&tables_lock);
  if (status == SOLO_OK) *out_table = &l->table;
  return status;
}
