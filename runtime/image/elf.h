/* Bounds-checked reader of 64-bit little-endian ELF files (System V ABI, chapters 4 and 5).
 * solo_elf_open checks the header, both tables and the extent of each segment and section. Names,
 * symbols and notes are checked when they are read. Results borrow from the input. Errors:
 * BAD_IMAGE with offset and reason; NOT_FOUND without text. Addresses are virtual addresses before
 * relocation. */
#ifndef SOLO_IMAGE_ELF_H
#define SOLO_IMAGE_ELF_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include <elf.h>

enum {
  SOLO_SHT_LLVM_OFFLOADING = 0x6fff4c0b, /* concatenated OffloadBinary containers */
};

typedef struct solo_elf {
  solo_span file; /* exact extent, without padding after the file */
  uint16_t type, machine;
  uint8_t osabi, abi_version;
  uint32_t flags;
  uint64_t entry;
  uint32_t segment_count;
  uint32_t section_count;
  uint64_t segments_offset;
  uint64_t sections_offset;
  solo_span section_names;
} solo_elf;

bool solo_elf_is(solo_span bytes);

/* Opens the ELF file at the start of bytes. The bytes may extend beyond the file. */
solo_status solo_elf_open(solo_span bytes, solo_elf *out) SOLO_MUST_CHECK;

Elf64_Phdr solo_elf_segment(const solo_elf *elf, uint32_t index);
solo_span solo_elf_segment_bytes(const solo_elf *elf, const Elf64_Phdr *segment);
solo_status solo_elf_segment_find(const solo_elf *elf, uint32_t type, Elf64_Phdr *out);
/* Sets *out to the file's bytes of [address, address + size). This range must be in the file part
 * of one loaded segment. */
solo_status solo_elf_bytes_at(const solo_elf *elf, uint64_t address, uint64_t size,
                              solo_span *out) SOLO_MUST_CHECK;

Elf64_Shdr solo_elf_section(const solo_elf *elf, uint32_t index);
const char *solo_elf_section_name(const solo_elf *elf, const Elf64_Shdr *section);
solo_span solo_elf_section_bytes(const solo_elf *elf, const Elf64_Shdr *section);
solo_status solo_elf_section_by_name(const solo_elf *elf, const char *name, Elf64_Shdr *out);

typedef struct solo_elf_symbols {
  solo_span table;
  solo_span strings;
  solo_span wide; /* SHT_SYMTAB_SHNDX: 32-bit section numbers; may be empty */
  uint32_t count; /* includes the null symbol */
} solo_elf_symbols;

typedef struct solo_elf_symbol {
  const char *name;
  uint64_t value, size;
  uint32_t section; /* SHN_XINDEX is resolved */
  uint8_t type, bind, visibility;
} solo_elf_symbol;

/* The section headers locate the dynamic symbol table. Without section headers, the dynamic segment
 * locates the table, and DT_HASH or DT_GNU_HASH determines the number of symbols. */
solo_status solo_elf_static_symbols(const solo_elf *elf, solo_elf_symbols *out) SOLO_MUST_CHECK;
solo_status solo_elf_dynamic_symbols(const solo_elf *elf, solo_elf_symbols *out) SOLO_MUST_CHECK;

solo_status solo_elf_symbol_at(const solo_elf_symbols *symbols, uint32_t index,
                               solo_elf_symbol *out) SOLO_MUST_CHECK;
solo_status solo_elf_symbol_find(const solo_elf_symbols *symbols, const char *name,
                                 solo_elf_symbol *out) SOLO_MUST_CHECK;

solo_status solo_elf_dynamic(const solo_elf *elf, int64_t tag, uint64_t *out) SOLO_MUST_CHECK;

solo_status solo_elf_note(const solo_elf *elf, const char *owner, uint32_t type,
                          solo_span *out) SOLO_MUST_CHECK;

#endif
