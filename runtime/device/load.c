#include "runtime/device/load.h"

#include "runtime/base/debug.h"
#include "runtime/base/early.h"
#include "runtime/device/entries.h"
#include "runtime/device/exit_watch.h"
#include "runtime/device/fptr.h"
#include "runtime/device/kernel.h"
#include "runtime/device/rtl.h"
#include "runtime/image/choose.h"
#include "runtime/trace/observer.h"
#include <stdio.h>
#include <stdlib.h>

static uint32_t score(void *context, const solo_image *image, char *reason, size_t reason_size) {
  const solo_device *device = context;
  if (!SOLO_OP(device->backend, image_recognise)(image)) {
    snprintf(reason, reason_size, "backend %s runs no such image", device->backend->name);
    return 0;
  }
  return SOLO_OP(device->backend, image_score)(device->handle, image, reason, reason_size);
}

static solo_status choose_and_load(solo_device *device, solo_module *module, solo_choice *choice) {
  const solo_library_source *source = &module->library->source;
  if (!source->image_count)
    return solo_fail(SOLO_INCOMPATIBLE, "the program contains no image for any device");
  solo_status status = SOLO_OK;
  for (size_t i = 0; i < source->image_count && status == SOLO_OK; i++)
    status = solo_choice_consider(choice, source->read_image(source->images, i), score, device);
  if (status == SOLO_OK) status = solo_choice_result(choice);
  if (status == SOLO_OK && solo_device_has_rtl(device))
    status = solo_rtl_image_fits(device, &choice->image);
  if (status == SOLO_OK)
    status = SOLO_OP(device->backend, module_load)(device->handle, &choice->image, &module->handle);
  if (status == SOLO_OK) module->image = choice->image;
  return status;
}

static int ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && memcmp(text + a - b, end, b) == 0;
}

/* Maps a declare target variable to its device symbol until the library is unloaded. */
static solo_status map_global(solo_device *device, solo_module *module, const solo_entry *entry) {
  solo_devptr address;
  uint64_t bytes;
  solo_status status =
      SOLO_OP(device->backend, module_global)(module->handle, entry->name, &address, &bytes);
  if (status == SOLO_NOT_FOUND && solo_entries_are_shared(module->library))
    return SOLO_OK; /* another image of the same entry table defines the variable */
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
    /* Under unified shared memory, device code accesses the host's variable through this pointer. */
    return solo_module_write(device, address, entry->address, sizeof(void *));
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
  uint64_t version;
  solo_index_range clash;
  status = solo_mapping_insert(&device->mappings, &what, &mapping, &version, &clash);
  if (status == SOLO_OVERLAP && clash.begin == begin && clash.end == begin + entry->size)
    return SOLO_OK; /* a weak variable of several libraries: the first copy is mapped */
  if (status == SOLO_OVERLAP)
    return solo_fail(status,
                     "declare target variable %s (%p, %llu bytes) overlaps a mapping of %p, %zu "
                     "bytes on device %d",
                     entry->name, entry->address, (unsigned long long)entry->size,
                     (void *)clash.begin, (size_t)(clash.end - clash.begin), device->number);
  return status;
}

typedef enum data_kind { DATA_END, DATA_GLOBAL, DATA_CTOR, DATA_DTOR } data_kind;

static data_kind next_data(const solo_library_source *source, size_t *at, solo_entry *out_entry) {
  const uint32_t other = SOLO_ENTRY_REQUIRES | SOLO_ENTRY_INDIRECT | SOLO_ENTRY_VTABLE;
  while (*at < source->entry_count) {
    source->read_entry(source->entries, (*at)++, out_entry);
    if (!out_entry->name || (out_entry->flags & other)) continue;
    if (out_entry->size && out_entry->address) return DATA_GLOBAL;
    if (!out_entry->size && (out_entry->flags & SOLO_ENTRY_CTOR)) return DATA_CTOR;
    if (!out_entry->size && (out_entry->flags & SOLO_ENTRY_DTOR)) return DATA_DTOR;
  }
  return DATA_END;
}

static solo_status load_data(solo_device *device, solo_module *module) {
  solo_entry entry;
  data_kind kind;
  for (size_t at = 0; (kind = next_data(&module->library->source, &at, &entry)) != DATA_END;) {
    if (kind == DATA_GLOBAL) SOLO_TRY(map_global(device, module, &entry));
    if (kind == DATA_CTOR) SOLO_TRY(solo_module_run(device, module, entry.name));
  }
  return SOLO_OK;
}

static int unmap_global(solo_device *device, solo_module *module, const solo_entry *entry) {
  solo_devptr address;
  uint64_t bytes;
  return SOLO_OP(device->backend, module_global)(module->handle, entry->name, &address, &bytes) ==
             SOLO_OK &&
         solo_mapping_remove_global(&device->mappings, (uintptr_t)entry->address, address);
}

/* Maps variables that an unloaded library shared to the copies in other libraries. */
static void map_globals_again(solo_device *device) {
  for (solo_module *m = device->modules; m; m = m->next) {
    if (m->status != SOLO_OK || !m->library->has_data) continue;
    solo_entry entry;
    data_kind kind;
    for (size_t at = 0; (kind = next_data(&m->library->source, &at, &entry)) != DATA_END;)
      if (kind == DATA_GLOBAL && map_global(device, m, &entry) != SOLO_OK)
        solo_debug(1, "device %d: %s", device->number, solo_error_last()->text);
  }
}

static void unload_data(solo_device *device, solo_module *module) {
  int removed = 0;
  solo_entry entry;
  data_kind kind;
  for (size_t at = 0; (kind = next_data(&module->library->source, &at, &entry)) != DATA_END;) {
    solo_status status = SOLO_OK;
    if (kind == DATA_GLOBAL) removed |= unmap_global(device, module, &entry);
    if (kind == DATA_DTOR && !module->ended) status = solo_module_run(device, module, entry.name);
    if (status != SOLO_OK)
      solo_debug(1, "unloading %s on device %d: %s", entry.name, device->number,
                 solo_status_text(status));
  }
  if (removed) map_globals_again(device);
}

static solo_status prepare(solo_device *device, solo_module *module) {
  if (solo_device_has_rtl(device)) SOLO_TRY(solo_rtl_module_loaded(device, module));
  solo_library_scan(module->library);
  if (module->library->has_data) {
    SOLO_TRY(load_data(device, module));
    SOLO_TRY(solo_fptr_library_loaded(device, module));
  }
  return SOLO_OK;
}

void solo_module_unload_image(solo_device *device, solo_module *module) {
  if (module->library->has_data) {
    solo_fptr_library_leaving(device, module);
    unload_data(device, module);
  }
  if (solo_device_has_rtl(device)) solo_rtl_module_leaving(device, module);
  SOLO_OP(device->backend, module_unload)(device->handle, module->handle);
  module->handle = NULL;
}

solo_status solo_module_unload_failed(solo_device *device, solo_module *module,
                                      solo_status status) {
  solo_saved_error error;
  solo_error_save(&error);
  solo_module_unload_image(device, module);
  (void)solo_error_restore(&error);
  return status;
}

static solo_status load(solo_device *device, solo_module *module) {
  solo_choice choice;
  solo_choice_begin(&choice, (uint32_t)module->library->source.image_count, device->number,
                    device->info.arch);
  solo_status status = choose_and_load(device, module, &choice);
  if (status == SOLO_OK) {
    if (module->image.kind != SOLO_IMAGE_LINKED) solo_exit_watch();
    status = prepare(device, module);
    if (status != SOLO_OK) status = solo_module_unload_failed(device, module, status);
  }
  if (choice.owned) { /* decompressed bytes, which the next call frees */
    module->image.kind = SOLO_IMAGE_UNKNOWN;
    module->image.bytes = solo_span_of(NULL, 0);
  }
  solo_choice_end(&choice);
  return status;
}

solo_status solo_module_get(solo_device *device, solo_library *library, solo_module **out_module) {
  solo_module *module = device->modules;
  while (module && module->library != library) module = module->next;
  if (!module) {
    module = solo_early_allocate(sizeof *module);
    if (!module)
      return solo_fail(SOLO_NOMEM, "no host memory to load an image on device %d", device->number);
    module->library = library;
    module->next = device->modules;
    device->modules = module;
    solo_trace_event event = {
        .kind = SOLO_TRACE_LOAD, .device = device->number, .peer = device->number};
    solo_observe_begin_any(&event);
    module->status = load(device, module);
    event.bytes = module->image.bytes.size;
    event.from = (uintptr_t)module->image.bytes.data;
    (void)solo_observe_end_any(&event, module->status);
    if (module->status != SOLO_OK) module->reason = solo_error_save_on_heap();
    solo_debug(1, "device %d: library %p %s%s", device->number, library->source.key,
               module->status == SOLO_OK ? "loaded" : "not loaded: ",
               module->status == SOLO_OK ? "" : solo_error_last()->text);
  }
  if (module->status != SOLO_OK) {
    (void)solo_error_restore_or_fail(module->reason, module->status);
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
  solo_kernel_remove_library(device, module->library);
  if (module->handle) solo_module_unload_image(device, module);
  free(module->reason);
  solo_early_free(module);
}

void solo_module_run_destructors(solo_device *device, solo_module *module) {
  if (!module->handle || module->ended) return;
  solo_entry entry;
  data_kind kind;
  for (size_t at = 0; (kind = next_data(&module->library->source, &at, &entry)) != DATA_END;)
    if (kind == DATA_DTOR && solo_module_run(device, module, entry.name) != SOLO_OK)
      solo_debug(1, "destructor %s on device %d: %s", entry.name, device->number,
                 solo_error_last()->text);
  if (solo_device_has_rtl(device)) solo_rtl_module_ended(device, module);
  module->ended = 1;
}
