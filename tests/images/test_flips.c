/* Description: files that are truncated or have changed header bytes are read or rejected without a
 * crash (AddressSanitizer). */
#include "runtime/image/amdgpu_metadata.h"
#include "runtime/image/choose.h"

#include "tests/images/files.h"

static long read_as_image, refused;

/* Calls each function that the library calls for an image. */
static solo_status ask(void *context, const solo_image *image) {
  solo_elf elf;
  solo_elf_symbols symbols;
  solo_elf_symbol symbol;
  solo_amdgpu_metadata metadata;
  char words[96];
  (void)context;
  read_as_image++;
  solo_image_describe(image, words, sizeof words);
  if (image->kind != SOLO_IMAGE_ELF || solo_elf_open(image->bytes, &elf) != SOLO_OK) return SOLO_OK;
  if (solo_elf_static_symbols(&elf, &symbols) == SOLO_OK)
    (void)!solo_elf_symbol_find(&symbols, "none", &symbol);
  if (solo_elf_dynamic_symbols(&elf, &symbols) == SOLO_OK)
    (void)!solo_elf_symbol_find(&symbols, "none", &symbol);
  elf.section_count = 0; /* without sections, the dynamic segment supplies the symbols */
  if (solo_elf_dynamic_symbols(&elf, &symbols) == SOLO_OK)
    (void)!solo_elf_symbol_find(&symbols, "none", &symbol);
  (void)!solo_amdgpu_metadata_open(&elf, &metadata);
  return SOLO_OK;
}

static void try_bytes(solo_span bytes) {
  solo_error_clear();
  if (solo_image_visit(bytes, ask, NULL) == SOLO_OK) return;
  refused++;
  if (!solo_error_last()->text[0]) CHECK(!"a rejection without a reason");
}

static void try_file(const char *name, size_t header) {
  solo_span bytes = file_load(name);
  if (!bytes.data) {
    printf("missing: %s\n", name);
    return;
  }
  static const uint8_t changes[] = {0x01, 0x80, 0xff};
  uint8_t *copy = file_bytes(bytes);
  if (header > bytes.size) header = bytes.size;
  for (size_t i = 0; i < header; i++) {
    for (size_t c = 0; c < sizeof changes; c++) {
      copy[i] ^= changes[c];
      try_bytes(bytes);
      copy[i] ^= changes[c];
    }
    uint8_t old = copy[i];
    copy[i] = 0;
    try_bytes(bytes);
    copy[i] = old;
  }
  for (size_t size = 0; size < bytes.size; size += size < 512 ? 1 : 61) {
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, bytes.data, size);
    try_bytes(solo_span_of(exact, size));
    free(exact);
  }
  test_checks++;
  file_free(bytes);
}

int main(int argc, char **argv) {
  if (argc > 1) files_folder = argv[1];
  /* The second argument is the number of bytes to change, from the start of the file. */
  try_file("x86_64.so", 64 + 56 * 12);
  try_file("gfx900.co", 5000);
  try_file("gfx90a.co", 6000);
  try_file("v4.co", 4200);
  try_file("sm_80.cubin", 64 + 56 * 6);
  try_file("sm_80.ptx", 100);
  try_file("packager-19.bin", 200);
  try_file("packager-22.bin", 200);
  try_file("bundle-19.hipfb", 200);
  try_file("ccob-19.hipfb", 2100);
  try_file("ccob-22.hipfb", 2100);
  try_file("text-19.s", 200);
  try_file("ptx-none.fatbin", 100);
  try_file("ptx-size.fatbin", 300);
  try_file("ptx-speed.fatbin", 400);
  try_file("fresh-size.fatbin", 200);
  printf("%ld images read, %ld files rejected\n", read_as_image, refused);
  CHECK(read_as_image > 1000 && refused > 1000);
  return TEST_RESULT();
}
