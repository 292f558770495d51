/* The simulated driver: modules. A "cubin" is an x86-64 shared object with a cubin's ELF header.
 * Valid "PTX" contains one in a line "//sim-image: 7f45...". */
#include "tests/sim/libcuda/internal.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OSABI_OLD = 51, OSABI_NEW = 0x41, ABI_NEW = 8 };

static unsigned device_arch(void) {
  const char *text = getenv("SIM_CUDA_ARCH");
  return text ? (unsigned)atoi(text) : 90;
}

static size_t extent(const Elf64_Ehdr *header) {
  size_t end = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
  size_t segments = header->e_phoff + (size_t)header->e_phnum * header->e_phentsize;
  return end > segments ? end : segments;
}

static CUresult load_elf(CUcontext context, const void *image, CUmodule module) {
  const Elf64_Ehdr *header = image;
  const char *why;
  if (header->e_machine != 190) return CUDA_ERROR_INVALID_IMAGE;
  int osabi = header->e_ident[EI_OSABI];
  if (osabi != OSABI_OLD && osabi != OSABI_NEW) return CUDA_ERROR_INVALID_IMAGE;
  /* R580 is the first driver that accepts ABI version 8 (ptxas 13) */
  if (header->e_ident[EI_ABIVERSION] >= ABI_NEW && cuda_sim_driver() < 13000)
    return CUDA_ERROR_INVALID_IMAGE;
  unsigned arch = osabi == OSABI_OLD ? header->e_flags & 0xff : header->e_flags >> 8 & 0xff;
  if (arch / 10 != device_arch() / 10 || arch > device_arch()) return CUDA_ERROR_NO_BINARY_FOR_GPU;
  module->module = sim_module_load(context->device, image, extent(header), &why);
  if (module->module) return CUDA_SUCCESS;
  fprintf(stderr, "sim: image rejected: %s\n", why);
  return strstr(why, "memory") ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_IMAGE;
}

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static CUresult load_ptx(CUcontext context, const char *text, CUmodule module, char *log,
                         size_t log_size) {
  const char *target = strstr(text, ".target sm_"), *hex = strstr(text, "//sim-image: ");
  const char *version = strstr(text, ".version ");
  int driver = cuda_sim_driver(), major = 0, minor = 0;
  /* PTX 7.N belongs to CUDA 11.N, 8.N to 12.N up to 8.5, 9.N to 13.N */
  if (version && sscanf(version, ".version %d.%d", &major, &minor) == 2 &&
      (major + 4) * 1000 + minor * 10 > driver) {
    snprintf(log, log_size,
             "ptxas application ptx input, line 9; fatal: Unsupported .version %d.%d", major,
             minor);
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  if (target && (unsigned)atoi(target + 11) > device_arch()) {
    snprintf(log, log_size, "ptxas fatal: Program with .target '%.5s' cannot be compiled to sm_%u",
             target + 8, device_arch());
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (!target || !hex) {
    snprintf(log, log_size,
             "ptxas application ptx input, line 3; fatal: Parsing error near 'oops'");
    return CUDA_ERROR_INVALID_PTX;
  }
  hex += strlen("//sim-image: ");
  size_t size = 0;
  unsigned char *bytes = malloc(strlen(hex) / 2 + 1);
  if (!bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  for (; digit(hex[0]) >= 0 && digit(hex[1]) >= 0; hex += 2)
    bytes[size++] = (unsigned char)(digit(hex[0]) << 4 | digit(hex[1]));
  CUresult result =
      size > sizeof(Elf64_Ehdr) ? load_elf(context, bytes, module) : CUDA_ERROR_INVALID_PTX;
  free(bytes);
  return result;
}

CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, int *options,
                            void **values) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  sim_device_flush(context->device);
  char *log = NULL;
  size_t log_size = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) log = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) log_size = (size_t)values[i];
  }
  CUmodule module = calloc(1, sizeof *module);
  if (!module) return CUDA_ERROR_OUT_OF_MEMORY;
  module->context = context;
  CUresult result = memcmp(image, ELFMAG, SELFMAG) == 0
                        ? load_elf(context, image, module)
                        : load_ptx(context, image, module, log, log_size);
  if (result) {
    free(module);
    return result;
  }
  cuda_sim_handle_add(module, HANDLE_MODULE, "module");
  *out = module;
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  sim_device_flush(context->device);
  if (cuda_sim_handle_remove(module, HANDLE_MODULE, "module")) return CUDA_ERROR_INVALID_HANDLE;
  sim_module_unload(module->module);
  for (struct CUfunc_st *f = module->functions, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  free(module);
  return entered;
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name) {
  CUcontext context;
  uint64_t bytes;
  ENTER_CONTEXT(&context);
  if (!cuda_sim_handle_ok(module, HANDLE_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
  if (!*name) return CUDA_ERROR_INVALID_VALUE; /* observed: driver 580 on an H200 */
  uint64_t entry = sim_module_symbol(module->module, name, 1, &bytes);
  if (!entry) return CUDA_ERROR_NOT_FOUND;
  pthread_mutex_lock(&cuda_sim_lock);
  CUfunction f = module->functions;
  while (f && strcmp(f->name, name) != 0) f = f->next;
  if (!f && (f = calloc(1, sizeof *f + strlen(name) + 1))) {
    f->module = module;
    f->entry = entry;
    f->dynamic_shared = 48 << 10;
    strcpy(f->name, name);
    f->next = module->functions;
    module->functions = f;
  }
  pthread_mutex_unlock(&cuda_sim_lock);
  *out = f;
  return f ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name) {
  CUcontext context;
  uint64_t size;
  ENTER_CONTEXT(&context);
  if (!cuda_sim_handle_ok(module, HANDLE_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
  uint64_t at = sim_module_symbol(module->module, name, 0, &size);
  if (!at) return CUDA_ERROR_NOT_FOUND;
  *address = at;
  *bytes = size;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 1024;
    return CUDA_SUCCESS;
  /* ptxas counts only variables that the kernel reaches */
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = (int)sim_module_shared(function->module->module);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    pthread_mutex_lock(&cuda_sim_lock);
    *value = function->dynamic_shared;
    pthread_mutex_unlock(&cuda_sim_lock);
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      (uint32_t)value + sim_module_shared(function->module->module) > 227 << 10)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&cuda_sim_lock);
  function->dynamic_shared = value;
  pthread_mutex_unlock(&cuda_sim_lock);
  return CUDA_SUCCESS;
}
