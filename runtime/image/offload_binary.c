#include "runtime/image/offload_binary.h"

#include "runtime/image/container.h"
#include "runtime/image/decompress.h"
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long ull;

enum { MOST_STRINGS = 1024 }; /* rejects damaged counts early; compilers write 2 strings */

static const uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};

bool solo_offload_binary_is(solo_span bytes) {
  return bytes.size >= sizeof magic && memcmp(bytes.data, magic, sizeof magic) == 0;
}

solo_status solo_offload_binary_open(solo_span bytes, solo_offload_binary *out) {
  uint64_t words[4], inflated = 0;
  uint32_t version;
  if (!solo_offload_binary_is(bytes))
    return solo_fail(SOLO_BAD_IMAGE, "OffloadBinary at offset 0: wrong magic bytes");
  if (!solo_span_read(bytes, 0, words, sizeof words))
    return solo_fail(SOLO_BAD_IMAGE, "OffloadBinary: the header is cut off at offset 0x%zx",
                     bytes.size);
  version = (uint32_t)(words[0] >> 32);
  uint64_t size = words[1], entries = words[2], count = words[3];
  if (version == 0 || version > 3)
    return solo_fail(SOLO_BAD_IMAGE, "OffloadBinary at offset 4: version %u, known are 1 to 3",
                     version);
  if (size < SOLO_OFFLOAD_HEADER || size > bytes.size)
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary at offset 8: invalid size 0x%llx, 0x%zx bytes are available",
                     (ull)size, bytes.size);
  if (version == 3 && !solo_span_read(bytes, 32, &inflated, sizeof inflated))
    return solo_fail(SOLO_BAD_IMAGE, "OffloadBinary: the header of version 3 is cut off");
  if (version == 1) {
    if (count != SOLO_OFFLOAD_ENTRY)
      return solo_fail(SOLO_BAD_IMAGE, "OffloadBinary at offset 24: entry of 0x%llx bytes, not %d",
                       (ull)count, SOLO_OFFLOAD_ENTRY);
    count = 1;
  }
  bool fits = entries <= size && (inflated || count <= (size - entries) / SOLO_OFFLOAD_ENTRY);
  if (!fits)
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary at offset 16: %llu entries at 0x%llx exceed the 0x%llx bytes",
                     (ull)count, (ull)entries, (ull)size);
  *out = (solo_offload_binary){.bytes = {bytes.data, (size_t)size},
                               .version = version,
                               .entries_offset = entries,
                               .entry_count = count,
                               .inflated_size = inflated};
  return SOLO_OK;
}

solo_status solo_offload_binary_string(const solo_offload_binary *binary,
                                       const solo_offload_entry *entry, uint64_t index,
                                       const char **out_key, const char **out_value) {
  uint64_t step = binary->version == 1 ? 16 : 24, offsets[2];
  uint64_t at = entry->strings_offset + index * step;
  const char *key = NULL, *value = NULL;
  if (solo_span_read(binary->bytes, at, offsets, sizeof offsets)) {
    key = solo_span_string(binary->bytes, offsets[0]);
    value = solo_span_string(binary->bytes, offsets[1]);
  }
  if (!key || !value)
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary: string %llu at offset 0x%llx exceeds the container",
                     (ull)index, (ull)at);
  *out_key = key;
  *out_value = value;
  return SOLO_OK;
}

solo_status solo_offload_binary_entry(const solo_offload_binary *binary, uint64_t index,
                                      solo_offload_entry *out) {
  struct {
    uint16_t image_kind, producer;
    uint32_t flags;
    uint64_t strings_offset, string_count, image_offset, image_size;
  } raw;
  _Static_assert(sizeof raw == SOLO_OFFLOAD_ENTRY, "as in the file");
  uint64_t at = binary->entries_offset + index * sizeof raw;
  if (index >= binary->entry_count || !solo_span_read(binary->bytes, at, &raw, sizeof raw))
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary: entry %llu at offset 0x%llx exceeds the container", (ull)index,
                     (ull)at);
  solo_offload_entry entry = {.image_kind = raw.image_kind,
                              .producer = raw.producer,
                              .flags = raw.flags,
                              .offset = raw.image_offset,
                              .triple = "",
                              .arch = "",
                              .string_count = raw.string_count,
                              .strings_offset = raw.strings_offset};
  if (!solo_span_sub(binary->bytes, raw.image_offset, raw.image_size, &entry.image))
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary: image of entry %llu at 0x%llx with 0x%llx bytes exceeds the "
                     "container of 0x%zx bytes",
                     (ull)index, (ull)raw.image_offset, (ull)raw.image_size, binary->bytes.size);
  if (raw.strings_offset > binary->bytes.size || raw.string_count > MOST_STRINGS)
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary: %llu strings of entry %llu at 0x%llx exceed the container",
                     (ull)raw.string_count, (ull)index, (ull)raw.strings_offset);
  for (uint64_t i = 0; i < raw.string_count; i++) {
    const char *key, *value;
    SOLO_TRY(solo_offload_binary_string(binary, &entry, i, &key, &value));
    if (strcmp(key, "triple") == 0) entry.triple = value;
    if (strcmp(key, "arch") == 0) entry.arch = value;
  }
  *out = entry;
  return SOLO_OK;
}

solo_status solo_offload_binary_inflate(const solo_offload_binary *binary, uint8_t **out_bytes,
                                        solo_offload_binary *out) {
  static const uint8_t zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
  solo_span body = {binary->bytes.data + binary->entries_offset,
                    binary->bytes.size - (size_t)binary->entries_offset};
  if (binary->inflated_size < binary->entries_offset || binary->entries_offset < 40)
    return solo_fail(SOLO_BAD_IMAGE,
                     "OffloadBinary at offset 32: inflated size 0x%llx is too small",
                     (ull)binary->inflated_size);
  solo_compression method = body.size >= 4 && memcmp(body.data, zstd_magic, 4) == 0
                                ? SOLO_COMPRESSION_ZSTD
                                : SOLO_COMPRESSION_ZLIB;
  uint8_t *unfolded = NULL;
  uint64_t body_size = binary->inflated_size - binary->entries_offset;
  SOLO_TRY(solo_decompress(method, body, binary->entries_offset, body_size, &unfolded));
  uint8_t *whole = malloc((size_t)binary->inflated_size);
  if (!whole) {
    free(unfolded);
    return solo_fail(SOLO_NOMEM, "no memory for a decompressed container of %llu bytes",
                     (ull)binary->inflated_size);
  }
  memcpy(whole, binary->bytes.data, (size_t)binary->entries_offset);
  memcpy(whole + binary->entries_offset, unfolded, (size_t)body_size);
  free(unfolded);
  memcpy(whole + 8, &binary->inflated_size, 8);
  memset(whole + 32, 0, 8);
  solo_status status =
      solo_offload_binary_open(solo_span_of(whole, (size_t)binary->inflated_size), out);
  if (status == SOLO_OK)
    *out_bytes = whole;
  else
    free(whole);
  return status;
}

static const char *producer_name(uint16_t producer) {
  switch (producer) {
  case SOLO_OFFLOAD_BY_NONE:
    return "none";
  case SOLO_OFFLOAD_BY_OPENMP:
    return "openmp";
  case SOLO_OFFLOAD_BY_CUDA:
    return "cuda";
  case SOLO_OFFLOAD_BY_HIP_19:
  case SOLO_OFFLOAD_BY_HIP:
    return "hip";
  case SOLO_OFFLOAD_BY_SYCL:
    return "sycl";
  default:
    return "unknown producer";
  }
}

static solo_status open_container(solo_span bytes, solo_container *out) {
  solo_offload_binary binary;
  SOLO_TRY(solo_offload_binary_open(bytes, &binary));
  out->bytes = binary.bytes;
  out->count = binary.inflated_size ? 1 : binary.entry_count;
  if (out->words)
    snprintf(out->words, SOLO_CONTAINER_WORDS, "OffloadBinary version %u%s", binary.version,
             binary.inflated_size ? ", compressed" : "");
  return SOLO_OK;
}

/* A compressed container has one entry: the decompressed container. */
static solo_status next_entry(solo_container *container, solo_container_entry *out) {
  solo_offload_binary binary;
  solo_offload_entry entry;
  if (container->index == container->count) return SOLO_NOT_FOUND;
  SOLO_TRY(solo_offload_binary_open(container->bytes, &binary));
  if (container->words) container->words[0] = 0;
  container->index++;
  if (binary.inflated_size) {
    *out = (solo_container_entry){.bytes = binary.bytes,
                                  .target = "",
                                  .compressed = 1,
                                  .decompressed_size = binary.inflated_size};
    return SOLO_OK;
  }
  container->at = (size_t)(binary.entries_offset + (container->index - 1) * SOLO_OFFLOAD_ENTRY);
  SOLO_TRY(solo_offload_binary_entry(&binary, container->index - 1, &entry));
  if (container->words)
    snprintf(container->words, SOLO_CONTAINER_WORDS, "%s %s%s%s", producer_name(entry.producer),
             entry.triple, entry.arch[0] ? " " : "", entry.arch);
  *out = (solo_container_entry){.bytes = entry.image,
                                .offset = entry.offset,
                                .target = entry.arch,
                                .no_image = (entry.flags & SOLO_OFFLOAD_METADATA_ONLY) != 0};
  return SOLO_OK;
}

static solo_status decompress_container(const solo_container *container,
                                        const solo_container_entry *entry, uint8_t **out) {
  solo_offload_binary packed, plain;
  (void)entry;
  SOLO_TRY(solo_offload_binary_open(container->bytes, &packed));
  return solo_offload_binary_inflate(&packed, out, &plain);
}

const solo_container_type solo_container_offload_binary = {
    .name = "OffloadBinary",
    .entry_name = "OffloadBinary entry",
    .recognise = solo_offload_binary_is,
    .open = open_container,
    .next = next_entry,
    .decompress = decompress_container,
};
