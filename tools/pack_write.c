#include "tools/pack.h"
#include "tools/pack_bundle.h"

#include "runtime/image/elf.h"
#include "runtime/image/fatbin.h"
#include "runtime/image/offload_binary.h"
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

/* Derives the kind from the file name, like LLVM's packager, so that outputs are equal. Readers use
 * the contents instead. */
static uint16_t image_kind(const solo_pack_image *image) {
  static const struct {
    const char *end;
    uint16_t kind;
  } known[] = {{".o", SOLO_OFFLOAD_OBJECT},
               {".bc", SOLO_OFFLOAD_BITCODE},
               {".cubin", SOLO_OFFLOAD_CUBIN},
               {".fatbin", SOLO_OFFLOAD_FATBIN},
               {".s", SOLO_OFFLOAD_PTX}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (solo_tool_has_suffix(image->path, known[i].end)) return known[i].kind;
  return SOLO_OFFLOAD_NONE;
}

static uint16_t producer(const solo_pack_image *image) {
  const char *kind = image->kind ? image->kind : "openmp";
  if (strcmp(kind, "openmp") == 0) return SOLO_OFFLOAD_BY_OPENMP;
  if (strcmp(kind, "cuda") == 0) return SOLO_OFFLOAD_BY_CUDA;
  if (strcmp(kind, "hip") == 0 || strcmp(kind, "hipv4") == 0) return SOLO_OFFLOAD_BY_HIP;
  if (strcmp(kind, "none") == 0) return SOLO_OFFLOAD_BY_NONE;
  solo_tool_die("%s: unknown kind \"%s\"\n  hint: use openmp, cuda, hip or none", image->path,
                kind);
}

typedef struct entry {
  uint16_t image_kind, producer;
  uint32_t flags;
  uint64_t strings, string_count, image, image_size;
} entry;

typedef struct string_table {
  /* sorted by reversed text, so that a suffix follows its string */
  const char **item;
  size_t *offset;
  size_t count;
  solo_pack_buffer bytes;
} string_table;

static int backwards(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  size_t i = strlen(x), k = strlen(y);
  while (i && k && x[i - 1] == y[k - 1]) i--, k--;
  if (!i || !k) return (k > 0) - (i > 0);
  return (unsigned char)y[k - 1] - (unsigned char)x[i - 1];
}

/* The table begins with the empty string. A suffix of another string shares its bytes. */
static string_table make_strings(const solo_pack_image *images, size_t count) {
  string_table t = {.item = solo_tool_alloc((2 * count + 2) * sizeof *t.item)};
  t.item[t.count++] = "triple";
  t.item[t.count++] = "arch";
  for (size_t i = 0; i < count; i++) {
    t.item[t.count++] = images[i].triple;
    t.item[t.count++] = images[i].arch;
  }
  qsort(t.item, t.count, sizeof *t.item, backwards);
  t.offset = solo_tool_alloc(t.count * sizeof *t.offset);
  solo_pack_zeros(&t.bytes, 1);
  for (size_t i = 0; i < t.count; i++) {
    if (!t.item[i][0]) continue;
    if (i && solo_tool_has_suffix(t.item[i - 1], t.item[i])) {
      t.offset[i] = t.offset[i - 1] + strlen(t.item[i - 1]) - strlen(t.item[i]);
      continue;
    }
    t.offset[i] = t.bytes.size;
    solo_pack_put(&t.bytes, t.item[i], strlen(t.item[i]) + 1);
  }
  return t;
}

static size_t find_string(const string_table *t, const char *text) {
  size_t i = 0;
  while (strcmp(t->item[i], text) != 0) i++;
  return t->offset[i];
}

/* Writes a container of version 1 (exactly one image), 2 or 3. */
static void write_offload(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                          uint32_t version) {
  size_t header = version == 3 ? 40 : 32, step = version == 1 ? 16 : 24;
  size_t map = header + count * sizeof(entry), text = map + count * 2 * step;
  solo_pack_buffer entries = {0}, strings = {0}, payload = {0};
  string_table table = make_strings(images, count);
  for (size_t i = 0; i < count; i++) {
    const char *keys[2] = {"arch", "triple"}, *values[2] = {images[i].arch, images[i].triple};
    for (int k = 0; k < 2; k++) {
      uint64_t string[3] = {text + find_string(&table, keys[k]),
                            text + find_string(&table, values[k]), strlen(values[k])};
      solo_pack_put(&strings, string, step);
    }
  }
  size_t first = (text + table.bytes.size + 7) & ~(size_t)7;
  for (size_t i = 0; i < count; i++) {
    entry e = {image_kind(&images[i]), producer(&images[i]), 0, map + i * 2 * step, 2,
               first + payload.size,   images[i].bytes.size};
    solo_pack_put(&entries, &e, sizeof e);
    solo_pack_put(&payload, images[i].bytes.data, images[i].bytes.size);
    solo_pack_align(&payload, SOLO_OFFLOAD_ALIGN);
  }
  uint64_t head[5] = {0, first + payload.size, header, version == 1 ? sizeof(entry) : count, 0};
  uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};
  memcpy(head, magic, 4);
  memcpy((uint8_t *)head + 4, &version, 4);
  solo_pack_put(out, head, header);
  solo_pack_put(out, entries.data, entries.size);
  solo_pack_put(out, strings.data, strings.size);
  solo_pack_put(out, table.bytes.data, table.bytes.size);
  solo_pack_align(out, SOLO_OFFLOAD_ALIGN);
  solo_pack_put(out, payload.data, payload.size);
}

void solo_pack_offload_one(solo_pack_buffer *out, const solo_pack_image *image, size_t *out_image) {
  solo_pack_buffer one = {0};
  solo_offload_binary binary;
  solo_offload_entry e;
  write_offload(&one, image, 1, 1);
  if (solo_offload_binary_open(solo_span_of(one.data, one.size), &binary) != SOLO_OK ||
      solo_offload_binary_entry(&binary, 0, &e) != SOLO_OK)
    solo_tool_die("internal: %s", solo_error_last()->text);
  *out_image = out->size + (size_t)e.offset;
  solo_pack_put(out, one.data, one.size);
}

static void format_offload(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                           const solo_pack_options *options) {
  size_t unused;
  (void)options;
  for (size_t i = 0; i < count; i++) solo_pack_offload_one(out, &images[i], &unused);
}

static void format_offload2(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                            const solo_pack_options *options) {
  (void)options;
  write_offload(out, images, count, 2);
}

/* If compressed: the header and one zstd frame. */
static void format_offload3(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                            const solo_pack_options *options) {
  solo_pack_buffer plain = {0};
  write_offload(&plain, images, count, 3);
  if (!options->compress) {
    solo_pack_put(out, plain.data, plain.size);
    return;
  }
  uint64_t sizes[2] = {0, plain.size};
  solo_pack_put(out, plain.data, 40);
  solo_pack_zstd(out, (solo_span){plain.data + 40, plain.size - 40}, options->level);
  sizes[0] = out->size;
  memcpy(out->data + 8, &sizes[0], 8);
  memcpy(out->data + 32, &sizes[1], 8);
}

/* Returns major << 16 | minor. */
static uint32_t ptx_version(solo_span text) {
  unsigned major = 0, minor = 0;
  char *copy =
      solo_tool_text("%.*s", (int)(text.size < 4096 ? text.size : 4096), (const char *)text.data);
  const char *at = strstr(copy, ".version");
  if (!at || sscanf(at + 8, "%u.%u", &major, &minor) != 2) return 0;
  return major << 16 | minor;
}

static void fatbin_entry(solo_pack_buffer *out, const solo_pack_image *image,
                         const solo_pack_options *options) {
  const solo_image *leaf = &image->image;
  bool ptx = leaf->kind == SOLO_IMAGE_PTX;
  if (!ptx && (leaf->kind != SOLO_IMAGE_ELF || leaf->machine != SOLO_EM_CUDA))
    solo_tool_die("%s: a CUDA fat binary can contain only cubins and PTX", image->path);
  unsigned capability;
  char variant = 0;
  if (sscanf(image->arch, "sm_%u%c", &capability, &variant) < 1)
    solo_tool_die("%s: arch \"%s\" is not sm_NN", image->path, image->arch);
  struct {
    uint16_t kind, version;
    uint32_t header_size;
    uint64_t payload_size;
    uint32_t compressed_size, options, code_version, capability, name_offset, name_size;
    uint64_t flags, zero, decompressed_size;
  } e = {.kind = ptx ? SOLO_FATBIN_PTX : SOLO_FATBIN_ELF,
         .version = 0x101,
         .header_size = sizeof e,
         .code_version = ptx ? ptx_version(leaf->bytes) : 0x10000u | leaf->abi_version,
         .capability = capability,
         .flags = 0x11 | (variant == 'a'   ? SOLO_FATBIN_EXACT
                          : variant == 'f' ? SOLO_FATBIN_FAMILY
                                           : 0u)};
  solo_pack_buffer plain = {0}, payload = {0};
  solo_pack_put(&plain, leaf->bytes.data, leaf->bytes.size);
  if (ptx) solo_pack_zeros(&plain, 1);
  if (options->compress) {
    solo_pack_zstd(&payload, solo_span_of(plain.data, plain.size), options->level);
    e.compressed_size = (uint32_t)payload.size;
    e.decompressed_size = plain.size;
    e.flags |= SOLO_FATBIN_ZSTD;
  } else {
    payload = plain;
  }
  solo_pack_align(&payload, 8);
  e.payload_size = payload.size;
  solo_pack_put(out, &e, sizeof e);
  solo_pack_put(out, payload.data, payload.size);
}

static void format_fatbin(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                          const solo_pack_options *options) {
  struct {
    uint32_t magic;
    uint16_t version, header_size;
    uint64_t size;
  } head = {SOLO_FATBIN_MAGIC, 1, 16, 0};
  solo_pack_put(out, &head, sizeof head);
  for (size_t i = 0; i < count; i++) fatbin_entry(out, &images[i], options);
  head.size = out->size - sizeof head;
  memcpy(out->data, &head, sizeof head);
}

const char solo_pack_formats_help[] =
    "  offload    OffloadBinary version 1, one container per image, for LLVM 19 to 22\n"
    "  offload2   OffloadBinary version 2, all images in one container (not for LLVM 22)\n"
    "  offload3   OffloadBinary version 3; --compress: one zstd frame (not for LLVM 22)\n"
    "  bundle     clang-offload-bundler, binary (--align=N)\n"
    "  hip        bundle with an empty host member and alignment 4096, as in HIP programs\n"
    "  text       clang-offload-bundler, text (--comment=TOKEN)\n"
    "  ccob1, ccob2, ccob3  compressed bundle of this version (--method=zstd or zlib)\n"
    "  fatbin     CUDA fat binary; --compress: zstd frames\n";

solo_pack_writer *solo_pack_format(const char *name) {
  static const struct {
    const char *name;
    solo_pack_writer *writer;
  } formats[] = {
      {"offload", format_offload},       {"offload2", format_offload2},
      {"offload3", format_offload3},     {"bundle", solo_pack_format_bundle},
      {"hip", solo_pack_format_hip},     {"text", solo_pack_format_text},
      {"ccob1", solo_pack_format_ccob1}, {"ccob2", solo_pack_format_ccob2},
      {"ccob3", solo_pack_format_ccob3}, {"fatbin", format_fatbin},
  };
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (strcmp(formats[i].name, name) == 0) return formats[i].writer;
  return NULL;
}
