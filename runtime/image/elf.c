#include "runtime/image/elf.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ELF fields are copied as they lie");

typedef unsigned long long ull;

bool solo_elf_is(solo_span bytes) {
  return bytes.size >= SELFMAG && memcmp(bytes.data, ELFMAG, SELFMAG) == 0;
}

static solo_status check_header(const Elf64_Ehdr *header) {
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 0: wrong magic bytes");
  if (header->e_ident[EI_CLASS] != ELFCLASS64)
    return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 4: class %d, only 64-bit files are read",
                     header->e_ident[EI_CLASS]);
  if (header->e_ident[EI_DATA] != ELFDATA2LSB)
    return solo_fail(SOLO_BAD_IMAGE,
                     "ELF at offset 5: data encoding %d, only little endian is read",
                     header->e_ident[EI_DATA]);
  if (header->e_ident[EI_VERSION] != EV_CURRENT)
    return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 6: version %d, expected 1",
                     header->e_ident[EI_VERSION]);
  if (header->e_phoff && header->e_phnum && header->e_phentsize != sizeof(Elf64_Phdr))
    return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 54: program headers of %u bytes, expected %zu",
                     header->e_phentsize, sizeof(Elf64_Phdr));
  if (header->e_shoff && header->e_shentsize != sizeof(Elf64_Shdr))
    return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 58: section headers of %u bytes, expected %zu",
                     header->e_shentsize, sizeof(Elf64_Shdr));
  return SOLO_OK;
}

static solo_status reach(solo_span bytes, uint64_t *extent, uint64_t offset, uint64_t size,
                         const char *part, uint32_t index) {
  if (!solo_span_has(bytes, offset, size))
    return solo_fail(
        SOLO_BAD_IMAGE,
        "ELF: %s %u at offset 0x%llx with 0x%llx bytes exceeds the image of 0x%llx bytes", part,
        index, (ull)offset, (ull)size, (ull)bytes.size);
  if (offset + size > *extent) *extent = offset + size;
  return SOLO_OK;
}

/* For 65,280 or more sections, or 65,535 or more segments, section 0 contains the counts, because
 * the header fields are too small. */
static solo_status counts(solo_span bytes, const Elf64_Ehdr *header, solo_elf *elf,
                          uint32_t *out_names) {
  elf->segment_count = header->e_phoff ? header->e_phnum : 0;
  elf->section_count = header->e_shoff ? header->e_shnum : 0;
  *out_names = header->e_shstrndx;
  bool escaped = header->e_shoff && (header->e_shnum == 0 || header->e_phnum == PN_XNUM ||
                                     header->e_shstrndx == SHN_XINDEX);
  if (!escaped) return SOLO_OK;
  Elf64_Shdr zero;
  if (!solo_span_read(bytes, header->e_shoff, &zero, sizeof zero))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: section header 0 at offset 0x%llx exceeds the image",
                     (ull)header->e_shoff);
  if (header->e_shnum == 0) {
    if (zero.sh_size > UINT32_MAX)
      return solo_fail(SOLO_BAD_IMAGE, "ELF: section header 0 counts 0x%llx sections",
                       (ull)zero.sh_size);
    elf->section_count = (uint32_t)zero.sh_size;
  }
  if (header->e_phnum == PN_XNUM) elf->segment_count = zero.sh_info;
  if (header->e_shstrndx == SHN_XINDEX) *out_names = zero.sh_link;
  return SOLO_OK;
}

solo_status solo_elf_open(solo_span bytes, solo_elf *out) {
  Elf64_Ehdr header;
  if (!solo_span_read(bytes, 0, &header, sizeof header))
    return solo_fail(SOLO_BAD_IMAGE, "ELF: %zu bytes are too few for a header of %zu", bytes.size,
                     sizeof header);
  SOLO_TRY(check_header(&header));
  solo_elf elf = {.file = bytes,
                  .type = header.e_type,
                  .machine = header.e_machine,
                  .osabi = header.e_ident[EI_OSABI],
                  .abi_version = header.e_ident[EI_ABIVERSION],
                  .flags = header.e_flags,
                  .entry = header.e_entry,
                  .segments_offset = header.e_phoff,
                  .sections_offset = header.e_shoff};
  uint32_t names;
  SOLO_TRY(counts(bytes, &header, &elf, &names));
  uint64_t extent = sizeof header;
  SOLO_TRY(reach(bytes, &extent, elf.segment_count ? elf.segments_offset : 0,
                 (uint64_t)elf.segment_count * sizeof(Elf64_Phdr), "program header table of",
                 elf.segment_count));
  SOLO_TRY(reach(bytes, &extent, elf.section_count ? elf.sections_offset : 0,
                 (uint64_t)elf.section_count * sizeof(Elf64_Shdr), "section header table of",
                 elf.section_count));
  for (uint32_t i = 0; i < elf.segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(&elf, i);
    if (s.p_type == PT_NULL || s.p_filesz == 0) continue;
    SOLO_TRY(reach(bytes, &extent, s.p_offset, s.p_filesz, "segment", i));
    if (s.p_type == PT_LOAD && s.p_filesz > s.p_memsz)
      return solo_fail(SOLO_BAD_IMAGE, "ELF: segment %u has more bytes in the file than in memory",
                       i);
  }
  for (uint32_t i = 0; i < elf.section_count; i++) {
    Elf64_Shdr s = solo_elf_section(&elf, i);
    if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS || s.sh_size == 0) continue;
    SOLO_TRY(reach(bytes, &extent, s.sh_offset, s.sh_size, "section", i));
  }
  elf.file.size = (size_t)extent;
  if (names != SHN_UNDEF && elf.section_count) {
    if (names >= elf.section_count)
      return solo_fail(SOLO_BAD_IMAGE, "ELF at offset 62: invalid section %u of %u for names",
                       names, elf.section_count);
    Elf64_Shdr s = solo_elf_section(&elf, names);
    elf.section_names = solo_elf_section_bytes(&elf, &s);
  }
  *out = elf;
  return SOLO_OK;
}

Elf64_Phdr solo_elf_segment(const solo_elf *elf, uint32_t index) {
  Elf64_Phdr segment = {.p_type = PT_NULL};
  if (index < elf->segment_count)
    (void)solo_span_read(elf->file, elf->segments_offset + (uint64_t)index * sizeof segment,
                         &segment, sizeof segment);
  return segment;
}

solo_span solo_elf_segment_bytes(const solo_elf *elf, const Elf64_Phdr *segment) {
  solo_span bytes = {0};
  if (segment->p_type != PT_NULL)
    (void)solo_span_sub(elf->file, segment->p_offset, segment->p_filesz, &bytes);
  return bytes;
}

solo_status solo_elf_segment_find(const solo_elf *elf, uint32_t type, Elf64_Phdr *out) {
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    Elf64_Phdr segment = solo_elf_segment(elf, i);
    if (segment.p_type != type) continue;
    *out = segment;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

solo_status solo_elf_bytes_at(const solo_elf *elf, uint64_t address, uint64_t size,
                              solo_span *out) {
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(elf, i);
    if (s.p_type != PT_LOAD || address < s.p_vaddr) continue;
    if (solo_span_sub(solo_elf_segment_bytes(elf, &s), address - s.p_vaddr, size, out))
      return SOLO_OK;
  }
  return solo_fail(SOLO_BAD_IMAGE,
                   "ELF: no loaded segment holds the 0x%llx bytes at address 0x%llx", (ull)size,
                   (ull)address);
}

Elf64_Shdr solo_elf_section(const solo_elf *elf, uint32_t index) {
  Elf64_Shdr section = {.sh_type = SHT_NULL};
  if (index < elf->section_count)
    (void)solo_span_read(elf->file, elf->sections_offset + (uint64_t)index * sizeof section,
                         &section, sizeof section);
  return section;
}

const char *solo_elf_section_name(const solo_elf *elf, const Elf64_Shdr *section) {
  const char *name = solo_span_string(elf->section_names, section->sh_name);
  return name ? name : "";
}

solo_span solo_elf_section_bytes(const solo_elf *elf, const Elf64_Shdr *section) {
  solo_span bytes = {0};
  if (section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL)
    (void)solo_span_sub(elf->file, section->sh_offset, section->sh_size, &bytes);
  return bytes;
}

solo_status solo_elf_section_by_name(const solo_elf *elf, const char *name, Elf64_Shdr *out) {
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr section = solo_elf_section(elf, i);
    if (strcmp(solo_elf_section_name(elf, &section), name) != 0) continue;
    *out = section;
    return SOLO_OK;
  }
  return SOLO_NOT_FOUND;
}

static size_t aligned(size_t value, size_t align) {
  return (value + align - 1) & ~(align - 1);
}

static solo_status find_note(solo_span notes, uint64_t align, const char *owner, uint32_t type,
                             solo_span *out) {
  size_t pad = align == 8 ? 8 : 4, at = 0, owner_size = strlen(owner) + 1;
  while (notes.size - at >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;
    solo_span name, contents;
    (void)solo_span_read(notes, at, &header, sizeof header);
    size_t name_at = at + sizeof header;
    size_t contents_at = aligned(name_at + header.n_namesz, pad);
    if (!solo_span_sub(notes, name_at, header.n_namesz, &name) ||
        !solo_span_sub(notes, contents_at, header.n_descsz, &contents))
      return solo_fail(SOLO_BAD_IMAGE, "ELF: note at offset 0x%zx of its section exceeds it", at);
    if (header.n_type == type && name.size == owner_size &&
        memcmp(name.data, owner, owner_size) == 0) {
      *out = contents;
      return SOLO_OK;
    }
    at = aligned(contents_at + header.n_descsz, pad);
    if (at > notes.size) break;
  }
  return SOLO_NOT_FOUND;
}

solo_status solo_elf_note(const solo_elf *elf, const char *owner, uint32_t type, solo_span *out) {
  bool segments = false;
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(elf, i);
    if (s.p_type != PT_NOTE) continue;
    segments = true;
    solo_status status = find_note(solo_elf_segment_bytes(elf, &s), s.p_align, owner, type, out);
    if (status != SOLO_NOT_FOUND) return status;
  }
  for (uint32_t i = 0; !segments && i < elf->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(elf, i);
    if (s.sh_type != SHT_NOTE) continue;
    solo_status status =
        find_note(solo_elf_section_bytes(elf, &s), s.sh_addralign, owner, type, out);
    if (status != SOLO_NOT_FOUND) return status;
  }
  return SOLO_NOT_FOUND;
}
