/* Replaces load.c in libsolo_linked.a, which has no loader. */
#include "backends/host/elf/load.h"

solo_status solo_host_elf_load(solo_span image, int device, solo_host_elf **out_module) {
  (void)image, (void)device, (void)out_module;
  return solo_fail(SOLO_UNSUPPORTED,
                   "this program's static library has no loader for CPU images: link with solo-cc "
                   "--runtime-images");
}

solo_status solo_host_elf_symbol(const solo_host_elf *module, const char *name, void **out_address,
                                 uint64_t *out_size) {
  (void)module, (void)name, (void)out_address, (void)out_size;
  return SOLO_NOT_FOUND;
}

int solo_host_elf_is_code(const solo_host_elf *module, const void *address) {
  (void)module, (void)address;
  return 0;
}

void solo_host_elf_unload(solo_host_elf *module) {
  (void)module;
}
