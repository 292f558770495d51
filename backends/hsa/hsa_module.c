#include "backends/hsa/hsa.h"

#include "runtime/base/settings.h"
#include <stdlib.h>
#include <string.h>

enum { NT_AMDGPU_METADATA = 32, DYNAMIC_STACK_BYTES = 16384 };

int solo_hsa_image_recognise(const solo_image *image) {
  return image->kind == SOLO_IMAGE_ELF && image->machine == SOLO_EM_AMDGPU;
}

uint32_t solo_hsa_image_score(solo_bdevice *device, const solo_image *image, char *reason,
                              size_t reason_size) {
  return solo_target_score(image->target, device->target, reason, reason_size);
}

/* Copies the metadata, because kernels are looked up after the image was freed. */
static solo_status copy_note(const solo_image *image, solo_bmodule *module) {
  solo_elf elf;
  solo_span note;
  SOLO_TRY(solo_elf_open(image->bytes, &elf));
  if (solo_elf_note(&elf, "AMDGPU", NT_AMDGPU_METADATA, &note) != SOLO_OK)
    return solo_fail(SOLO_BAD_IMAGE, "hsa: code object for %s without metadata note",
                     image->target);
  uint8_t *copy = malloc(note.size ? note.size : 1);
  if (!copy) return solo_fail(SOLO_NOMEM, "hsa: no memory for %zu bytes of metadata", note.size);
  memcpy(copy, note.data, note.size);
  module->note = solo_span_of(copy, note.size);
  return solo_amdgpu_metadata_read(module->note, &module->metadata);
}

static hsa_status_t load(solo_bdevice *device, const solo_image *image, hsa_executable_t *out) {
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  hsa_status_t result =
      hsa_code_object_reader_create_from_memory(image->bytes.data, image->bytes.size, &reader);
  if (result != HSA_STATUS_SUCCESS) return result;
  result = hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                     NULL, &executable);
  if (result == HSA_STATUS_SUCCESS) {
    result = hsa_executable_load_agent_code_object(executable, device->agent, reader, NULL, NULL);
    if (result == HSA_STATUS_SUCCESS) result = hsa_executable_freeze(executable, NULL);
    if (result == HSA_STATUS_SUCCESS)
      *out = executable;
    else
      (void)hsa_executable_destroy(executable);
  }
  (void)hsa_code_object_reader_destroy(reader);
  return result;
}

solo_status solo_hsa_module_load(solo_bdevice *device, const solo_image *image,
                                 solo_bmodule **out_module) {
  SOLO_HSA_CHECK_LOST(device);
  solo_bmodule *module = calloc(1, sizeof *module);
  if (!module) return solo_fail(SOLO_NOMEM, "hsa: no memory for a module");
  solo_lock_init(&module->lock, SOLO_RANK_DRIVER);
  module->device = device;
  solo_status status = copy_note(image, module);
  if (status == SOLO_OK) {
    hsa_status_t result = load(device, image, &module->executable);
    if (result != HSA_STATUS_SUCCESS)
      status = solo_hsa_fail(device, result, "loading a code object for %s (%zu bytes)",
                             image->target, image->bytes.size);
  }
  if (status != SOLO_OK) {
    free((void *)(uintptr_t)module->note.data);
    free(module);
    return status;
  }
  *out_module = module;
  return SOLO_OK;
}

static void retire(solo_bdevice *device, solo_bkernel *kernel) {
  solo_lock_acquire(&device->lock);
  kernel->next = device->retired;
  device->retired = kernel;
  solo_lock_release(&device->lock);
}

/* The kernel records remain until the device closes, because queues use their names in messages. */
void solo_hsa_module_unload(solo_bdevice *device, solo_bmodule *module) {
  (void)hsa_executable_destroy(module->executable);
  for (solo_bkernel *kernel = module->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    retire(device, kernel);
  }
  free((void *)(uintptr_t)module->note.data);
  free(module);
}

static solo_bkernel *find(solo_bmodule *module, const char *name) {
  solo_bkernel *kernel = module->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) kernel = kernel->next;
  return kernel;
}

static hsa_status_t symbol_of(solo_bmodule *module, const char *name, hsa_symbol_kind_t kind,
                              hsa_executable_symbol_t *out) {
  hsa_symbol_kind_t found = kind;
  hsa_status_t result =
      hsa_executable_get_symbol_by_name(module->executable, name, &module->device->agent, out);
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_executable_symbol_get_info(*out, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &found);
  if (result == HSA_STATUS_SUCCESS && found != kind) result = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
  return result;
}

static solo_status describe(solo_bmodule *module, const solo_amdgpu_kernel *metadata,
                            solo_bkernel *kernel) {
  solo_bdevice *device = module->device;
  hsa_executable_symbol_t symbol;
  char name[512];
  if (metadata->symbol.size >= sizeof name)
    return solo_fail(SOLO_BAD_IMAGE, "hsa: kernel name of %zu bytes is too long",
                     metadata->symbol.size);
  memcpy(name, metadata->symbol.data, metadata->symbol.size);
  name[metadata->symbol.size] = 0;
  SOLO_TRY(solo_hsa_kernarg_layout_of(metadata, &kernel->layout));
  if (kernel->layout.size > SOLO_HSA_SEGMENT_BYTES)
    return solo_fail(SOLO_UNSUPPORTED,
                     "hsa: kernel %.100s has %u bytes of arguments, the "
                     "limit is %d",
                     kernel->name, kernel->layout.size, SOLO_HSA_SEGMENT_BYTES);
  for (uint32_t i = 0; i < kernel->layout.field_count; i++)
    if (kernel->layout.fields[i].kind == SOLO_AMDGPU_HIDDEN_PRIVATE_BASE ||
        kernel->layout.fields[i].kind == SOLO_AMDGPU_HIDDEN_SHARED_BASE)
      return solo_fail(
          SOLO_UNSUPPORTED,
          "hsa: kernel %.100s reads aperture addresses (processors before gfx9), which "
          "is not supported",
          kernel->name);
  SOLO_HSA_TRY(device, symbol_of(module, name, HSA_SYMBOL_KIND_KERNEL, &symbol),
               "looking for kernel %.150s", name);
  SOLO_HSA_TRY(device,
               hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                                              &kernel->object),
               "reading kernel %.150s", name);
  uint64_t carry = solo_settings()->hsa_carry;
  kernel->inline_data_at = (kernel->layout.size + 15) & ~UINT32_C(15);
  kernel->inline_data_bytes = SOLO_HSA_SEGMENT_BYTES - kernel->inline_data_at;
  if (carry < kernel->inline_data_bytes) kernel->inline_data_bytes = (uint32_t)carry;
  kernel->group_bytes = metadata->group_size;
  kernel->private_bytes = metadata->private_size;
  kernel->max_threads = metadata->max_threads;
  uint64_t stack = solo_settings()->stack_size;
  if (!stack) stack = DYNAMIC_STACK_BYTES;
  if (metadata->uses_dynamic_stack && stack > kernel->private_bytes && stack <= UINT32_MAX)
    kernel->private_bytes = (uint32_t)stack;
  return SOLO_OK;
}

static solo_bkernel *find_or_allocate_kernel(solo_bdevice *device, const char *name) {
  size_t size = strlen(name) + 1;
  solo_lock_acquire(&device->lock);
  solo_bkernel **at = &device->retired;
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  solo_bkernel *kernel = *at;
  if (kernel) *at = kernel->next;
  solo_lock_release(&device->lock);
  if (kernel) return kernel;
  kernel = calloc(1, sizeof *kernel + size);
  if (kernel) memcpy(kernel->name, name, size);
  return kernel;
}

static solo_status make(solo_bmodule *module, const char *name, solo_bkernel **out) {
  solo_amdgpu_kernel metadata;
  solo_status found = solo_amdgpu_kernel_find(&module->metadata, name, &metadata);
  if (found == SOLO_NOT_FOUND)
    return solo_fail(found, "hsa: the code object for %s has no kernel %.150s",
                     module->metadata.target, name);
  SOLO_TRY(found);
  solo_bkernel *kernel = find_or_allocate_kernel(module->device, name);
  if (!kernel) return solo_fail(SOLO_NOMEM, "hsa: no memory for kernel %s", name);
  solo_status status = describe(module, &metadata, kernel);
  if (status == SOLO_OK)
    *out = kernel;
  else
    retire(module->device, kernel);
  return status;
}

solo_status solo_hsa_module_kernel(solo_bmodule *module, const char *name,
                                   solo_bkernel **out_kernel,
                                   solo_kernel_attributes *out_attributes) {
  SOLO_HSA_CHECK_LOST(module->device);
  solo_lock_acquire(&module->lock);
  solo_bkernel *kernel = find(module, name);
  solo_lock_release(&module->lock);
  if (!kernel) {
    solo_bkernel *made = NULL;
    SOLO_TRY(make(module, name, &made));
    solo_lock_acquire(&module->lock);
    if ((kernel = find(module, name))) {
      retire(module->device, made);
    } else {
      kernel = made;
      kernel->next = module->kernels;
      module->kernels = kernel;
    }
    solo_lock_release(&module->lock);
  }
  *out_attributes =
      (solo_kernel_attributes){.argument_bytes = (kernel->layout.explicit_size + 7) & ~UINT32_C(7),
                               .shared_bytes = kernel->group_bytes,
                               .max_threads = kernel->max_threads,
                               .inline_data_bytes = kernel->inline_data_bytes};
  *out_kernel = kernel;
  return SOLO_OK;
}

solo_status solo_hsa_module_global(solo_bmodule *module, const char *name, solo_devptr *out_address,
                                   uint64_t *out_bytes) {
  SOLO_HSA_CHECK_LOST(module->device);
  hsa_executable_symbol_t symbol;
  uint64_t address = 0;
  uint32_t bytes = 0;
  hsa_status_t result = symbol_of(module, name, HSA_SYMBOL_KIND_VARIABLE, &symbol);
  if (result == HSA_STATUS_ERROR_INVALID_SYMBOL_NAME) return SOLO_NOT_FOUND;
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS,
                                            &address);
  if (result == HSA_STATUS_SUCCESS)
    result =
        hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &bytes);
  SOLO_HSA_TRY(module->device, result, "looking for global %.150s", name);
  *out_address = address;
  *out_bytes = bytes;
  return SOLO_OK;
}
