/* OffloadBinary: the container into which Clang's linker wrapper and clang-offload-packager put
 * device images, in sections .llvm.offloading, one container behind the other.
 *
 * Layout (little endian; offsets from the container's start):
 *   0 magic 10 ff 10 ad | 4 u32 version | 8 u64 size | 16 u64 entries offset | 24 u64 entry size
 *   (version 1) or entry count (versions 2, 3) | 32 u64 inflated size (version 3; 0: not
 * compressed) entry (40 bytes): u16 image kind | u16 offload kind | u32 flags | u64 strings offset
 * | u64 strings count | u64 image offset | u64 image size string: u64 key offset | u64 value offset
 * | u64 value size (not in version 1) Version 1 has one entry. A compressed container of version 3
 * is one zlib or zstd frame behind the header; it unfolds to version 3 without compression.
 *
 * Ownership: everything borrows from the bytes given. Threads: pure functions. Errors: BAD_IMAGE
 * with offset and reason. Sources: LLVM's Object/OffloadBinary.h (versions 1 to 3); versions 1
 * checked against files of clang-19 and clang-22, 2 and 3 against files written by hand only.
 */
#ifndef SOLO_IMAGE_OFFLOAD_BINARY_H
#define SOLO_IMAGE_OFFLOAD_BINARY_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

enum {
  SOLO_OFFLOAD_HEADER = 32, /* bytes; 40 in version 3 */
  SOLO_OFFLOAD_ENTRY = 40,
  SOLO_OFFLOAD_ALIGN = 8,
  SOLO_OFFLOAD_METADATA_ONLY = 1, /* flag of an entry: there is no image */
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

/* Producers, as Clang 22 counts them (a bit each). Clang 19 has 3 for HIP. */
enum solo_offload_producer {
  SOLO_OFFLOAD_BY_NONE = 0,
  SOLO_OFFLOAD_BY_OPENMP = 1,
  SOLO_OFFLOAD_BY_CUDA = 2,
  SOLO_OFFLOAD_BY_HIP_19 = 3,
  SOLO_OFFLOAD_BY_HIP = 4,
  SOLO_OFFLOAD_BY_SYCL = 8,
};

typedef struct solo_offload_binary {
  solo_span bytes; /* of this container alone */
  uint32_t version;
  uint64_t entries_offset, entry_count;
  uint64_t inflated_size; /* not 0: compressed, see solo_offload_binary_inflate */
} solo_offload_binary;

typedef struct solo_offload_entry {
  uint16_t image_kind; /* solo_offload_image_kind */
  uint16_t producer;   /* solo_offload_producer */
  uint32_t flags;
  uint64_t offset; /* of the image in the container */
  solo_span image;
  const char *triple, *arch; /* "" when not said */
  uint64_t string_count, strings_offset;
} solo_offload_entry;

bool solo_offload_binary_is(solo_span bytes);

/* Opens the container at the start of bytes. */
solo_status solo_offload_binary_open(solo_span bytes, solo_offload_binary *out) SOLO_MUST_CHECK;
/* Entry index < entry_count; of a container that is not compressed. */
solo_status solo_offload_binary_entry(const solo_offload_binary *binary, uint64_t index,
                                      solo_offload_entry *out) SOLO_MUST_CHECK;
/* String index < entry->string_count. */
solo_status solo_offload_binary_string(const solo_offload_binary *binary,
                                       const solo_offload_entry *entry, uint64_t index,
                                       const char **out_key,
                                       const char **out_value) SOLO_MUST_CHECK;

/* Unfolds a compressed container into *out_bytes (malloc'ed, the caller's). */
solo_status solo_offload_binary_inflate(const solo_offload_binary *binary, uint8_t **out_bytes,
                                        solo_offload_binary *out) SOLO_MUST_CHECK;

#endif
