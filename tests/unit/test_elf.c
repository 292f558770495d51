/* Description: checks the ELF reader with this program, followed by zeros, and truncated at
 * every header byte and around every boundary. */
#include "runtime/image/elf.h"

#include "tests/unit/test.h"

__attribute__((visibility("default"))) int test_elf_marker = 7; /* lld makes hidden symbols local */

static solo_span load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return (solo_span){0};
  size_t room = 64u << 20, size;
  uint8_t *bytes = malloc(room);
  size = fread(bytes, 1, room, file);
  fclose(file);
  return solo_span_of(realloc(bytes, size), size);
}

static void static_symbols(const solo_elf *elf) {
  solo_elf_symbols symbols;
  solo_elf_symbol found;
  CHECK_INT(solo_elf_static_symbols(elf, &symbols), SOLO_OK);
  CHECK_INT(solo_elf_symbol_find(&symbols, "test_elf_marker", &found), SOLO_OK);
  CHECK(found.size >= sizeof test_elf_marker); /* a sanitizer adds a red zone to the size */
  CHECK_INT(found.type, STT_OBJECT);
  CHECK_INT(found.bind, STB_GLOBAL);
  solo_span value;
  CHECK_INT(solo_elf_bytes_at(elf, found.value, 4, &value), SOLO_OK);
  CHECK_INT(value.data[0], 7);
  CHECK_INT(solo_elf_symbol_find(&symbols, "no such symbol", &found), SOLO_NOT_FOUND);
  CHECK_INT(solo_elf_symbol_at(&symbols, symbols.count, &found), SOLO_BAD_IMAGE);
}

/* Without section headers, the reader finds the same dynamic symbols. */
static void dynamic_symbols(solo_span bytes) {
  solo_elf elf;
  solo_elf_symbols with, without;
  solo_elf_symbol a, b;
  CHECK_INT(solo_elf_open(bytes, &elf), SOLO_OK);
  CHECK_INT(solo_elf_dynamic_symbols(&elf, &with), SOLO_OK);
  uint8_t *copy = malloc(bytes.size);
  memcpy(copy, bytes.data, bytes.size);
  memset(copy + 40, 0, 8); /* e_shoff */
  CHECK_INT(solo_elf_open(solo_span_of(copy, bytes.size), &elf), SOLO_OK);
  CHECK_INT(elf.section_count, 0);
  CHECK_INT(solo_elf_dynamic_symbols(&elf, &without), SOLO_OK);
  /* without section headers, the hash table supplies the count, without undefined and local symbols */
  CHECK(without.count <= with.count);
  for (uint32_t i = without.count; i < with.count; i++) {
    CHECK_INT(solo_elf_symbol_at(&with, i, &a), SOLO_OK);
    CHECK(a.section == SHN_UNDEF || a.bind == STB_LOCAL);
  }
  for (uint32_t i = 0; i < with.count && i < without.count; i++) {
    CHECK_INT(solo_elf_symbol_at(&with, i, &a), SOLO_OK);
    CHECK_INT(solo_elf_symbol_at(&without, i, &b), SOLO_OK);
    if (strcmp(a.name, b.name) != 0 || a.value != b.value) CHECK(!"tables agree");
  }
  free(copy);
}

static void notes(const solo_elf *elf) {
  solo_span id;
  CHECK_INT(solo_elf_note(elf, "GNU", 3, &id), SOLO_OK);
  CHECK_INT(id.size, 20);
  CHECK_INT(solo_elf_note(elf, "AMDGPU", 32, &id), SOLO_NOT_FOUND);
}

static void sections(const solo_elf *elf) {
  Elf64_Shdr text;
  CHECK_INT(solo_elf_section_by_name(elf, ".text", &text), SOLO_OK);
  CHECK_TEXT(solo_elf_section_name(elf, &text), ".text");
  CHECK_INT(solo_elf_section_bytes(elf, &text).size, text.sh_size);
  CHECK_INT(solo_elf_section_by_name(elf, ".none", &text), SOLO_NOT_FOUND);
  CHECK_INT(solo_elf_section_by_name(elf, ".bss", &text), SOLO_OK);
  CHECK_INT(solo_elf_section_bytes(elf, &text).size, 0);
  CHECK_INT(solo_elf_section(elf, elf->section_count).sh_type, SHT_NULL);
  CHECK_INT(solo_elf_segment(elf, elf->segment_count).p_type, PT_NULL);
}

static void refusals(solo_span bytes) {
  solo_elf elf;
  uint8_t copy[64];
  CHECK_INT(solo_elf_open(solo_span_of(bytes.data, 63), &elf), SOLO_BAD_IMAGE);
  CHECK_HAS(solo_error_last()->text, "too few");
  memcpy(copy, bytes.data, 64);
  CHECK_INT(solo_elf_open(solo_span_of(copy, 64), &elf), SOLO_BAD_IMAGE);
  CHECK_HAS(solo_error_last()->text, "exceeds the image");
  copy[4] = ELFCLASS32;
  CHECK_INT(solo_elf_open(solo_span_of(copy, 64), &elf), SOLO_BAD_IMAGE);
  CHECK_HAS(solo_error_last()->text, "offset 4: class 1");
  copy[4] = ELFCLASS64, copy[5] = ELFDATA2MSB;
  CHECK_INT(solo_elf_open(solo_span_of(copy, 64), &elf), SOLO_BAD_IMAGE);
  CHECK_HAS(solo_error_last()->text, "offset 5");
}

/* Checks that a truncated file is rejected. The copy ends at the end of its memory, so that
 * AddressSanitizer detects reads beyond the copy. room: memory of bytes.size bytes. */
static void cut(solo_span bytes, uint8_t *room, uint64_t size) {
  if (size >= bytes.size) return;
  solo_elf elf;
  uint8_t *begin = room + (bytes.size - size);
  memcpy(begin, bytes.data, size);
  CHECK_INT(solo_elf_open(solo_span_of(begin, size), &elf), SOLO_BAD_IMAGE);
}

static void cut_around(solo_span bytes, uint8_t *room, uint64_t offset, uint64_t size) {
  for (uint64_t n = 0; n < 3; n++) {
    cut(bytes, room, offset + n - 1); /* for offset 0 the value wraps, and cut() ignores it */
    cut(bytes, room, offset + size + n - 1);
  }
}

static void cuts(const solo_elf *elf) {
  solo_span bytes = elf->file;
  uint8_t *room = malloc(bytes.size);
  for (uint64_t size = 0; size < 4096; size++) cut(bytes, room, size);
  for (uint64_t size = 4096; size < bytes.size; size += size / 16) cut(bytes, room, size);
  cut_around(bytes, room, elf->segments_offset, elf->segment_count * sizeof(Elf64_Phdr));
  for (uint32_t i = 0; i < elf->section_count; i++) {
    Elf64_Shdr s = solo_elf_section(elf, i);
    cut_around(bytes, room, s.sh_offset, s.sh_type == SHT_NOBITS ? 0 : s.sh_size);
    cut_around(bytes, room, elf->sections_offset + i * sizeof s, sizeof s);
  }
  for (uint32_t i = 0; i < elf->segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(elf, i);
    cut_around(bytes, room, s.p_offset, s.p_filesz);
  }
  cut(bytes, room, bytes.size - 1);
  free(room);
}

/* Without section headers, the end of the last segment is the end of the file. */
static void without_sections(solo_span bytes) {
  uint8_t *copy = malloc(bytes.size);
  memcpy(copy, bytes.data, bytes.size);
  memset(copy + 40, 0, 8); /* e_shoff */
  solo_elf elf;
  CHECK_INT(solo_elf_open(solo_span_of(copy, bytes.size), &elf), SOLO_OK);
  uint64_t end = 0;
  for (uint32_t i = 0; i < elf.segment_count; i++) {
    Elf64_Phdr s = solo_elf_segment(&elf, i);
    if (s.p_offset + s.p_filesz > end) end = s.p_offset + s.p_filesz;
  }
  CHECK_INT(elf.file.size, end);
  CHECK(end < bytes.size);
  cuts(&elf);
  free(copy);
}

int main(int argc, char **argv) {
  (void)argc;
  solo_span bytes = load(argv[0]);
  solo_elf elf;
  CHECK_INT(solo_elf_open(bytes, &elf), SOLO_OK);
  CHECK_INT(elf.file.size, bytes.size);
  CHECK(solo_elf_is(bytes));
  CHECK_INT(elf.machine == SOLO_ARCH_ELF_MACHINE, 1);
  sections(&elf);
  static_symbols(&elf);
  notes(&elf);
  dynamic_symbols(bytes);
  refusals(bytes);
  cuts(&elf);
  without_sections(bytes);

  /* Bytes after the file are ignored. */
  uint8_t *padded = calloc(1, bytes.size + 7);
  memcpy(padded, bytes.data, bytes.size);
  CHECK_INT(solo_elf_open(solo_span_of(padded, bytes.size + 7), &elf), SOLO_OK);
  CHECK_INT(elf.file.size, bytes.size);
  free(padded);
  free((void *)(uintptr_t)bytes.data);
  return TEST_RESULT();
}
