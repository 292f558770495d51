/* OffloadBinary: the container of device images that Clang's linker wrapper and
 * clang-offload-packager write (abi-facts 2). Results borrow from the input. Errors: BAD_IMAGE with
 * offset and reason.
 *
 * Version 2 has several entries: their number is at header offset 24, and strings have a size.
 * Version 3 adds the decompressed size at header offset 32; if it is not 0, one zlib or zstd frame
 * follows the header. */
#ifndef SOLO_IMAGE_OFFLOAD_BINARY_H
#define SOLO_IMAGE_OFFLOAD_BINARY_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

enum {
  SOLO_OFFLOAD_HEADER = 32,
  SOLO_OFFLOAD_ENTRY = 40,
  SOLO_OFFLOAD_ALIGN = 8,
  SOLO_OFFLOAD_METADATA_ONLY = 1,
};

enum solo_offload_image_kind {
  SOLO_OFFLOAD_NONE,
  SOLO_OFFLOAD_OBJECT,
  SOLO_OFFLOAD_BITCODE,
  SOLO_OFFLOAD_CUBIN,
  SOLO_OFFLOAD_FATBIN,
  SOLO_OFFLOAD_PTX,
  SOLO_OFFLOAD_SPIRV,
};

/* Bits of Clang 22. Clang 19 uses 3 for HIP. */
enum solo_offload_producer {
  SOLO_OFFLOAD_BY_NONE = 0,
  SOLO_OFFLOAD_BY_OPENMP = 1,
  SOLO_OFFLOAD_BY_CUDA = 2,
  SOLO_OFFLOAD_BY_HIP_19 = 3,
  SOLO_OFFLOAD_BY_HIP = 4,
  SOLO_OFFLOAD_BY_SYCL = 8,
};

typedef struct solo_offload_binary {
  solo_span bytes;
  uint32_t version;
  uint64_t entries_offset, entry_count;
  uint64_t inflated_size;
} solo_offload_binary;

typedef struct solo_offload_entry {
  uint16_t image_kind;
  uint16_t producer;
  uint32_t flags;
  uint64_t offset;
  solo_span image;
  const char *triple, *arch;
  uint64_t string_count, strings_offset;
} solo_offload_entry;

bool solo_offload_binary_is(solo_span bytes);

solo_status solo_offload_binary_open(solo_span bytes, solo_offload_binary *out) SOLO_MUST_CHECK;
solo_status solo_offload_binary_entry(const solo_offload_binary *binary, uint64_t index,
                                      solo_offload_entry *out) SOLO_MUST_CHECK;
solo_status solo_offload_binary_string(const solo_offload_binary *binary,
                                       const solo_offload_entry *entry, uint64_t index,
                                       const char **out_key,
                                       const char **out_value) SOLO_MUST_CHECK;

/* Decompresses the container into *out_bytes, which the caller frees, and opens the result as *out. */
solo_status solo_offload_binary_inflate(const solo_offload_binary *binary, uint8_t **out_bytes,
                                        solo_offload_binary *out) SOLO_MUST_CHECK;

#endif
