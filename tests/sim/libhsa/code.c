/* The simulated runtime: code objects. Each is an x86-64 shared object with an AMD ELF header and a
 * real metadata note. */
#include "tests/sim/libhsa/internal.h"

#include "runtime/image/amdgpu_metadata.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const void *bytes;
  size_t size;
} reader;

typedef struct symbol {
  struct symbol *next;
  hsa_symbol_kind_t kind;
  uint64_t address, bytes;
  sim_kernel_object object;
} symbol;

typedef struct executable {
  int device, frozen;
  sim_module *module;
  uint8_t *note;
  size_t note_size;
  symbol *symbols;
} executable;

API hsa_status_t hsa_code_object_reader_create_from_memory(const void *bytes, size_t size,
                                                           hsa_code_object_reader_t *out) {
  ENTER();
  reader *r = malloc(sizeof *r);
  if (!r) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  *r = (reader){bytes, size};
  sim_live("reader", 1);
  out->handle = (uint64_t)(uintptr_t)r;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t handle) {
  int code = sim_call(__func__);
  sim_live("reader", -1);
  free((void *)(uintptr_t)handle.handle);
  return (hsa_status_t)code;
}

API hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
                                           hsa_default_float_rounding_mode_t rounding,
                                           const char *options, hsa_executable_t *out) {
  ENTER();
  (void)profile, (void)rounding, (void)options;
  executable *e = calloc(1, sizeof *e);
  if (!e) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  sim_live("executable", 1);
  out->handle = (uint64_t)(uintptr_t)e;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_executable_destroy(hsa_executable_t handle) {
  int code = sim_call(__func__);
  executable *e = (executable *)(uintptr_t)handle.handle;
  if (e->module) sim_module_unload(e->module);
  for (symbol *s = e->symbols, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  free(e->note);
  free(e);
  sim_live("executable", -1);
  return (hsa_status_t)code;
}

API hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t handle, hsa_agent_t agent,
                                                       hsa_code_object_reader_t from,
                                                       const char *options,
                                                       hsa_loaded_code_object_t *loaded) {
  ENTER();
  (void)options, (void)loaded;
  executable *e = (executable *)(uintptr_t)handle.handle;
  const reader *r = (const reader *)(uintptr_t)from.handle;
  const char *why;
  solo_elf elf;
  solo_span note;
  if (solo_elf_open(solo_span_of(r->bytes, r->size), &elf) != SOLO_OK ||
      elf.machine != SOLO_EM_AMDGPU || solo_elf_note(&elf, "AMDGPU", 32, &note) != SOLO_OK)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  if ((elf.flags & 0xff) != sim_agent_machine()) return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
  e->device = (int)agent.handle - AGENT_DEVICE;
  if (sim_device_start(e->device)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  e->note = malloc(note.size);
  if (!e->note) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  memcpy(e->note, note.data, note.size);
  e->note_size = note.size;
  e->module = sim_module_load(e->device, r->bytes, r->size, &why);
  if (e->module) return HSA_STATUS_SUCCESS;
  fprintf(stderr, "sim: image rejected: %s\n", why);
  return strstr(why, "memory") ? HSA_STATUS_ERROR_OUT_OF_RESOURCES
                               : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
}

API hsa_status_t hsa_executable_freeze(hsa_executable_t handle, const char *options) {
  ENTER();
  (void)options;
  ((executable *)(uintptr_t)handle.handle)->frozen = 1;
  return HSA_STATUS_SUCCESS;
}

static void find_hidden(const solo_amdgpu_kernel *kernel, uint32_t *hidden) {
  static const solo_amdgpu_argument_kind kinds[] = {
      SOLO_AMDGPU_HIDDEN_BLOCK_COUNT_X, SOLO_AMDGPU_HIDDEN_GROUP_SIZE_X,
      SOLO_AMDGPU_HIDDEN_GRID_DIMS, SOLO_AMDGPU_HIDDEN_DYNAMIC_LDS_SIZE,
      SOLO_AMDGPU_HIDDEN_QUEUE_PTR};
  solo_msgpack cursor = kernel->arguments;
  for (int k = 0; k < 5; k++) hidden[k] = UINT32_MAX;
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    solo_amdgpu_argument a;
    if (solo_amdgpu_argument_next(&cursor, &a) != SOLO_OK) return;
    for (int k = 0; k < 5; k++)
      if (a.kind == kinds[k]) hidden[k] = a.offset;
  }
}

/* Finds the kernel with the descriptor symbol "name.kd". */
static int find_kernel(executable *e, const char *name, symbol *out) {
  char bare[256];
  size_t size = strlen(name);
  solo_amdgpu_metadata metadata;
  solo_amdgpu_kernel kernel;
  uint64_t bytes;
  if (size < 4 || size >= sizeof bare || strcmp(name + size - 3, ".kd") != 0) return 0;
  memcpy(bare, name, size - 3);
  bare[size - 3] = 0;
  uint64_t entry = sim_module_symbol(e->module, bare, 1, &bytes);
  if (!entry ||
      solo_amdgpu_metadata_read(solo_span_of(e->note, e->note_size), &metadata) != SOLO_OK ||
      solo_amdgpu_kernel_find(&metadata, bare, &kernel) != SOLO_OK)
    return 0;
  out->kind = HSA_SYMBOL_KIND_KERNEL;
  out->object = (sim_kernel_object){.check = KERNEL_CHECK,
                                    .device = e->device,
                                    .entry = entry,
                                    .slots = (kernel.explicit_size + 7) / 8,
                                    .segment = kernel.kernarg_size,
                                    .group_bytes = kernel.group_size,
                                    .warp_size = kernel.wavefront_size,
                                    .module = e->module};
  find_hidden(&kernel, out->object.hidden);
  return 1;
}

API hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t handle, const char *name,
                                                   const hsa_agent_t *agent,
                                                   hsa_executable_symbol_t *out) {
  ENTER();
  (void)agent;
  executable *e = (executable *)(uintptr_t)handle.handle;
  symbol *s = calloc(1, sizeof *s);
  if (!s) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  if (!e->frozen) sim_violation("symbol query on an executable that is not frozen");
  if (!find_kernel(e, name, s)) {
    s->kind = HSA_SYMBOL_KIND_VARIABLE;
    s->address = sim_module_symbol(e->module, name, 0, &s->bytes);
  }
  if (s->kind == HSA_SYMBOL_KIND_VARIABLE && !s->address) {
    free(s);
    return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
  }
  pthread_mutex_lock(&sim_hsa_lock);
  s->next = e->symbols;
  e->symbols = s;
  pthread_mutex_unlock(&sim_hsa_lock);
  out->handle = (uint64_t)(uintptr_t)s;
  return HSA_STATUS_SUCCESS;
}

API hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t handle,
                                                hsa_executable_symbol_info_t key, void *out) {
  ENTER();
  symbol *s = (symbol *)(uintptr_t)handle.handle;
  switch (key) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    *(hsa_symbol_kind_t *)out = s->kind;
    break;
  case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
    *(uint64_t *)out = (uint64_t)(uintptr_t)&s->object;
    break;
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
    *(uint64_t *)out = s->address;
    break;
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
    *(uint32_t *)out = (uint32_t)s->bytes;
    break;
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
  return HSA_STATUS_SUCCESS;
}
