/* A bounds-checked reader of 64-bit little-endian ELF files: what loaders, tools and parsers share.
 *
 * solo_elf_open checks the header, both header tables and the extent of every segment and section
 * once; afterwards their bytes can be taken without further doubt. What lies inside them (names,
 * symbols, notes) is checked where it is read. Sections and segments may overlap, addresses may be
 * anything: a loader checks what it maps.
 *
 * Ownership: everything borrows from the bytes given to solo_elf_open. Threads: pure functions.
 * Errors: SOLO_BAD_IMAGE with offset and reason; SOLO_NOT_FOUND (without text: callers probe) where
 * something is looked for. Units: bytes; addresses as in the file (before any load bias).
 * Source: System V ABI, chapters 4 and 5, and the GNU_HASH layout as binutils writes it.
 */
#ifndef SOLO_IMAGE_ELF_H
#define SOLO_IMAGE_ELF_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include <elf.h>

enum {
  SOLO_SHT_LLVM_OFFLOADING = 0x6fff4c0b, /* OffloadBinary containers, one behind the other */
};

typedef struct solo_elf {
  solo_span file; /* exact extent: what the headers reach, without padding behind it */
  uint16_t type, machine;
  uint8_t osabi, abi_version;
  uint32_t flags;
  uint64_t entry;
  uint32_t segment_count;
  uint32_t section_count;
  uint64_t segments_offset;
  uint64_t sections_offset;
  solo_span section_names; /* empty: none */
} solo_elf;

/* Does it begin like an ELF file of any class? */
bool solo_elf_is(solo_span bytes);

/* Opens the ELF file at the start of bytes; bytes may be longer (container padding). */
solo_status solo_elf_open(solo_span bytes, solo_elf *out) SOLO_MUST_CHECK;

/* --- segments --------------------------------------------------------------------------------- */

/* index < segment_count. */
Elf64_Phdr solo_elf_segment(const solo_elf *elf, uint32_t index);
/* The p_filesz bytes of a segment. */
solo_span solo_elf_segment_bytes(const solo_elf *elf, const Elf64_Phdr *segment);
/* First segment of this type: NOT_FOUND. */
solo_status solo_elf_segment_find(const solo_elf *elf, uint32_t type, Elf64_Phdr *out);
/* File bytes behind [address, address + size), which must lie in one loaded segment's file part. */
solo_status solo_elf_bytes_at(const solo_elf *elf, uint64_t address, uint64_t size,
                              solo_span *out) SOLO_MUST_CHECK;

/* --- sections --------------------------------------------------------------------------------- */

/* index < section_count. */
Elf64_Shdr solo_elf_section(const solo_elf *elf, uint32_t index);
/* "" when the name lies outside the name table. */
const char *solo_elf_section_name(const solo_elf *elf, const Elf64_Shdr *section);
/* Contents; empty for SHT_NOBITS and SHT_NULL. */
solo_span solo_elf_section_bytes(const solo_elf *elf, const Elf64_Shdr *section);
/* First section of this name: NOT_FOUND when there is none. */
solo_status solo_elf_section_by_name(const solo_elf *elf, const char *name, Elf64_Shdr *out);

/* --- symbols ---------------------------------------------------------------------------------- */

typedef struct solo_elf_symbols {
  solo_span table;   /* count x Elf64_Sym */
  solo_span strings; /* NUL-terminated names */
  solo_span wide;    /* SHT_SYMTAB_SHNDX: 32-bit section numbers; empty: none */
  uint32_t count;    /* with the null symbol at 0 */
} solo_elf_symbols;

typedef struct solo_elf_symbol {
  const char *name; /* never NULL */
  uint64_t value, size;
  uint32_t section; /* SHN_UNDEF, SHN_ABS, SHN_COMMON, or an index (SHN_XINDEX resolved) */
  uint8_t type, bind, visibility; /* STT_, STB_, STV_ */
} solo_elf_symbol;

/* The table of an SHT_SYMTAB section (static) or of the dynamic linker; the latter from section
 * headers or, stripped of those, from the dynamic segment (its count then comes from DT_HASH or
 * DT_GNU_HASH). NOT_FOUND: there is none. */
solo_status solo_elf_static_symbols(const solo_elf *elf, solo_elf_symbols *out) SOLO_MUST_CHECK;
solo_status solo_elf_dynamic_symbols(const solo_elf *elf, solo_elf_symbols *out) SOLO_MUST_CHECK;

/* index < count. */
solo_status solo_elf_symbol_at(const solo_elf_symbols *symbols, uint32_t index,
                               solo_elf_symbol *out) SOLO_MUST_CHECK;
/* The defined global or weak symbol of this name, by linear search: NOT_FOUND. */
solo_status solo_elf_symbol_find(const solo_elf_symbols *symbols, const char *name,
                                 solo_elf_symbol *out) SOLO_MUST_CHECK;

/* --- dynamic segment and notes ---------------------------------------------------------------- */

/* Value of the first entry of this tag in the dynamic segment: NOT_FOUND. */
solo_status solo_elf_dynamic(const solo_elf *elf, int64_t tag, uint64_t *out) SOLO_MUST_CHECK;

/* Contents of the first note of this owner and type (note segments, else note sections): NOT_FOUND.
 */
solo_status solo_elf_note(const solo_elf *elf, const char *owner, uint32_t type,
                          solo_span *out) SOLO_MUST_CHECK;

#endif
