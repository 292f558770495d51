/* Prepares arbitrary bytes as a CPU image. */
#include "backends/host/elf/load.h"
#include "backends/host/elf/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"value", "outer_kernel", "tls_sum", "counter", ""};
  solo_host_elf *m;
  if (solo_host_elf_prepare(solo_span_of(data, size), 0, &m) != SOLO_OK) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Elf64_Sym symbol;
    solo_host_elf_key key = solo_host_elf_key_of(names[i]);
    for (uint32_t k = solo_host_elf_names_next(&m->names, &key, 0, &symbol); k;)
      k = solo_host_elf_names_next(&m->names, &key, k, &symbol);
  }
  solo_host_elf_unload(m);
  return 0;
}
