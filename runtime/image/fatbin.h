/* Fat binaries of CUDA and HIP.
 *
 * CUDA container: u32 magic 0xba55ed50 | u16 version 1 | u16 header size | u64 size of what
 * follows; then entries: u16 kind (1 PTX, 2 ELF) | u16 version | u32 header size | u64 payload size
 * (padded to 8) | 16: u32 compressed size (0: not compressed) | 28: u32 capability | 40: u64 flags
 * | 56: u64 size unfolded; the payload follows the header. Flags: 0x2000 LZ4, 0x8000 zstd, 0x100000
 * an "a" target, 0x200000 an "f" target. Wrappers, which compilers register, are {u32 magic, u32
 * version, pointer to the container, unused}: magic 0x466243b1 (CUDA), 0x48495046 (HIP: the
 * container is a bundle, compressed or not).
 *
 * Ownership: everything borrows from the bytes given. Threads: pure functions. Errors: BAD_IMAGE
 * with offset and reason. Sources: no vendor document; files written by fatbinary and nvcc of
 * CUDA 13.0 with every compression mode, Clang's HIP code generation for its wrapper.
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
  solo_span bytes; /* of this container alone */
  size_t at;       /* where the next entry's header is */
} solo_fatbin;

typedef struct solo_fatbin_entry {
  uint16_t kind;
  uint32_t capability; /* 90 */
  uint64_t flags;
  uint64_t unfolded_size; /* 0: not compressed */
  uint64_t offset;
  solo_span payload;
  char target[SOLO_TARGET_TEXT]; /* "sm_90a" */
} solo_fatbin_entry;

bool solo_fatbin_is(solo_span bytes);
bool solo_fatbin_is_wrapper(solo_span bytes);

solo_status solo_fatbin_open(solo_span bytes, solo_fatbin *out) SOLO_MUST_CHECK;
/* The next entry: NOT_FOUND (without text) behind the last. */
solo_status solo_fatbin_next(solo_fatbin *fatbin, solo_fatbin_entry *out) SOLO_MUST_CHECK;
/* Unfolds a compressed entry into *out (malloc'ed, the caller's, unfolded_size bytes). */
solo_status solo_fatbin_unfold(const solo_fatbin_entry *entry, uint8_t **out) SOLO_MUST_CHECK;

#endif
