/* Constructors and destructors of device globals (abi-facts 7.6, 8.1). A kernel of the image calls
 * them. With SOLO_DEVICE_STRUCTORS_BY_HOST, the host reads function addresses from the
 * globals __init_array_object_<function>_<hash>_<priority>, sorts them by priority and writes the
 * array's bounds to the image. */
#include "runtime/device/rtl_structors.h"

#include "runtime/device/pool.h"
#include "runtime/image/elf.h"
#include <stdlib.h>

typedef struct collection {
  solo_device *device;
  solo_module *module;
  solo_structor_list constructors;
} collection;

static int by_priority(const void *a, const void *b) {
  const solo_structor *x = a, *y = b;
  return (x->priority > y->priority) - (x->priority < y->priority);
}

static int begins_with(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

static solo_status add(collection *c, const char *name) {
  solo_structor_list *list = begins_with(name, "__init_array_object_")   ? &c->constructors
                             : begins_with(name, "__fini_array_object_") ? &c->module->destructors
                                                                         : NULL;
  if (!list) return SOLO_OK;
  solo_devptr address;
  uint64_t bytes;
  solo_status status =
      SOLO_OP(c->device->backend, module_global)(c->module->handle, name, &address, &bytes);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? list->capacity * 2 : 16;
    solo_structor *item = realloc(list->item, capacity * sizeof *item);
    if (!item) return solo_fail(SOLO_NOMEM, "no host memory for device constructors");
    list->item = item;
    list->capacity = capacity;
  }
  const char *priority = strrchr(name, '_');
  solo_structor *s = &list->item[list->count++];
  s->priority = strtoull(priority + 1, NULL, 10);
  return solo_module_read(c->device, &s->address, address, sizeof s->address);
}

static solo_status collect(collection *c) {
  solo_elf elf;
  solo_elf_symbols symbols;
  SOLO_TRY(solo_elf_open(c->module->image.bytes, &elf));
  solo_status status = solo_elf_static_symbols(&elf, &symbols);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  for (uint32_t i = 1; i < symbols.count && status == SOLO_OK; i++) {
    solo_elf_symbol symbol;
    status = solo_elf_symbol_at(&symbols, i, &symbol);
    if (status == SOLO_OK && symbol.section != SHN_UNDEF) status = add(c, symbol.name);
  }
  return status;
}

static solo_status run_array(solo_device *device, solo_module *module, solo_structor_list *list,
                             const char *const bound_names[2], const char *kernel) {
  if (!list->count) return SOLO_OK;
  qsort(list->item, list->count, sizeof *list->item, by_priority);
  uint64_t bytes = list->count * sizeof(uint64_t);
  solo_block *block;
  SOLO_TRY(solo_pool_allocate(device, bytes, &block));
  uint64_t *addresses = (uint64_t *)list->item;
  for (size_t i = 0; i < list->count; i++) addresses[i] = list->item[i].address;
  uint64_t bounds[2] = {block->address, block->address + bytes};
  solo_status status = solo_module_write(device, block->address, addresses, bytes);
  for (int i = 0; i < 2 && status == SOLO_OK; i++) {
    solo_devptr address;
    uint64_t size;
    status =
        SOLO_OP(device->backend, module_global)(module->handle, bound_names[i], &address, &size);
    if (status == SOLO_NOT_FOUND)
      status = solo_fail(SOLO_BAD_IMAGE, "the image defines %s but not %s", kernel, bound_names[i]);
    if (status == SOLO_OK) status = solo_module_write(device, address, &bounds[i], 8);
  }
  if (status == SOLO_OK) status = solo_module_run(device, module, kernel);
  solo_pool_free(device, block);
  return status;
}

static void free_list(solo_structor_list *list) {
  free(list->item);
  *list = (solo_structor_list){.item = NULL};
}

/* Skips images that are not ELF: they have no symbol table. Stores destructors, because
 * decompressed bytes are freed after the load. */
static solo_status run_constructors(solo_device *device, solo_module *module, const char *kernel) {
  static const char *const bounds[2] = {"__init_array_start", "__init_array_end"};
  collection c = {.device = device, .module = module};
  if (module->image.kind != SOLO_IMAGE_ELF) return SOLO_OK;
  solo_status status = collect(&c);
  if (status == SOLO_OK) status = run_array(device, module, &c.constructors, bounds, kernel);
  free_list(&c.constructors);
  return status;
}

static solo_status run_destructors(solo_device *device, solo_module *module, const char *kernel) {
  static const char *const bounds[2] = {"__fini_array_start", "__fini_array_end"};
  solo_status status = run_array(device, module, &module->destructors, bounds, kernel);
  free_list(&module->destructors);
  return status;
}

solo_status solo_rtl_structors(solo_device *device, solo_module *module, solo_structors which) {
  int init = which == SOLO_STRUCTORS_INIT;
  const char *kernel = init ? device->info.init_kernel : device->info.fini_kernel;
  if (!kernel[0]) return SOLO_OK;
  if (device->info.flags & SOLO_DEVICE_STRUCTORS_BY_HOST)
    return init ? run_constructors(device, module, kernel)
                : run_destructors(device, module, kernel);
  solo_status status = solo_module_run(device, module, kernel);
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}

void solo_rtl_structors_free(solo_module *module) {
  free_list(&module->destructors);
}
