#include "runtime/image/decompress.h"

#include <stdlib.h>

/* Weak: a program links zstd and zlib only if it needs them. */
SOLO_WEAK size_t ZSTD_decompress(void *dst, size_t capacity, const void *src, size_t size);
SOLO_WEAK const char *ZSTD_getErrorName(size_t code);
SOLO_WEAK int uncompress(unsigned char *dst, unsigned long *size, const unsigned char *src,
                         unsigned long src_size);

/* LZ4 block: {token, literals, 16-bit distance, match}. If a length in the token is 15, the values
 * of the next bytes are added to it. */
static solo_status lz4_length(solo_span in, size_t *at, size_t *length) {
  uint8_t byte = 255;
  if (*length != 15) return SOLO_OK;
  while (byte == 255) {
    if (!solo_span_read(in, *at, &byte, 1))
      return solo_fail(SOLO_BAD_IMAGE, "LZ4 data: length cut off at offset 0x%zx", *at);
    *at += 1, *length += byte;
  }
  return SOLO_OK;
}

static solo_status lz4(solo_span in, uint8_t *out, size_t size) {
  size_t at = 0, done = 0;
  while (at < in.size) {
    uint8_t token = in.data[at++];
    size_t literals = token >> 4, match = token & 15;
    SOLO_TRY(lz4_length(in, &at, &literals));
    if (literals > size - done || !solo_span_read(in, at, out + done, literals))
      return solo_fail(SOLO_BAD_IMAGE, "LZ4 data: literals at offset 0x%zx do not fit", at);
    at += literals, done += literals;
    if (at == in.size) break; /* the last sequence has no match */
    uint8_t distance_bytes[2];
    if (!solo_span_read(in, at, distance_bytes, 2))
      return solo_fail(SOLO_BAD_IMAGE, "LZ4 data: distance cut off at offset 0x%zx", at);
    at += 2;
    size_t distance = distance_bytes[0] | (size_t)distance_bytes[1] << 8;
    SOLO_TRY(lz4_length(in, &at, &match));
    match += 4;
    if (distance == 0 || distance > done || match > size - done)
      return solo_fail(SOLO_BAD_IMAGE, "LZ4 data: match at offset 0x%zx does not fit", at);
    /* byte by byte, because source and destination may overlap */
    for (; match; match--, done++) out[done] = out[done - distance];
  }
  if (done != size)
    return solo_fail(SOLO_BAD_IMAGE, "LZ4 data: %zu bytes, expected %zu", done, size);
  return SOLO_OK;
}

static solo_status zstd(solo_span in, uint8_t *out, size_t size) {
  if (!ZSTD_decompress)
    return solo_fail(
        SOLO_UNSUPPORTED,
        "the image is compressed with zstd, but the program has no zstd: link with -lzstd "
        "(statically: -Wl,-u,ZSTD_decompress -lzstd) or store it uncompressed");
  /* error codes are never equal to size */
  size_t got = ZSTD_decompress(out, size, in.data, in.size);
  if (got != size)
    return solo_fail(SOLO_BAD_IMAGE, "zstd data of 0x%zx bytes, %zu expected: %s", in.size, size,
                     ZSTD_getErrorName ? ZSTD_getErrorName(got) : "corrupt");
  return SOLO_OK;
}

static solo_status zlib(solo_span in, uint8_t *out, size_t size) {
  if (!uncompress)
    return solo_fail(
        SOLO_UNSUPPORTED,
        "the image is compressed with zlib, but the program has no zlib: link with -lz "
        "(statically: -Wl,-u,uncompress -lz) or store it uncompressed");
  unsigned long got = size;
  int code = uncompress(out, &got, in.data, in.size);
  if (code != 0)
    return solo_fail(SOLO_BAD_IMAGE, "zlib data of 0x%zx bytes: error %d", in.size, code);
  if (got != size)
    return solo_fail(SOLO_BAD_IMAGE, "zlib data: %lu bytes after decompression, expected %zu", got,
                     size);
  return SOLO_OK;
}

/* Returns the greatest possible ratio of decompressed to compressed size. A header with a greater
 * ratio is rejected before memory is allocated. */
static uint64_t most_per_byte(solo_compression method) {
  return method == SOLO_COMPRESSION_LZ4 ? 256 : method == SOLO_COMPRESSION_ZLIB ? 1040 : 65536;
}

static solo_status decompress(solo_compression method, solo_span bytes, uint64_t size,
                              uint8_t **out) {
  if (size > SIZE_MAX / 2 || size / most_per_byte(method) > (uint64_t)bytes.size + 64)
    return solo_fail(SOLO_BAD_IMAGE, "0x%zx compressed bytes cannot expand to 0x%llx bytes",
                     bytes.size, (unsigned long long)size);
  uint8_t *buffer = malloc(size ? (size_t)size : 1);
  if (!buffer)
    return solo_fail(SOLO_NOMEM, "no memory for a decompressed image of %llu bytes",
                     (unsigned long long)size);
  solo_status status = method == SOLO_COMPRESSION_LZ4    ? lz4(bytes, buffer, (size_t)size)
                       : method == SOLO_COMPRESSION_ZSTD ? zstd(bytes, buffer, (size_t)size)
                                                         : zlib(bytes, buffer, (size_t)size);
  if (status == SOLO_OK)
    *out = buffer;
  else
    free(buffer);
  return status;
}

solo_status solo_decompress(solo_compression method, solo_span bytes, uint64_t offset,
                            uint64_t size, uint8_t **out) {
  solo_status status = decompress(method, bytes, size, out);
  if (status != SOLO_OK)
    solo_error_note(" (compressed data at offset 0x%llx)", (unsigned long long)offset);
  return status;
}
