/* Fuzz target: the ELF reader. */
#include "runtime/image/elf.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint8_t sink;

static void touch(solo_span bytes) {
  if (bytes.size) sink = (uint8_t)(bytes.data[0] + bytes.data[bytes.size - 1]);
}

static void walk(const solo_elf_symbols *symbols) {
  for (uint32_t i = 0; i < symbols->count; i++) {
    solo_elf_symbol symbol;
    if (solo_elf_symbol_at(symbols, i, &symbol) == SOLO_OK) sink = (uint8_t)strlen(symbol.name);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  solo_elf elf;
  solo_elf_symbols symbols;
  solo_span bytes;
  uint64_t value;
  if (solo_elf_open(solo_span_of(data, size), &elf) != SOLO_OK) return 0;
  if (elf.file.size > size) abort();
  for (uint32_t i = 0; i < elf.segment_count; i++) {
    Elf64_Phdr segment = solo_elf_segment(&elf, i);
    touch(solo_elf_segment_bytes(&elf, &segment));
    if (solo_elf_bytes_at(&elf, segment.p_vaddr, segment.p_filesz, &bytes) == SOLO_OK) touch(bytes);
  }
  for (uint32_t i = 0; i < elf.section_count; i++) {
    Elf64_Shdr section = solo_elf_section(&elf, i);
    sink = (uint8_t)strlen(solo_elf_section_name(&elf, &section));
    touch(solo_elf_section_bytes(&elf, &section));
  }
  if (solo_elf_static_symbols(&elf, &symbols) == SOLO_OK) walk(&symbols);
  if (solo_elf_dynamic_symbols(&elf, &symbols) == SOLO_OK) walk(&symbols);
  if (solo_elf_dynamic(&elf, DT_STRTAB, &value) == SOLO_OK) sink = (uint8_t)value;
  if (solo_elf_note(&elf, "GNU", 3, &bytes) == SOLO_OK) touch(bytes);
  elf.section_count = 0; /* as in a stripped file */
  if (solo_elf_dynamic_symbols(&elf, &symbols) == SOLO_OK) walk(&symbols);
  return 0;
}
