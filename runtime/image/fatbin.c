#include "runtime/image/fatbin.h"

#include "runtime/image/bundle.h"
#include "runtime/image/container.h"
#include "runtime/image/decompress.h"
#include <stdio.h>

typedef unsigned long long ull;

static uint32_t first_word(solo_span bytes) {
  uint32_t word = 0;
  (void)solo_span_read(bytes, 0, &word, sizeof word);
  return word;
}

bool solo_fatbin_is(solo_span bytes) {
  return first_word(bytes) == SOLO_FATBIN_MAGIC;
}

bool solo_fatbin_is_wrapper(solo_span bytes) {
  uint32_t word = first_word(bytes);
  return word == SOLO_FATBIN_WRAPPER_MAGIC || word == SOLO_HIP_WRAPPER_MAGIC;
}

typedef struct header {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;
} header;

solo_status solo_fatbin_open(solo_span bytes, solo_fatbin *out) {
  header h;
  if (!solo_span_read(bytes, 0, &h, sizeof h))
    return solo_fail(SOLO_BAD_IMAGE, "fat binary: the header is cut off at offset 0x%zx",
                     bytes.size);
  if (h.magic != SOLO_FATBIN_MAGIC)
    return solo_fail(SOLO_BAD_IMAGE, "fat binary at offset 0: wrong magic bytes");
  if (h.version != 1)
    return solo_fail(SOLO_BAD_IMAGE, "fat binary at offset 4: version %u, known is 1", h.version);
  if (h.header_size < sizeof h || !solo_span_has(bytes, h.header_size, h.size))
    return solo_fail(SOLO_BAD_IMAGE,
                     "fat binary at offset 8: header of %u and contents of 0x%llx bytes in 0x%zx",
                     h.header_size, (ull)h.size, bytes.size);
  *out = (solo_fatbin){.bytes = {bytes.data, h.header_size + (size_t)h.size}, .at = h.header_size};
  return SOLO_OK;
}

solo_status solo_fatbin_next(solo_fatbin *fatbin, solo_fatbin_entry *out) {
  struct {
    uint16_t kind, version;
    uint32_t header_size;
    uint64_t payload_size;
    uint32_t compressed_size, options, code_version, capability, name_offset, name_size;
    uint64_t flags, zero, decompressed_size;
  } raw;
  _Static_assert(sizeof raw == 64, "as in the file");
  size_t at = fatbin->at;
  if (at == fatbin->bytes.size) return SOLO_NOT_FOUND;
  if (!solo_span_read(fatbin->bytes, at, &raw, sizeof raw) || raw.header_size < sizeof raw)
    return solo_fail(SOLO_BAD_IMAGE, "fat binary: entry header at offset 0x%zx is cut off", at);
  solo_fatbin_entry entry = {.kind = raw.kind,
                             .capability = raw.capability,
                             .flags = raw.flags,
                             .offset = at + raw.header_size};
  if (!solo_span_sub(fatbin->bytes, entry.offset, raw.payload_size, &entry.payload))
    return solo_fail(SOLO_BAD_IMAGE,
                     "fat binary: entry at offset 0x%zx with 0x%llx bytes exceeds the 0x%zx bytes",
                     at, (ull)raw.payload_size, fatbin->bytes.size);
  fatbin->at = (size_t)entry.offset + entry.payload.size;
  if (raw.flags & (SOLO_FATBIN_LZ4 | SOLO_FATBIN_ZSTD)) {
    if (raw.compressed_size > entry.payload.size)
      return solo_fail(SOLO_BAD_IMAGE,
                       "fat binary at offset 0x%zx: 0x%x compressed bytes in 0x%llx", at + 16,
                       raw.compressed_size, (ull)raw.payload_size);
    entry.payload.size = raw.compressed_size;
    entry.decompressed_size = raw.decompressed_size;
  }
  if (raw.capability)
    snprintf(entry.target, sizeof entry.target, "sm_%u%s", raw.capability,
             raw.flags & SOLO_FATBIN_EXACT    ? "a"
             : raw.flags & SOLO_FATBIN_FAMILY ? "f"
                                              : "");
  *out = entry;
  return SOLO_OK;
}

solo_status solo_fatbin_decompress(const solo_fatbin_entry *entry, uint8_t **out) {
  return solo_decompress(entry->flags & SOLO_FATBIN_ZSTD ? SOLO_COMPRESSION_ZSTD
                                                         : SOLO_COMPRESSION_LZ4,
                         entry->payload, entry->offset, entry->decompressed_size, out);
}

static solo_status open_container(solo_span bytes, solo_container *out) {
  solo_fatbin fatbin;
  SOLO_TRY(solo_fatbin_open(bytes, &fatbin));
  out->bytes = fatbin.bytes;
  out->at = fatbin.at;
  if (out->words) snprintf(out->words, SOLO_CONTAINER_WORDS, "CUDA fat binary");
  return SOLO_OK;
}

static void describe_entry(const solo_fatbin_entry *entry, char *out) {
  const char *packed = entry->flags & SOLO_FATBIN_ZSTD  ? ", zstd"
                       : entry->flags & SOLO_FATBIN_LZ4 ? ", LZ4"
                                                        : "";
  if (entry->kind == SOLO_FATBIN_PTX || entry->kind == SOLO_FATBIN_ELF)
    snprintf(out, SOLO_CONTAINER_WORDS, "%s %s%s", entry->kind == SOLO_FATBIN_PTX ? "PTX" : "ELF",
             entry->target, packed);
  else
    snprintf(out, SOLO_CONTAINER_WORDS, "kind %u %s%s", entry->kind, entry->target, packed);
}

static solo_status next_entry(solo_container *container, solo_container_entry *out) {
  solo_fatbin fatbin = {.bytes = container->bytes, .at = container->at};
  solo_fatbin_entry entry;
  if (container->words) container->words[0] = 0;
  solo_status status = solo_fatbin_next(&fatbin, &entry);
  container->at = fatbin.at;
  if (status != SOLO_OK) return status;
  *out = (solo_container_entry){
      .bytes = entry.payload,
      .offset = entry.offset,
      .target = out->text,
      .compressed = (entry.flags & (SOLO_FATBIN_LZ4 | SOLO_FATBIN_ZSTD)) != 0,
      .decompressed_size = entry.decompressed_size,
      .method = (uint32_t)entry.flags,
      .no_image = entry.kind != SOLO_FATBIN_PTX && entry.kind != SOLO_FATBIN_ELF};
  memcpy(out->text, entry.target, sizeof out->text);
  if (container->words) describe_entry(&entry, container->words);
  return SOLO_OK;
}

static solo_status decompress_entry(const solo_container *container,
                                    const solo_container_entry *entry, uint8_t **out) {
  solo_fatbin_entry packed = {.flags = entry->method,
                              .decompressed_size = entry->decompressed_size,
                              .payload = entry->bytes};
  (void)container;
  return solo_fatbin_decompress(&packed, out);
}

const solo_container_type solo_container_fatbin = {
    .name = "fat binary",
    .entry_name = "fat binary entry",
    .recognise = solo_fatbin_is,
    .open = open_container,
    .next = next_entry,
    .decompress = decompress_entry,
};
