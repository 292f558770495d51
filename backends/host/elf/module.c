#include "backends/host/elf/module.h"

const Elf64_Phdr *solo_host_elf_segment_of(const solo_host_elf *m, uint64_t address, uint64_t size,
                                           uint32_t flags) {
  for (uint32_t i = 0; i < m->segment_count; i++) {
    const Elf64_Phdr *s = &m->segments[i];
    if (address >= s->p_vaddr && address - s->p_vaddr <= s->p_memsz &&
        size <= s->p_memsz - (address - s->p_vaddr) && (s->p_flags & flags) == flags)
      return s;
  }
  return NULL;
}
