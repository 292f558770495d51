/* Loading a library on a device. */
#include "runtime/module.h"

#include "runtime/base/log.h"
#include "runtime/fptr.h"
#include "runtime/image/image.h"
#include "runtime/kernel.h"
#include "runtime/rtl.h"
#include <stdio.h>
#include <stdlib.h>

/* The walk over a library's images, twice: first to find the best, then to load it (an unwrapped
 * image may live only as long as the visit). */
typedef struct choice {
  solo_device *device;
  solo_module *module;
  size_t seen, best;
  uint32_t best_score;
  size_t count;
  char refused[SOLO_REASON_TEXT];
} choice;

static void refuse(choice *c, const solo_image *image, const char *why) {
  char what[96];
  if (image) solo_image_describe(image, what, sizeof what);
  else snprintf(what, sizeof what, "not readable");
  size_t used = strlen(c->refused);
  snprintf(c->refused + used, sizeof c->refused - used, "%simage %zu: %s: %s", used ? "; " : "",
           c->seen, what, why);
}

static solo_status judge(void *context, const solo_image *image) {
  choice *c = context;
  c->seen++;
  char why[160] = "this kind of device runs no such image";
  uint32_t score = 0;
  if (SOLO_OP(c->device->backend, image_recognise)(image))
    score = SOLO_OP(c->device->backend, image_score)(c->device->handle, image, why, sizeof why);
  if (score > c->best_score) {
    c->best_score = score;
    c->best = c->seen;
  }
  if (!score) refuse(c, image, why);
  return SOLO_OK;
}

static solo_status load_best(void *context, const solo_image *image) {
  choice *c = context;
  if (++c->seen != c->best) return SOLO_OK;
  return SOLO_OP(c->device->backend, module_load)(c->device->handle, image, &c->module->handle);
}

static solo_status visit_images(choice *c, solo_image_visitor *visitor) {
  const solo_library_source *source = &c->module->library->source;
  c->seen = 0;
  for (size_t i = 0; i < source->image_count; i++) {
    size_t before = c->seen;
    solo_status status =
        solo_image_visit(source->read_image(source->images, i), visitor, c);
    if (status == SOLO_OK) continue;
    if (visitor == load_best) return status;
    if (c->seen == before) c->seen++;
    refuse(c, NULL, solo_error_last()->text);
  }
  return SOLO_OK;
}

static solo_status choose_and_load(solo_device *device, solo_module *module) {
  choice c = {.device = device, .module = module};
  SOLO_TRY(visit_images(&c, judge));
  if (!c.best_score)
    return solo_fail(SOLO_INCOMPATIBLE, "no image fits device %d (%s, %s): %s", device->number,
                     device->backend->name, device->info.arch,
                     c.refused[0] ? c.refused : "the program carries no image");
  return visit_images(&c, load_best);
}

static int ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && memcmp(text + a - b, end, b) == 0;
}

/* A declare target variable: host range <-> device symbol, for as long as the library is there. */
static solo_status map_global(solo_device *device, solo_module *module, const solo_entry *entry) {
  solo_devptr address;
  uint64_t bytes;
  solo_status status =
      SOLO_OP(device->backend, module_global)(module->handle, entry->name, &address, &bytes);
  if (status == SOLO_NOT_FOUND)
    return solo_fail(status, "declare target variable %s is not in the image for device %d",
                     entry->name, device->number);
  if (status != SOLO_OK) return status;
  if (bytes && bytes != entry->size)
    return solo_fail(SOLO_BAD_IMAGE,
                     "declare target variable %s has %llu bytes on the host and %llu in the image "
                     "for device %d",
                     entry->name, (unsigned long long)entry->size, (unsigned long long)bytes,
                     device->number);
  if ((module->library->requirements & SOLO_REQUIRES_UNIFIED_SHARED_MEMORY) &&
      ends_with(entry->name, "_decl_tgt_ref_ptr")) {
    /* under unified shared memory the device reaches the host's variable through this pointer */
    return solo_rtl_write(device, address, entry->address, sizeof(void *));
  }
  uintptr_t begin = (uintptr_t)entry->address;
  solo_mapping_new what = {.begin = begin,
                           .end = begin + entry->size,
                           .base = begin,
                           .device = address,
                           .counts = SOLO_COUNT_DYNAMIC,
                           .name = entry->name,
                           .flags = SOLO_MAPPING_GLOBAL};
  solo_mapping *mapping;
  solo_index_range clash;
  status = solo_mapping_insert(&device->mappings, &what, &mapping, &clash);
  if (status == SOLO_OVERLAP && clash.begin == begin && clash.end == begin + entry->size)
    return SOLO_OK; /* one variable, weak in several libraries: the first copy serves */
  if (status == SOLO_OVERLAP)
    return solo_fail(status,
                     "declare target variable %s (%p, %llu bytes) overlaps a mapping of %p, %zu "
                     "bytes on device %d",
                     entry->name, entry->address, (unsigned long long)entry->size,
                     (void *)clash.begin, (size_t)(clash.end - clash.begin), device->number);
  return status;
}

static solo_status load_data(solo_device *device, solo_module *module) {
  const solo_library_source *source = &module->library->source;
  for (size_t i = 0; i < source->entry_count; i++) {
    solo_entry entry;
    source->read_entry(source->entries, i, &entry);
    if (!entry.name || (entry.flags & (SOLO_ENTRY_REQUIRES | SOLO_ENTRY_INDIRECT |
                                       SOLO_ENTRY_VTABLE)))
      continue;
    if (entry.size && entry.address) SOLO_TRY(map_global(device, module, &entry));
    else if (!entry.size && (entry.flags & SOLO_ENTRY_CTOR))
      SOLO_TRY(solo_rtl_run_plain(device, module, entry.name));
  }
  return SOLO_OK;
}

static void unload_data(solo_device *device, solo_module *module) {
  const solo_library_source *source = &module->library->source;
  for (size_t i = 0; i < source->entry_count; i++) {
    solo_entry entry;
    source->read_entry(source->entries, i, &entry);
    if (!entry.name || (entry.flags & (SOLO_ENTRY_REQUIRES | SOLO_ENTRY_INDIRECT |
                                       SOLO_ENTRY_VTABLE)))
      continue;
    solo_block *block = NULL;
    solo_status status = SOLO_OK;
    if (entry.size && entry.address)
      status = solo_mapping_remove_infinite(&device->mappings, (uintptr_t)entry.address,
                                            SOLO_MAPPING_GLOBAL, &block);
    else if (!entry.size && (entry.flags & SOLO_ENTRY_DTOR))
      status = solo_rtl_run_plain(device, module, entry.name);
    if (status != SOLO_OK)
      solo_debug(1, "unloading %s on device %d: %s", entry.name, device->number,
                 solo_status_text(status));
  }
}

static solo_status load(solo_device *device, solo_module *module) {
  SOLO_TRY(choose_and_load(device, module));
  if (device->info.flags & SOLO_DEVICE_HAS_RTL) SOLO_TRY(solo_rtl_module_loaded(device, module));
  solo_library_scan(module->library);
  if (module->library->has_data) {
    SOLO_TRY(load_data(device, module));
    SOLO_TRY(solo_fptr_library_loaded(device, module));
  }
  return SOLO_OK;
}

solo_status solo_module_get(solo_device *device, solo_library *library, solo_module **out_module) {
  solo_module *module = device->modules;
  while (module && module->library != library) module = module->next;
  if (!module) {
    module = calloc(1, sizeof *module);
    if (!module)
      return solo_fail(SOLO_NOMEM, "no host memory to load an image on device %d", device->number);
    module->library = library;
    module->next = device->modules;
    device->modules = module;
    module->status = load(device, module);
    if (module->status != SOLO_OK)
      snprintf(module->reason, sizeof module->reason, "%s", solo_error_last()->text);
    solo_debug(1, "device %d: library %p %s%s", device->number, library->source.key,
               module->status == SOLO_OK ? "loaded" : "not loaded: ", module->reason);
  }
  if (module->status != SOLO_OK) {
    solo_fail(module->status, "%s", module->reason);
    solo_error_set_device(device->number);
    return module->status;
  }
  *out_module = module;
  return SOLO_OK;
}

void solo_module_unload(solo_device *device, solo_module *module) {
  solo_module **link = &device->modules;
  while (*link != module) link = &(*link)->next;
  *link = module->next;
  solo_kernel_forget(device, module->library);
  if (module->handle) {
    if (module->library->has_data) {
      solo_fptr_library_leaving(device, module);
      unload_data(device, module);
    }
    if (device->info.flags & SOLO_DEVICE_HAS_RTL) solo_rtl_module_leaving(device, module);
    SOLO_OP(device->backend, module_unload)(device->handle, module->handle);
  }
  free(module);
}
