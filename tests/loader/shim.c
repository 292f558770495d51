/* Implements shim.h. */
#include "tests/loader/shim.h"

#include "backends/host/elf/load.h"
#include "tests/loader/image_file.h"

void *shim_load(const char *folder, const char *name) {
  solo_span bytes = read_image(folder, name);
  solo_host_elf *m;
  if (solo_host_elf_load(bytes, 0, &m) != SOLO_OK) {
    printf("%s: %s\n", name, solo_error_last()->text);
    exit(1);
  }
  free((void *)bytes.data);
  return m;
}

shim_function *shim_find(void *module, const char *name) {
  void *address;
  uint64_t size;
  if (solo_host_elf_symbol(module, name, &address, &size) != SOLO_OK) {
    printf("no symbol %s\n", name);
    exit(1);
  }
  return (shim_function *)(uintptr_t)address;
}

void shim_unload(void *module) {
  solo_host_elf_unload(module);
}
