/* Programs and symbols. A program is a registered image without entries, loaded on one device. */
#define _DEFAULT_SOURCE
#include "abi/offload/internal.h"

#include <stdlib.h>
#include <string.h>

ol_result_t olIsValidBinary(ol_device_handle_t device, const void *prog_data, size_t prog_data_size,
                            bool *valid) {
  ol_device *on;
  int fits = 0;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  OL_POINTER(prog_data);
  OL_POINTER(valid);
  OL_FIND_DEVICE(on, device);
  if (on->device) {
    OL_TRY(ol_open(on));
    /* an unreadable image is not valid */
    if (ol_core->image_fits(on->device, prog_data, prog_data_size, &fits) != SOLO_OK) fits = 0;
  }
  *valid = fits != 0;
  return OL_SUCCESS;
}

static ol_result_t load(ol_device *on, void *bytes, size_t size, solo_registration **out) {
  solo_registration *registration;
  OL_TRY_STATUS((solo_status)solo_register_image(bytes, size, NULL, NULL, &registration));
  solo_status status = ol_core->program_load(registration, on->device);
  if (status == SOLO_OK) {
    *out = registration;
    return OL_SUCCESS;
  }
  ol_result_t result = ol_failed(status);
  solo_unregister(registration);
  return result;
}

ol_result_t olCreateProgram(ol_device_handle_t device, const void *prog_data, size_t prog_data_size,
                            ol_program_handle_t *program) {
  ol_device *on;
  solo_registration *registration = NULL;
  OL_ENTER();
  if (!device) return ol_null_handle("device");
  OL_POINTER(prog_data);
  OL_POINTER(program);
  OL_FIND_DEVICE(on, device);
  OL_TRY(ol_open(on));
  void *bytes = malloc(prog_data_size + 1);
  if (!bytes) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a copy of the image");
  memcpy(bytes, prog_data, prog_data_size);
  ol_result_t result = load(on, bytes, prog_data_size, &registration);
  if (result) {
    free(bytes);
    return result;
  }
  pthread_mutex_lock(&ol_lock);
  ol_program *made = ol_create(&ol_programs);
  if (made) {
    made->on = on;
    made->registration = registration;
    made->bytes = bytes;
    ol_publish(made);
    *program = ol_handle_of(&ol_programs, made);
  }
  pthread_mutex_unlock(&ol_lock);
  if (made) return OL_SUCCESS;
  solo_unregister(registration);
  free(bytes);
  return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a program");
}

void ol_program_end(void *object) {
  ol_program *program = object;
  while (program->symbols) {
    ol_symbol *symbol = program->symbols;
    program->symbols = symbol->next;
    free(symbol->name);
    ol_destroy(&ol_symbols, symbol);
  }
  solo_unregister(program->registration);
  free(program->bytes);
  ol_destroy(&ol_programs, program);
}

ol_result_t olDestroyProgram(ol_program_handle_t program) {
  ol_program *it;
  OL_ENTER();
  OL_FIND(it, ol_programs, program, OL_ERRC_INVALID_ARGUMENT);
  pthread_mutex_lock(&ol_lock);
  ol_program_end(it);
  pthread_mutex_unlock(&ol_lock);
  return OL_SUCCESS;
}

static uintptr_t variable;
static ol_device *variable_device;

static void compare(void *object) {
  const ol_symbol *s = object;
  if (s->kind == OL_SYMBOL_KIND_GLOBAL_VARIABLE && variable - (uintptr_t)s->address < s->bytes)
    variable_device = s->program->on;
}

ol_device *ol_variable_device(const void *address) {
  variable = (uintptr_t)address;
  variable_device = NULL;
  ol_each(&ol_symbols, compare);
  return variable_device;
}

static ol_symbol *known(const ol_program *program, const char *name, ol_symbol_kind_t kind) {
  ol_symbol *s = program->symbols;
  while (s && (s->kind != kind || strcmp(s->name, name) != 0)) s = s->next;
  return s;
}

static ol_result_t find(const ol_program *program, const char *name, ol_symbol *out) {
  solo_device *device = program->on->device;
  if (out->kind == OL_SYMBOL_KIND_KERNEL)
    OL_TRY_STATUS(ol_core->kernel_find(program->registration, device, name, &out->kernel));
  else
    OL_TRY_STATUS(
        ol_core->global_find(program->registration, device, name, &out->address, &out->bytes));
  return OL_SUCCESS;
}

/* The caller holds ol_lock. Returns NULL if no memory is left. */
static ol_symbol *make(ol_program *program, const char *name, const ol_symbol *found) {
  char *copy = strdup(name);
  ol_symbol *s = copy ? ol_create(&ol_symbols) : NULL;
  if (!s) {
    free(copy);
    return NULL;
  }
  s->program = program;
  s->kind = found->kind;
  s->kernel = found->kernel;
  s->address = found->address;
  s->bytes = found->bytes;
  s->name = copy;
  s->next = program->symbols;
  program->symbols = s;
  ol_publish(s);
  return s;
}

ol_result_t olGetSymbol(ol_program_handle_t program, const char *name, ol_symbol_kind_t kind,
                        ol_symbol_handle_t *symbol) {
  ol_program *it;
  ol_symbol found = {.kind = kind};
  OL_ENTER();
  if (!program) return ol_null_handle("program");
  OL_POINTER(name);
  OL_POINTER(symbol);
  OL_FIND(it, ol_programs, program, OL_ERRC_INVALID_ARGUMENT);
  if ((unsigned)kind >= OL_SYMBOL_KIND_LAST)
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "symbol kind %d does not exist", (int)kind);
  OL_TRY(find(it, name, &found));
  pthread_mutex_lock(&ol_lock);
  ol_symbol *s = known(it, name, kind);
  if (!s) s = make(it, name, &found);
  if (s) *symbol = ol_handle_of(&ol_symbols, s);
  pthread_mutex_unlock(&ol_lock);
  return s ? OL_SUCCESS : ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a symbol");
}

static ol_result_t symbol_property(ol_symbol_handle_t symbol, ol_symbol_info_t prop_name,
                                   const ol_property *p) {
  ol_symbol *it;
  OL_ENTER();
  OL_TRY(ol_check_property(p, "symbol", symbol));
  OL_FIND(it, ol_symbols, symbol, OL_ERRC_INVALID_ARGUMENT);
  if ((unsigned)prop_name >= OL_SYMBOL_INFO_LAST)
    return ol_fail(OL_ERRC_INVALID_ENUMERATION, "property %d of a symbol does not exist",
                   (int)prop_name);
  if (prop_name == OL_SYMBOL_INFO_KIND) return ol_put(p, &it->kind, sizeof it->kind);
  if (it->kind != OL_SYMBOL_KIND_GLOBAL_VARIABLE)
    return ol_fail(OL_ERRC_SYMBOL_KIND, "%s is a kernel; address and size belong to variables",
                   it->name);
  if (prop_name == OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS)
    return ol_put(p, &it->address, sizeof it->address);
  return ol_put(p, &it->bytes, sizeof it->bytes);
}

ol_result_t olGetSymbolInfo(ol_symbol_handle_t symbol, ol_symbol_info_t prop_name, size_t prop_size,
                            void *prop_value) {
  return symbol_property(symbol, prop_name, &(ol_property){prop_size, NULL, prop_value});
}

ol_result_t olGetSymbolInfoSize(ol_symbol_handle_t symbol, ol_symbol_info_t prop_name,
                                size_t *prop_size_ret) {
  return symbol_property(symbol, prop_name, &(ol_property){SIZE_MAX, prop_size_ret, NULL});
}
