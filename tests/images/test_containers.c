/* Description: the reader extracts from every container of the real tools exactly the original
 * images. */
#include "runtime/image/bundle.h"
#include "runtime/image/choose.h"
#include "runtime/image/fatbin.h"
#include "runtime/image/md5.h"
#include "runtime/image/offload_binary.h"

#include "tests/images/files.h"
#include <zlib.h>
#include <zstd.h>

enum { MOST = 4 };

typedef struct expected_leaf {
  const char *file, *words; /* file NULL: only the description `words` is compared */
} expected_leaf;

static const struct {
  const char *file;
  int transient;
  expected_leaf leaves[MOST];
} cases[] = {
    {"x86_64.so", 0, {{"x86_64.so", "ELF for x86_64"}}},
    {"gfx900.co", 0, {{"gfx900.co", "ELF for gfx900"}}},
    {"v4.co", 0, {{"v4.co", "ELF for gfx906:sramecc+:xnack-"}}},
    {"v6.co", 0, {{"v6.co", "ELF for gfx9-generic"}}},
    {"sm_80.ptx", 0, {{"sm_80.ptx", "PTX for sm_80"}}},
    {"sm_80.cubin", 0, {{"sm_80.cubin", "ELF for sm_80"}}},
    {"sm_90.cubin", 0, {{"sm_90.cubin", "ELF for sm_90"}}},
    {"bitcode.bc", 0, {{"bitcode.bc", "LLVM bitcode"}}},
    {"packager-19.bin",
     0,
     {{"x86_64.so", "ELF for x86_64"},
      {"gfx90a.co", "ELF for gfx90a:xnack+"},
      {"sm_80.ptx", "PTX for sm_80"}}},
    {"packager-22.bin",
     0,
     {{"x86_64.so", "ELF for x86_64"},
      {"gfx90a.co", "ELF for gfx90a:xnack+"},
      {"sm_80.ptx", "PTX for sm_80"}}},
    {"bundle-19.hipfb",
     0,
     {{"gfx90a.co", "ELF for gfx90a:xnack+"}, {"gfx1030.co", "ELF for gfx1030"}}},
    {"bundle-22.hipfb",
     0,
     {{"gfx90a.co", "ELF for gfx90a:xnack+"}, {"gfx1030.co", "ELF for gfx1030"}}},
    {"ccob-19.hipfb",
     1,
     {{"gfx90a.co", "ELF for gfx90a:xnack+"}, {"gfx1030.co", "ELF for gfx1030"}}},
    {"ccob-22.hipfb",
     1,
     {{"gfx90a.co", "ELF for gfx90a:xnack+"}, {"gfx1030.co", "ELF for gfx1030"}}},
    {"ccob-22-v2.hipfb",
     1,
     {{"gfx90a.co", "ELF for gfx90a:xnack+"}, {"gfx1030.co", "ELF for gfx1030"}}},
    {"text-19.s", 0, {{"sm_80.ptx", "PTX for sm_80"}}},
    {"text-19.ii", 0, {{"sm_80.ptx", "PTX for sm_80"}}},
    {"text-22.ii", 0, {{"sm_80.ptx", "PTX for sm_80"}}},
    {"text-22.s", 0, {{"sm_80.ptx", "PTX for sm_80"}}},
    {"ptx-none.fatbin", 0, {{NULL, "PTX for sm_80"}}},
    {"ptx-size.fatbin", 1, {{NULL, "PTX for sm_80"}}},
    {"ptx-speed.fatbin", 1, {{NULL, "PTX for sm_80"}}},
    {"fresh-none.fatbin",
     0,
     {{"sm_80.cubin", "ELF for sm_80"}, {"sm_90.cubin", "ELF for sm_90"}, {NULL, "PTX for sm_80"}}},
    {"fresh-size.fatbin",
     1,
     {{"sm_80.cubin", "ELF for sm_80"}, {"sm_90.cubin", "ELF for sm_90"}, {NULL, "PTX for sm_80"}}},
    {"fresh-speed.fatbin",
     1,
     {{"sm_80.cubin", "ELF for sm_80"}, {"sm_90.cubin", "ELF for sm_90"}, {NULL, "PTX for sm_80"}}},
    {"fresh-balance.fatbin",
     1,
     {{"sm_80.cubin", "ELF for sm_80"}, {"sm_90.cubin", "ELF for sm_90"}, {NULL, "PTX for sm_80"}}},
};

typedef struct seen {
  const expected_leaf *leaves;
  int count, transient;
} seen;

static solo_status see(void *context, const solo_image *image) {
  seen *s = context;
  char words[96];
  if (s->count == MOST || !s->leaves[s->count].words) {
    CHECK(!"more images than the container has");
    return SOLO_OK;
  }
  const expected_leaf *leaf = &s->leaves[s->count++];
  solo_image_describe(image, words, sizeof words);
  CHECK_TEXT(words, leaf->words);
  CHECK_INT(image->transient, s->transient);
  if (!leaf->file) return SOLO_OK;
  solo_span original = file_load(leaf->file);
  CHECK_INT(image->bytes.size, original.size);
  CHECK(image->bytes.size == original.size &&
        memcmp(image->bytes.data, original.data, original.size) == 0);
  file_free(original);
  return SOLO_OK;
}

static void visit_bytes(solo_span bytes, const expected_leaf *leaves, int transient) {
  seen s = {.leaves = leaves, .transient = transient};
  solo_status status = solo_image_visit(bytes, see, &s);
  if (status != SOLO_OK) printf("%s\n", solo_error_last()->text);
  CHECK_INT(status, SOLO_OK);
  CHECK(s.count == MOST || !leaves[s.count].words);
}

static int real_files(void) {
  int absent = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    solo_span bytes = file_load(cases[i].file);
    if (!bytes.data) {
      printf("missing: %s\n", cases[i].file);
      absent++;
      continue;
    }
    visit_bytes(bytes, cases[i].leaves, cases[i].transient);
    /* Trailing padding has no effect. */
    uint8_t *padded = calloc(1, bytes.size + 8);
    memcpy(padded, bytes.data, bytes.size);
    if (strcmp(cases[i].leaves[0].words, "LLVM bitcode") != 0)
      visit_bytes(solo_span_of(padded, bytes.size + 8), cases[i].leaves, cases[i].transient);
    free(padded);
    file_free(bytes);
  }
  return absent;
}

/* Version 1 of the compressed bundle, with zlib and zstd. The version has a header of 20 bytes, and
 * present tools do not write it. */
static void compressed_by_hand(void) {
  static const expected_leaf leaves[MOST] = {{"gfx90a.co", "ELF for gfx90a:xnack+"},
                                             {"gfx1030.co", "ELF for gfx1030"}};
  solo_span plain = file_load("bundle-19.hipfb");
  uint8_t digest[16];
  solo_md5(plain, digest);
  for (uint16_t method = 0; method < 2; method++) {
    uLongf room = compressBound(plain.size) + 1024;
    uint8_t *file = malloc(room + 20);
    uint16_t words[2] = {1, method};
    uint32_t size = (uint32_t)plain.size;
    size_t packed = room;
    if (method == 0) {
      CHECK_INT(compress2(file + 20, &room, plain.data, plain.size, 9), Z_OK);
      packed = room;
    } else {
      packed = ZSTD_compress(file + 20, room, plain.data, plain.size, 19);
      CHECK(!ZSTD_isError(packed));
    }
    memcpy(file, "CCOB", 4), memcpy(file + 4, words, 4), memcpy(file + 8, &size, 4);
    memcpy(file + 12, digest, 8);
    visit_bytes(solo_span_of(file, packed + 20), leaves, 1);

    file[12] ^= 1;
    seen none = {.leaves = leaves, .transient = 1};
    CHECK_INT(solo_image_visit(solo_span_of(file, packed + 20), see, &none), SOLO_BAD_IMAGE);
    CHECK_HAS(solo_error_last()->text, "hash");
    file[12] ^= 1;
    size = (uint32_t)plain.size - 1, memcpy(file + 8, &size, 4);
    CHECK_INT(solo_image_visit(solo_span_of(file, packed + 20), see, &none), SOLO_BAD_IMAGE);
    size = UINT32_MAX, memcpy(file + 8, &size, 4);
    CHECK_INT(solo_image_visit(solo_span_of(file, packed + 20), see, &none), SOLO_BAD_IMAGE);
    free(file);
  }
  file_free(plain);
}

static void offload_binary_by_hand(void) {
  static const expected_leaf leaves[MOST] = {{"gfx90a.co", "ELF for gfx90a:xnack+"},
                                             {"sm_80.ptx", "PTX for sm_80"}};
  static const char strings[] = "triple\0amdgcn-amd-amdhsa\0arch\0gfx90a:xnack+";
  solo_span images[2] = {file_load("gfx90a.co"), file_load("sm_80.ptx")};
  /* 4 stands for version 3 with compressed images */
  for (uint32_t version = 2; version < 5; version++) {
    size_t header = version == 2 ? 32 : 40, map = header + 2 * 40, text = map + 2 * 24;
    size_t first = (text + sizeof strings + 7) & ~(size_t)7, second = first + images[0].size;
    size_t total = (second + images[1].size + 7) & ~(size_t)7;
    uint8_t *file = calloc(1, total);
    uint64_t head[5] = {0, total, header, 2, 0};
    struct {
      uint16_t image, producer;
      uint32_t flags;
      uint64_t words[4];
    } entries[2] = {{1, 1, 0, {map, 2, first, images[0].size}},
                    {5, 1, 0, {0, 0, second, images[1].size}}};
    uint64_t map_words[6] = {text, text + 7, 17, text + 25, text + 30, 13};
    memcpy(file, head, header);
    memcpy(file, "\x10\xff\x10\xad", 4);
    uint32_t written = version == 2 ? 2 : 3;
    memcpy(file + 4, &written, 4);
    memcpy(file + header, entries, sizeof entries);
    memcpy(file + map, map_words, sizeof map_words);
    memcpy(file + text, strings, sizeof strings);
    memcpy(file + first, images[0].data, images[0].size);
    memcpy(file + second, images[1].data, images[1].size);
    if (version < 4) {
      visit_bytes(solo_span_of(file, total), leaves, 0);
    } else {
      size_t room = ZSTD_compressBound(total);
      uint8_t *packed = malloc(room + header);
      memcpy(packed, file, header);
      size_t size = ZSTD_compress(packed + header, room, file + header, total - header, 3) + header;
      uint64_t sizes[2] = {size, total};
      memcpy(packed + 8, &sizes[0], 8), memcpy(packed + 32, &sizes[1], 8);
      visit_bytes(solo_span_of(packed, size), leaves, 1);
      free(packed);
    }
    free(file);
  }
  file_free(images[0]), file_free(images[1]);
}

static void offload_binary_words(void) {
  solo_span bytes = file_load("packager-19.bin");
  solo_offload_binary binary;
  solo_offload_entry entry;
  CHECK_INT(solo_offload_binary_open(bytes, &binary), SOLO_OK);
  CHECK_INT(binary.version, 1);
  CHECK_INT(solo_offload_binary_entry(&binary, 0, &entry), SOLO_OK);
  CHECK_INT(entry.producer, SOLO_OFFLOAD_BY_OPENMP);
  CHECK_TEXT(entry.triple, "x86_64-unknown-linux-gnu");
  CHECK_TEXT(entry.arch, "");
  CHECK_INT(solo_offload_binary_entry(&binary, 1, &entry), SOLO_BAD_IMAGE);
  file_free(bytes);
}

static void id(const char *text, const char *kind, const char *triple, const char *target) {
  solo_bundle_id parts;
  CHECK_INT(solo_bundle_id_parse(text, &parts), SOLO_OK);
  CHECK_TEXT(parts.kind, kind);
  CHECK_TEXT(parts.triple, triple);
  CHECK_TEXT(parts.target, target);
}

static void bundle_ids(void) {
  solo_bundle_id parts;
  id("host-x86_64-unknown-linux-gnu-", "host", "x86_64-unknown-linux-gnu", "");
  id("host-x86_64-unknown-linux", "host", "x86_64-unknown-linux", "");
  id("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "hipv4", "amdgcn-amd-amdhsa", "gfx90a:xnack-");
  id("hip-amdgcn-amd-amdhsa-gfx906", "hip", "amdgcn-amd-amdhsa", "gfx906");
  id("hipv4-amdgcn-amd-amdhsa-unknown-gfx9-generic", "hipv4", "amdgcn-amd-amdhsa-unknown",
     "gfx9-generic");
  id("openmp-nvptx64-nvidia-cuda-sm_70", "openmp", "nvptx64-nvidia-cuda", "sm_70");
  id("openmp-nvptx64-nvidia-cuda--", "openmp", "nvptx64-nvidia-cuda", "");
  CHECK_INT(solo_bundle_id_parse("", &parts), SOLO_INVALID);
  CHECK_INT(solo_bundle_id_parse("-x86", &parts), SOLO_INVALID);
}

static uint32_t by_target(void *device, const solo_image *image, char *reason, size_t size) {
  return solo_target_score(image->target, device, reason, size);
}

/* A chosen image from a compressed container stays valid after the visit, which frees the
 * decompressed bytes. */
static void choice_outlives(void) {
  char device[] = "gfx1030";
  solo_span bytes = file_load("ccob-19.hipfb"), original = file_load("gfx1030.co");
  solo_choice choice;
  solo_choice_begin(&choice, 1, 0, "gfx1030");
  CHECK_INT(solo_choice_consider(&choice, bytes, by_target, device), SOLO_OK);
  CHECK_INT(solo_choice_result(&choice), SOLO_OK);
  CHECK(choice.owned && choice.image.bytes.size == original.size &&
        memcmp(choice.image.bytes.data, original.data, original.size) == 0);
  CHECK_TEXT(choice.text, "image 1 of 1: gfx90a:xnack+, device 0 is gfx1030: different processor");
  solo_choice_end(&choice);
  file_free(bytes), file_free(original);
}

static void digests(void) {
  static const struct {
    const char *text, *digest;
  } known[] = {{"", "d41d8cd98f00b204e9800998ecf8427e"},
               {"abc", "900150983cd24fb0d6963f7d28e17f72"},
               {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"}};
  for (int i = 0; i < 3; i++) {
    uint8_t digest[16];
    char text[33];
    solo_md5(solo_span_of(known[i].text, strlen(known[i].text)), digest);
    for (int b = 0; b < 16; b++) snprintf(text + 2 * b, 3, "%02x", digest[b]);
    CHECK_TEXT(text, known[i].digest);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) files_folder = argv[1];
  digests();
  bundle_ids();
  int absent = real_files();
  compressed_by_hand();
  offload_binary_by_hand();
  offload_binary_words();
  choice_outlives();
  if (absent) printf("%d files need CUDA's tools and were skipped\n", absent);
  return TEST_RESULT();
}
