/* Description: changed and truncated images load or are rejected without a crash. Argument: folder
 * of the images. */
#include "backends/host/elf/load.h"
#include "runtime/image/elf.h"
#include "tests/loader/image_file.h"
#include "tests/unit/test.h"

static long loaded, refused;

/* An image that loads must compute the right value. */
static void try_image(solo_span image) {
  solo_host_elf *m;
  test_checks++;
  if (solo_host_elf_load(image, 0, &m) != SOLO_OK) {
    refused++;
    return;
  }
  loaded++;
  void *address;
  uint64_t size;
  if (solo_host_elf_symbol(m, "value", &address, &size) == SOLO_OK)
    CHECK_INT(((int (*)(void))(uintptr_t)address)(), 7);
  solo_host_elf_unload(m);
}

static void damage(solo_span image, uint64_t offset, uint64_t size) {
  static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x10, 0x08};
  unsigned char *bytes = (unsigned char *)malloc(image.size);
  memcpy(bytes, image.data, image.size);
  for (uint64_t at = offset; at < offset + size; at++) {
    for (size_t k = 0; k < sizeof changes; k++) {
      bytes[at] = image.data[at] ^ changes[k];
      try_image(solo_span_of(bytes, image.size));
    }
    bytes[at] = 0;
    if (image.data[at]) try_image(solo_span_of(bytes, image.size));
    bytes[at] = image.data[at];
    for (size_t size = 4; size <= 8 && at % size == 0 && at + size <= image.size; size += 4) {
      memset(bytes + at, 0xff, size);
      try_image(solo_span_of(bytes, image.size));
      memcpy(bytes + at, image.data + at, size);
    }
  }
  free(bytes);
}

/* An exact allocation lets AddressSanitizer detect reads beyond the end. */
static void cut(solo_span image) {
  for (size_t size = 0; size < image.size; size += size < 2048 ? 1 : 61) {
    unsigned char *bytes = (unsigned char *)malloc(size ? size : 1);
    memcpy(bytes, image.data, size);
    solo_host_elf *m;
    CHECK(solo_host_elf_load(solo_span_of(bytes, size), 0, &m) != SOLO_OK);
    free(bytes);
  }
}

#ifdef __x86_64__
enum { RELATIVE = R_X86_64_RELATIVE, INDIRECT = R_X86_64_IRELATIVE };
#else
enum { RELATIVE = R_AARCH64_RELATIVE, INDIRECT = 1032 /* R_AARCH64_IRELATIVE */ };
#endif

/* Returns NULL if no segment matches. */
static const Elf64_Phdr *segment_of(const Elf64_Ehdr *e, uint64_t address, uint32_t flags) {
  const Elf64_Phdr *p = (const Elf64_Phdr *)((const char *)e + e->e_phoff);
  for (int i = 0; i < e->e_phnum; i++)
    if (p[i].p_type == PT_LOAD && address - p[i].p_vaddr < p[i].p_filesz &&
        (p[i].p_flags & flags) == flags)
      return &p[i];
  return NULL;
}

/* Makes an IRELATIVE relocation refer to read-only bytes. The loader must reject the image;
 * otherwise the write faults. */
static void write_to_read_only(solo_span image, const Elf64_Phdr *dynamic) {
  const Elf64_Ehdr *e = (const Elf64_Ehdr *)image.data;
  const Elf64_Dyn *d = (const Elf64_Dyn *)((const char *)e + dynamic->p_offset);
  uint64_t table = 0, bytes = 0;
  for (; d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_RELA) table = d->d_un.d_val;
    if (d->d_tag == DT_RELASZ) bytes = d->d_un.d_val;
  }
  const Elf64_Phdr *p = segment_of(e, table, 0);
  CHECK(p != NULL);
  Elf64_Rela *r = p ? (Elf64_Rela *)((const char *)e + (table - p->p_vaddr + p->p_offset)) : NULL;
  Elf64_Rela *data = NULL, *code = NULL;
  for (uint64_t i = 0; r && i < bytes / sizeof *r; i++)
    if (ELF64_R_TYPE(r[i].r_info) == RELATIVE)
      *(segment_of(e, (uint64_t)r[i].r_addend, PF_X) ? &code : &data) = &r[i];
  CHECK(data && code);
  if (!data || !code) return;
  data->r_info = ELF64_R_INFO(0, INDIRECT);
  data->r_offset = 0;
  data->r_addend = code->r_addend;
  solo_host_elf *m;
  CHECK(solo_host_elf_load(image, 0, &m) == SOLO_BAD_IMAGE);
  CHECK_HAS(solo_error_last()->text, "outside its writable data");
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  solo_span image = read_image(argv[1], "plain");
  solo_elf elf;
  Elf64_Phdr dynamic;
  CHECK_INT(solo_elf_open(image, &elf), SOLO_OK);
  CHECK_INT(solo_elf_segment_find(&elf, PT_DYNAMIC, &dynamic), SOLO_OK);
  try_image(image);
  CHECK_INT(loaded, 1);
  damage(image, 0, sizeof(Elf64_Ehdr));
  damage(image, elf.segments_offset, elf.segment_count * sizeof(Elf64_Phdr));
  damage(image, dynamic.p_offset, dynamic.p_filesz);
  damage(image, elf.sections_offset, elf.section_count * sizeof(Elf64_Shdr));
  cut(image);
  printf("%ld images rejected, %ld loaded\n", refused, loaded);
  /* the other images load, because the loader ignores names and debug sections */
  CHECK(refused > 1000);
  write_to_read_only(image, &dynamic);
  free((void *)image.data);
  return TEST_RESULT();
}
