#include "backends/host/host.h"

#include "backends/host/elf/load.h"
#include "runtime/base/early.h"
#include "runtime/image/linked.h"
#include <stdio.h>
#include <stdlib.h>

struct solo_bmodule {
  solo_host_elf *elf;
  const solo_linked_symbol *symbols;
  uint64_t symbol_count;
};

static const solo_linked_image *linked_of(const solo_image *image) {
  return (const solo_linked_image *)(const void *)image->bytes.data;
}

int solo_host_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_LINKED ||
         (image->kind == SOLO_IMAGE_ELF && image->machine == SOLO_ARCH_ELF_MACHINE);
}

uint32_t solo_host_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                               size_t reason_size) {
  if (image->kind == SOLO_IMAGE_ELF && image->machine == SOLO_ARCH_ELF_MACHINE) return 1;
  if (image->kind != SOLO_IMAGE_LINKED) {
    snprintf(reason, reason_size, "not code for a CPU");
    return 0;
  }
  const solo_linked_image *linked = linked_of(image);
  if (linked->version != SOLO_LINKED_VERSION || linked->machine != SOLO_ARCH_ELF_MACHINE) {
    snprintf(reason, reason_size,
             "linked image version %u for machine %u: this library takes version %d for machine %d "
             "(%s): link again with its solo-link",
             linked->version, linked->machine, SOLO_LINKED_VERSION, SOLO_ARCH_ELF_MACHINE,
             SOLO_ARCH_NAME);
    return 0;
  }
  if ((uint32_t)device->ordinal >= linked->copies && linked->flags & SOLO_LINKED_HAS_GLOBALS) {
    snprintf(reason, reason_size,
             "it has declare target variables and was linked for %u CPU device%s, this is CPU "
             "device %d: link with solo-link --host-devices=%d",
             linked->copies, linked->copies == 1 ? "" : "s", device->ordinal, device->ordinal + 1);
    return 0;
  }
  return 2;
}

static SOLO_COLD solo_status refused(solo_bdevice *device, const solo_image *image) {
  char reason[256];
  (void)solo_host_image_score(device, image, reason, sizeof reason);
  return solo_fail(SOLO_INCOMPATIBLE, "image refused: %s", reason);
}

solo_status solo_host_module_load(solo_bdevice *device, const solo_image *image,
                                  solo_bmodule **out_module) {
  char no_words[1];
  if (!solo_host_image_score(device, image, no_words, sizeof no_words))
    return refused(device, image);
  solo_bmodule *module = solo_early_allocate(sizeof *module);
  if (!module) return solo_fail(SOLO_NOMEM, "no host memory for a module");
  if (image->kind == SOLO_IMAGE_ELF) {
    solo_status status = solo_host_elf_load(image->bytes, device->ordinal, &module->elf);
    if (status == SOLO_OK)
      *out_module = module;
    else
      solo_early_free(module);
    return status;
  }
  const solo_linked_image *linked = linked_of(image);
  uint64_t copy = (uint32_t)device->ordinal < linked->copies ? (uint64_t)device->ordinal : 0;
  module->symbols = linked->symbols + copy * linked->symbol_count;
  module->symbol_count = linked->symbol_count;
  *out_module = module;
  return SOLO_OK;
}

void solo_host_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)device;
  if (module->elf) solo_host_elf_unload(module->elf);
  solo_early_free(module);
}

static const solo_linked_symbol *find(const solo_bmodule *module, const char *name) {
  uint64_t low = 0, high = module->symbol_count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    int order = strcmp(name, module->symbols[middle].name);
    if (order == 0) return &module->symbols[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

solo_status solo_host_module_kernel(solo_bmodule *module, const char *name,
                                    solo_bkernel **out_kernel,
                                    solo_kernel_attributes *out_attributes) {
  void *address = NULL;
  uint64_t size;
  if (module->elf) {
    (void)solo_host_elf_symbol(module->elf, name, &address, &size);
    if (address && !solo_host_elf_is_code(module->elf, address)) address = NULL;
  } else {
    const solo_linked_symbol *symbol = find(module, name);
    if (symbol && !symbol->size) address = symbol->address;
  }
  if (!address) return solo_fail(SOLO_NOT_FOUND, "the image has no kernel %s", name);
  *out_kernel = solo_host_kernel_of(address);
  *out_attributes = (solo_kernel_attributes){0};
  return SOLO_OK;
}

solo_status solo_host_module_global(solo_bmodule *module, const char *name,
                                    solo_devptr *out_address, uint64_t *out_bytes) {
  if (module->elf) {
    void *address;
    SOLO_TRY(solo_host_elf_symbol(module->elf, name, &address, out_bytes));
    *out_address = (uintptr_t)address;
    return SOLO_OK;
  }
  const solo_linked_symbol *symbol = find(module, name);
  if (!symbol) return SOLO_NOT_FOUND;
  *out_address = (uintptr_t)symbol->address;
  *out_bytes = symbol->size;
  return SOLO_OK;
}
