/* Constructors and destructors of device globals (abi-facts 7.6, 8.1). A kernel of the image calls
 * them. With SOLO_DEVICE_STRUCTORS_BY_HOST, the host first reads the globals
 * __init_array_object_<function>_<hash>_<priority>, which contain function addresses. It sorts
 * these addresses by priority and writes the bounds of the sorted array to the image. */
#include "runtime/device/rtl_structors.h"

#include "runtime/device/pool.h"
#include "runtime/image/elf.h"
#include <stdlib.h>

typedef struct structor {
  uint64_t address, priority;
} structor;

typedef struct collection {
  solo_device *device;
  solo_module *module;
  const char *prefix;
  structor *list;
  size_t count, capacity;
} collection;

static int by_priority(const void *a, const void *b) {
  const structor *x = a, *y = b;
  return (x->priority > y->priority) - (x->priority < y->priority);
}

static solo_status add(collection *c, const char *name) {
  if (strncmp(name, c->prefix, strlen(c->prefix)) != 0) return SOLO_OK;
  solo_devptr address;
  uint64_t bytes;
  solo_status status =
      SOLO_OP(c->device->backend, module_global)(c->module->handle, name, &address, &bytes);
  if (status == SOLO_NOT_FOUND) return SOLO_OK;
  if (status != SOLO_OK) return status;
  if (c->count == c->capacity) {
    size_t capacity = c->capacity ? c->capacity * 2 : 16;
    structor *list = realloc(c->list, capacity * sizeof *list);
    if (!list) return solo_fail(SOLO_NOMEM, "no host memory for device constructors");
    c->list = list;
    c->capacity = capacity;
  }
  const char *priority = strrchr(name, '_');
  structor *s = &c->list[c->count++];
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

static solo_status run_array(collection *c, const char *begin_symbol, const char *end_symbol,
                             const char *kernel) {
  qsort(c->list, c->count, sizeof *c->list, by_priority);
  uint64_t bytes = c->count * sizeof(uint64_t);
  solo_block *block;
  SOLO_TRY(solo_pool_allocate(c->device, bytes, &block));
  for (size_t i = 0; i < c->count; i++) ((uint64_t *)c->list)[i] = c->list[i].address;
  uint64_t bounds[2] = {block->address, block->address + bytes};
  const char *symbols[2] = {begin_symbol, end_symbol};
  solo_status status = solo_module_write(c->device, block->address, c->list, bytes);
  for (int i = 0; i < 2 && status == SOLO_OK; i++) {
    solo_devptr address;
    uint64_t size;
    status =
        SOLO_OP(c->device->backend, module_global)(c->module->handle, symbols[i], &address, &size);
    if (status == SOLO_NOT_FOUND)
      status = solo_fail(SOLO_BAD_IMAGE, "the image defines %s but not %s", kernel, symbols[i]);
    if (status == SOLO_OK) status = solo_module_write(c->device, address, &bounds[i], 8);
  }
  if (status == SOLO_OK) status = solo_module_run(c->device, c->module, kernel);
  solo_pool_free(c->device, block);
  return status;
}

/* Skips images that are not ELF: they have no symbol table in which the globals could be found. */
static solo_status run_collected(solo_device *device, solo_module *module, int init,
                                 const char *kernel) {
  collection c = {.device = device,
                  .module = module,
                  .prefix = init ? "__init_array_object_" : "__fini_array_object_"};
  if (module->image.kind != SOLO_IMAGE_ELF) return SOLO_OK;
  solo_status status = collect(&c);
  if (status == SOLO_OK && c.count)
    status = init ? run_array(&c, "__init_array_start", "__init_array_end", kernel)
                  : run_array(&c, "__fini_array_start", "__fini_array_end", kernel);
  free(c.list);
  return status;
}

solo_status solo_rtl_structors(solo_device *device, solo_module *module, solo_structors which) {
  int init = which == SOLO_STRUCTORS_INIT;
  const char *kernel = init ? device->info.init_kernel : device->info.fini_kernel;
  if (!kernel[0]) return SOLO_OK;
  if (device->info.flags & SOLO_DEVICE_STRUCTORS_BY_HOST)
    return run_collected(device, module, init, kernel);
  solo_status status = solo_module_run(device, module, kernel);
  return status == SOLO_NOT_FOUND ? SOLO_OK : status;
}
