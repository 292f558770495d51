#include "runtime/image/bundle.h"

#include "runtime/image/container.h"
#include "runtime/image/decompress.h"
#include "runtime/image/md5.h"
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long ull;

bool solo_bundle_is_compressed(solo_span bytes) {
  return bytes.size >= 4 && memcmp(bytes.data, SOLO_BUNDLE_COMPRESSED_MAGIC, 4) == 0;
}

/* Reads {file size (0: not in the header), size after decompression, hash}; the layout depends on
 * the version. */
static bool read_sizes(solo_span bytes, unsigned version, uint64_t out[3], size_t *out_header) {
  uint32_t narrow[2] = {0};
  switch (version) {
  case 1:
    *out_header = 20;
    out[0] = 0;
    if (!solo_span_read(bytes, 8, narrow, 4) || !solo_span_read(bytes, 12, &out[2], 8))
      return false;
    out[1] = narrow[0];
    return true;
  case 2:
    *out_header = 24;
    if (!solo_span_read(bytes, 8, narrow, 8) || !solo_span_read(bytes, 16, &out[2], 8))
      return false;
    out[0] = narrow[0], out[1] = narrow[1];
    return true;
  default:
    *out_header = 32;
    return solo_span_read(bytes, 8, out, 24);
  }
}

solo_status solo_compressed_bundle_open(solo_span bytes, solo_compressed_bundle *out) {
  uint16_t words[2];
  uint64_t sizes[3];
  size_t header;
  if (!solo_bundle_is_compressed(bytes))
    return solo_fail(SOLO_BAD_IMAGE, "compressed bundle at offset 0: wrong magic bytes");
  if (!solo_span_read(bytes, 4, words, 4))
    return solo_fail(SOLO_BAD_IMAGE, "compressed bundle: the header is cut off at offset 4");
  if (words[0] < 1 || words[0] > 3)
    return solo_fail(SOLO_BAD_IMAGE, "compressed bundle at offset 4: version %u, known are 1 to 3",
                     words[0]);
  if (words[1] > 1)
    return solo_fail(SOLO_BAD_IMAGE,
                     "compressed bundle at offset 6: method %u, known are 0 (zlib) and 1 (zstd)",
                     words[1]);
  if (!read_sizes(bytes, words[0], sizes, &header))
    return solo_fail(SOLO_BAD_IMAGE, "compressed bundle: the header is cut off at offset 8");
  if (sizes[0] == 0) sizes[0] = bytes.size;
  if (sizes[0] < header || sizes[0] > bytes.size)
    return solo_fail(SOLO_BAD_IMAGE, "compressed bundle at offset 8: size 0x%llx of 0x%zx bytes",
                     (ull)sizes[0], bytes.size);
  *out = (solo_compressed_bundle){.version = words[0],
                                  .method = words[1],
                                  .decompressed_size = sizes[1],
                                  .hash = sizes[2],
                                  .bytes = {bytes.data, (size_t)sizes[0]},
                                  .payload = {bytes.data + header, (size_t)sizes[0] - header}};
  return SOLO_OK;
}

solo_status solo_compressed_bundle_decompress(const solo_compressed_bundle *bundle, uint8_t **out) {
  uint8_t *bytes = NULL, digest[16];
  uint64_t hash;
  SOLO_TRY(solo_decompress(bundle->method ? SOLO_COMPRESSION_ZSTD : SOLO_COMPRESSION_ZLIB,
                           bundle->payload, (uint64_t)(bundle->payload.data - bundle->bytes.data),
                           bundle->decompressed_size, &bytes));
  solo_md5(solo_span_of(bytes, (size_t)bundle->decompressed_size), digest);
  memcpy(&hash, digest, sizeof hash);
  if (hash != bundle->hash) {
    free(bytes);
    return solo_fail(
        SOLO_BAD_IMAGE,
        "compressed bundle: the contents have hash 0x%llx, but the header, which ends at offset "
        "0x%zx, has 0x%llx",
        (ull)hash, (size_t)(bundle->payload.data - bundle->bytes.data), (ull)bundle->hash);
  }
  *out = bytes;
  return SOLO_OK;
}

static solo_status open_container(solo_span bytes, solo_container *out) {
  solo_compressed_bundle bundle;
  SOLO_TRY(solo_compressed_bundle_open(bytes, &bundle));
  out->bytes = bundle.bytes;
  out->count = 1;
  if (out->words)
    snprintf(out->words, SOLO_CONTAINER_WORDS,
             "compressed bundle version %u, %s, %llu bytes unfolded", bundle.version,
             bundle.method ? "zstd" : "zlib", (ull)bundle.decompressed_size);
  return SOLO_OK;
}

static solo_status next_entry(solo_container *container, solo_container_entry *out) {
  solo_compressed_bundle bundle;
  if (container->index == container->count) return SOLO_NOT_FOUND;
  SOLO_TRY(solo_compressed_bundle_open(container->bytes, &bundle));
  container->index++;
  if (container->words) container->words[0] = 0;
  *out = (solo_container_entry){.bytes = bundle.payload,
                                .target = "",
                                .compressed = 1,
                                .decompressed_size = bundle.decompressed_size};
  return SOLO_OK;
}

static solo_status decompress_container(const solo_container *container,
                                        const solo_container_entry *entry, uint8_t **out) {
  solo_compressed_bundle bundle;
  (void)entry;
  SOLO_TRY(solo_compressed_bundle_open(container->bytes, &bundle));
  return solo_compressed_bundle_decompress(&bundle, out);
}

const solo_container_type solo_container_compressed_bundle = {
    .name = "compressed bundle",
    .entry_name = "compressed bundle",
    .recognise = solo_bundle_is_compressed,
    .open = open_container,
    .next = next_entry,
    .decompress = decompress_container,
};
