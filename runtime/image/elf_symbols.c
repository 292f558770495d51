#include "runtime/image/elf.h"

typedef unsigned long long ull;

static solo_status from_section(const solo_elf *elf, uint32_t index, solo_elf_symbols *out) {
  Elf64_Shdr section = solo_elf_section(elf, index);
  if (section.sh_entsize != sizeof(Elf64_Sym))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: symbol section %u has entries of %llu bytes, not %zu",
                     index, (ull)section.sh_entsize, sizeof(Elf64_Sym));
  if (section.sh_link >= elf->section_count)
    return solo_fail(SOLO_BAD_IMAGE, "ELF: symbol section %u names section %u of %u for strings",
                     index, section.sh_link, elf->section_count);
  Elf64_Shdr strings = solo_elf_section(elf, section.sh_link);
  solo_elf_symbols symbols = {.table = solo_elf_section_bytes(elf, &section),
                              .strings = solo_elf_section_bytes(elf, &strings)};
  if (symbols.table.size / sizeof(Elf64_Sym) > UINT32_MAX)
    return solo_fail(SOLO_BAD_IMAGE, "ELF: symbol section %u is too long", index);
  symbols.count = (uint32_t)(symbols.table.size / sizeof(Elf64_Sym));
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr wide = solo_elf_section(elf, i);
    if (wide.sh_type == SHT_SYMTAB_SHNDX && wide.sh_link == index)
      symbols.wide = solo_elf_section_bytes(elf, &wide);
  }
  *out = symbols;
  return SOLO_OK;
}

static solo_status by_type(const solo_elf *elf, uint32_t type, solo_elf_symbols *out) {
  for (uint32_t i = 0; i < elf->section_count; i++)
    if (solo_elf_section(elf, i).sh_type == type) return from_section(elf, i, out);
  return SOLO_NOT_FOUND;
}

solo_status solo_elf_static_symbols(const solo_elf *elf, solo_elf_symbols *out) {
  return by_type(elf, SHT_SYMTAB, out);
}

solo_status solo_elf_dynamic(const solo_elf *elf, int64_t tag, uint64_t *out) {
  Elf64_Phdr segment;
  SOLO_TRY(solo_elf_segment_find(elf, PT_DYNAMIC, &segment));
  solo_span bytes = solo_elf_segment_bytes(elf, &segment);
  Elf64_Dyn entry;
  for (size_t at = 0; solo_span_read(bytes, at, &entry, sizeof entry); at += sizeof entry) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag != tag) continue;
    *out = entry.d_un.d_val;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

static bool read_u32(solo_span bytes, uint64_t offset, uint32_t *out) {
  return solo_span_read(bytes, offset, out, sizeof *out);
}

/* Returns the bytes from address to the end of the file part of its segment. */
static solo_status rest_at(const solo_elf *elf, uint64_t address, solo_span *out) {
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(elf, i);
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz) {
      uint64_t skip = address - s.p_vaddr;
      return solo_elf_bytes_at(elf, address, s.p_filesz - skip, out);
    }
  }
  return solo_fail(SOLO_BAD_IMAGE, "ELF: no loaded segment holds address 0x%llx", (ull)address);
}

/* Computes the number of symbols from a GNU hash table: {bucket count, first hashed symbol, bloom
 * words, shift}, 8-byte bloom words, buckets (first symbol of a chain), chain words (bit 0: end). */
static solo_status gnu_hash_count(const solo_elf *elf, uint64_t address, uint32_t *out) {
  solo_span table;
  SOLO_TRY(rest_at(elf, address, &table));
  uint32_t buckets, first, bloom, last = 0, word = 0;
  if (!read_u32(table, 0, &buckets) || !read_u32(table, 4, &first) || !read_u32(table, 8, &bloom))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: DT_GNU_HASH table is cut off");
  uint64_t buckets_at = 16 + (uint64_t)bloom * 8;
  uint64_t chains_at = buckets_at + (uint64_t)buckets * 4;
  for (uint32_t i = 0; i < buckets; i++) {
    uint32_t symbol;
    if (!read_u32(table, buckets_at + (uint64_t)i * 4, &symbol))
      return solo_fail(SOLO_BAD_IMAGE, "ELF: DT_GNU_HASH bucket %u lies outside its segment", i);
    if (symbol > last) last = symbol;
  }
  if (last < first) {
    *out = first; /* no symbol is hashed */
    return SOLO_OK;
  }
  do {
    if (!read_u32(table, chains_at + (uint64_t)(last - first) * 4, &word))
      return solo_fail(SOLO_BAD_IMAGE, "ELF: DT_GNU_HASH chain of symbol %u exceeds its segment",
                       last);
    last++;
  } while (!(word & 1) && last != UINT32_MAX);
  *out = last;
  return SOLO_OK;
}

static solo_status dynamic_count(const solo_elf *elf, uint32_t *out) {
  uint64_t address;
  if (solo_elf_dynamic(elf, DT_HASH, &address) == SOLO_OK) {
    solo_span header;
    SOLO_TRY(solo_elf_bytes_at(elf, address, 8, &header));
    (void)read_u32(header, 4, out);
    return SOLO_OK;
  }
  SOLO_TRY(solo_elf_dynamic(elf, DT_GNU_HASH, &address));
  return gnu_hash_count(elf, address, out);
}

solo_status solo_elf_dynamic_symbols(const solo_elf *elf, solo_elf_symbols *out) {
  solo_status status = by_type(elf, SHT_DYNSYM, out);
  if (status != SOLO_NOT_FOUND) return status;
  uint64_t table, strings, strings_size;
  SOLO_TRY(solo_elf_dynamic(elf, DT_SYMTAB, &table));
  SOLO_TRY(solo_elf_dynamic(elf, DT_STRTAB, &strings));
  SOLO_TRY(solo_elf_dynamic(elf, DT_STRSZ, &strings_size));
  solo_elf_symbols symbols = {0};
  SOLO_TRY(dynamic_count(elf, &symbols.count));
  SOLO_TRY(
      solo_elf_bytes_at(elf, table, (uint64_t)symbols.count * sizeof(Elf64_Sym), &symbols.table));
  SOLO_TRY(solo_elf_bytes_at(elf, strings, strings_size, &symbols.strings));
  *out = symbols;
  return SOLO_OK;
}

solo_status solo_elf_symbol_at(const solo_elf_symbols *symbols, uint32_t index,
                               solo_elf_symbol *out) {
  Elf64_Sym raw;
  if (!solo_span_read(symbols->table, (uint64_t)index * sizeof raw, &raw, sizeof raw))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: symbol %u of %u", index, symbols->count);
  const char *name = raw.st_name ? solo_span_string(symbols->strings, raw.st_name) : "";
  if (!name)
    return solo_fail(SOLO_BAD_IMAGE,
                     "ELF: name of symbol %u (string offset 0x%x) exceeds its table", index,
                     raw.st_name);
  uint32_t section = raw.st_shndx;
  if (section == SHN_XINDEX && !read_u32(symbols->wide, (uint64_t)index * 4, &section))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: symbol %u (%s) has no wide section number", index, name);
  *out = (solo_elf_symbol){.name = name,
                           .value = raw.st_value,
                           .size = raw.st_size,
                           .section = section,
                           .type = ELF64_ST_TYPE(raw.st_info),
                           .bind = ELF64_ST_BIND(raw.st_info),
                           .visibility = ELF64_ST_VISIBILITY(raw.st_other)};
  return SOLO_OK;
}

solo_status solo_elf_symbol_find(const solo_elf_symbols *symbols, const char *name,
                                 solo_elf_symbol *out) {
  for (uint32_t i = 1; i < symbols->count; i++) {
    solo_elf_symbol symbol;
    SOLO_TRY(solo_elf_symbol_at(symbols, i, &symbol));
    if (symbol.section == SHN_UNDEF || symbol.bind == STB_LOCAL || strcmp(symbol.name, name) != 0)
      continue;
    *out = symbol;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}
