/* CUDA fat binaries, and the wrappers of CUDA and HIP fat binaries. No vendor document exists; the
 * layout was derived from files of CUDA 13.0. Results borrow from the input. Errors: BAD_IMAGE with
 * offset and reason.
 *
 *   container  u32 magic, u16 version 1, u16 header size, u64 size of the entries
 *   entry      u16 kind (1 PTX, 2 ELF), u16 version, u32 header size, u64 payload size (multiple of 8),
 *              u32 compressed size; at 28: u32 capability; at 40: u64 flags; at 56: u64 full size
 *   wrapper    u32 magic, u32 version, u64 address of the container (HIP: of a bundle), u64 unused
 */
#ifndef SOLO_IMAGE_FATBIN_H
#define SOLO_IMAGE_FATBIN_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include "runtime/image/target_id.h"

enum {
  SOLO_FATBIN_PTX = 1,
  SOLO_FATBIN_ELF = 2,
  SOLO_FATBIN_LZ4 = 0x2000,
  SOLO_FATBIN_ZSTD = 0x8000,
  SOLO_FATBIN_EXACT = 0x100000,
  SOLO_FATBIN_FAMILY = 0x200000,
};
#define SOLO_FATBIN_MAGIC         UINT32_C(0xba55ed50)
#define SOLO_FATBIN_WRAPPER_MAGIC UINT32_C(0x466243b1)
#define SOLO_HIP_WRAPPER_MAGIC    UINT32_C(0x48495046)

typedef struct solo_fatbin {
  solo_span bytes;
  size_t at;
} solo_fatbin;

typedef struct solo_fatbin_entry {
  uint16_t kind;
  uint32_t capability;
  uint64_t flags;
  uint64_t decompressed_size;
  uint64_t offset;
  solo_span payload;
  char target[SOLO_TARGET_TEXT];
} solo_fatbin_entry;

bool solo_fatbin_is(solo_span bytes);
bool solo_fatbin_is_wrapper(solo_span bytes);

solo_status solo_fatbin_open(solo_span bytes, solo_fatbin *out) SOLO_MUST_CHECK;
/* NOT_FOUND (without text): no more entries. */
solo_status solo_fatbin_next(solo_fatbin *fatbin, solo_fatbin_entry *out) SOLO_MUST_CHECK;
/* The caller frees *out (decompressed_size bytes). */
solo_status solo_fatbin_decompress(const solo_fatbin_entry *entry, uint8_t **out) SOLO_MUST_CHECK;

#endif
