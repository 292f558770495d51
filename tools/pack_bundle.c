/* Writes the formats of clang-offload-bundler, also compressed. */
#include "tools/pack_bundle.h"

#include "runtime/image/bundle.h"
#include "runtime/image/md5.h"
#include <zlib.h>
#include <zstd.h>

static uint8_t *tail(solo_pack_buffer *out, size_t size) {
  solo_pack_zeros(out, size);
  out->size -= size;
  return out->data + out->size;
}

void solo_pack_zstd(solo_pack_buffer *out, solo_span bytes, int level) {
  size_t capacity = ZSTD_compressBound(bytes.size);
  size_t size =
      ZSTD_compress(tail(out, capacity), capacity, bytes.data, bytes.size, level ? level : 3);
  if (ZSTD_isError(size)) solo_tool_die("zstd: %s", ZSTD_getErrorName(size));
  out->size += size;
}

void solo_pack_zlib(solo_pack_buffer *out, solo_span bytes, int level) {
  uLongf size = compressBound((uLong)bytes.size);
  int code = compress2(tail(out, size), &size, bytes.data, (uLong)bytes.size, level ? level : 6);
  if (code != Z_OK) solo_tool_die("zlib: error %d (levels are 1 to 9)", code);
  out->size += size;
}

static const char *bundle_kind(const solo_pack_image *image) {
  if (image->kind) return image->kind;
  return strncmp(image->arch, "gfx", 3) == 0 ? "hipv4" : "openmp";
}

/* Returns KIND-TRIPLE-TARGET. Pads the triple to four fields, so that the target id is the
 * sixth. */
static char *bundle_id(const solo_pack_image *image) {
  int dashes = 0;
  for (const char *at = image->triple; *at; at++) dashes += *at == '-';
  if (dashes > 3)
    solo_tool_die("%s: triple \"%s\" has more than four fields", image->path, image->triple);
  return solo_tool_text("%s-%s%s-%s", bundle_kind(image), image->triple, &"---"[dashes],
                        image -> arch);
}

static void write_bundle(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                         size_t align) {
  uint64_t words[3] = {0, 0, 0}, members = count;
  size_t at = sizeof SOLO_BUNDLE_MAGIC - 1 + 8;
  for (size_t i = 0; i < count; i++) at += sizeof words + strlen(bundle_id(&images[i]));
  solo_pack_put(out, SOLO_BUNDLE_MAGIC, sizeof SOLO_BUNDLE_MAGIC - 1);
  solo_pack_put(out, &members, 8);
  for (size_t i = 0; i < count; i++) {
    char *id = bundle_id(&images[i]);
    at = (at + align - 1) & ~(align - 1);
    words[0] = at, words[1] = images[i].bytes.size, words[2] = strlen(id);
    solo_pack_put(out, words, sizeof words);
    solo_pack_put(out, id, strlen(id));
    at += images[i].bytes.size;
  }
  for (size_t i = 0; i < count; i++) {
    solo_pack_align(out, align);
    solo_pack_put(out, images[i].bytes.data, images[i].bytes.size);
  }
}

void solo_pack_format_bundle(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                             const solo_pack_options *options) {
  write_bundle(out, images, count, options->align ? options->align : 1);
}

/* Adds an empty host member first, because HIP's runtime requires it. */
void solo_pack_format_hip(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                          const solo_pack_options *options) {
  solo_pack_image *all = solo_tool_alloc((count + 1) * sizeof *all);
  all[0] = (solo_pack_image){
      .path = "host member", .triple = "x86_64-unknown-linux-gnu", .arch = "", .kind = "host"};
  memcpy(all + 1, images, count * sizeof *all);
  write_bundle(out, all, count + 1, options->align ? options->align : 4096);
}

static void line(solo_pack_buffer *out, const char *comment, const char *word, const char *id) {
  char *text = solo_tool_text("\n%s %s__%s__ %s\n", comment, SOLO_BUNDLE_MAGIC, word, id);
  solo_pack_put(out, text, strlen(text));
}

void solo_pack_format_text(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                           const solo_pack_options *options) {
  const char *comment = options->comment ? options->comment : "#";
  for (size_t i = 0; i < count; i++) {
    char *id = bundle_id(&images[i]);
    if (memchr(images[i].bytes.data, 0, images[i].bytes.size))
      solo_tool_die("%s is binary: use --format=bundle", images[i].path);
    line(out, comment, "START", id);
    solo_pack_put(out, images[i].bytes.data, images[i].bytes.size);
    line(out, comment, "END", id);
  }
}

static void write_ccob(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                       const solo_pack_options *options, uint16_t version) {
  static const size_t headers[] = {0, 20, 24, 32};
  solo_pack_buffer plain = {0};
  uint8_t digest[16];
  uint16_t words[2] = {version, options->zlib ? 0 : 1};
  write_bundle(&plain, images, count, options->align ? options->align : 1);
  if (version < 3 && plain.size > UINT32_MAX)
    solo_tool_die("%zu bytes are too many for version %u: use --format=ccob3", plain.size, version);
  solo_md5(solo_span_of(plain.data, plain.size), digest);
  solo_pack_put(out, SOLO_BUNDLE_COMPRESSED_MAGIC, 4);
  solo_pack_put(out, words, 4);
  solo_pack_zeros(out, headers[version] - 8);
  (options->zlib ? solo_pack_zlib : solo_pack_zstd)(out, solo_span_of(plain.data, plain.size),
                                                    options->level);
  uint64_t wide[2] = {out->size, plain.size};
  uint32_t narrow[2] = {(uint32_t)out->size, (uint32_t)plain.size};
  if (version == 1) memcpy(out->data + 8, &narrow[1], 4);
  if (version == 2) memcpy(out->data + 8, narrow, 8);
  if (version == 3) memcpy(out->data + 8, wide, 16);
  memcpy(out->data + headers[version] - 8, digest, 8);
}

void solo_pack_format_ccob1(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                            const solo_pack_options *options) {
  write_ccob(out, images, count, options, 1);
}

void solo_pack_format_ccob2(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                            const solo_pack_options *options) {
  write_ccob(out, images, count, options, 2);
}

void solo_pack_format_ccob3(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                            const solo_pack_options *options) {
  write_ccob(out, images, count, options, 3);
}
