/* clang-offload-bundler's files: several code objects, one of them perhaps the host's, under ids.
 *
 * Binary form: "__CLANG_OFFLOAD_BUNDLE__" (24 bytes, no NUL), u64 count, then count times {u64
 *   offset, u64 size, u64 id size, id without NUL}; payloads at the offsets (from the magic).
 * Text form: per member a line "<comment> __CLANG_OFFLOAD_BUNDLE____START__ <id>", the text, a
 *   newline, and "<comment> __CLANG_OFFLOAD_BUNDLE____END__ <id>".
 * Compressed form: "CCOB", u16 version, u16 method (0 zlib, 1 zstd), then
 *   version 1: u32 size unfolded, u64 hash; version 2: u32 file size, u32 size unfolded, u64 hash;
 *   version 3: u64 file size, u64 size unfolded, u64 hash; then one frame that unfolds to the
 * binary form. The hash is the first 8 bytes of the MD5 of the unfolded bytes. Id:
 * <kind>-<arch>-<vendor>-<os>-<environment>-<target id>; kinds host, hip, hipv4, openmp.
 *
 * Ownership: everything borrows from the bytes given. Threads: pure functions. Errors: BAD_IMAGE
 * with offset and reason. Source: Clang's clang-offload-bundler guide; checked against files of
 * versions 19 and 22.
 */
#ifndef SOLO_IMAGE_BUNDLE_H
#define SOLO_IMAGE_BUNDLE_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include "runtime/image/target_id.h"

#define SOLO_BUNDLE_MAGIC            "__CLANG_OFFLOAD_BUNDLE__"
#define SOLO_BUNDLE_COMPRESSED_MAGIC "CCOB"

enum { SOLO_BUNDLE_ID = 128 };

typedef struct solo_bundle_id {
  char kind[16];                 /* "host", "hipv4" ... */
  char triple[64];               /* "amdgcn-amd-amdhsa", empty trailing fields dropped */
  char target[SOLO_TARGET_TEXT]; /* target id as written; "" when there is none */
} solo_bundle_id;

typedef struct solo_bundle {
  solo_span bytes; /* text form: all of it; binary form: up to the last payload's end */
  int text;        /* nonzero: text form */
  uint64_t count;  /* binary form: members */
  uint64_t index;  /* of the next member */
  size_t at;       /* where its header is */
} solo_bundle;

typedef struct solo_bundle_member {
  char id[SOLO_BUNDLE_ID];
  solo_bundle_id parts;
  uint64_t offset;
  solo_span bytes;
} solo_bundle_member;

/* Does it begin like a bundle of the uncompressed or of the compressed form? */
bool solo_bundle_is(solo_span bytes);
bool solo_bundle_is_compressed(solo_span bytes);

/* Opens the bundle at the start of bytes; of a binary one, every header is checked. */
solo_status solo_bundle_open(solo_span bytes, solo_bundle *out) SOLO_MUST_CHECK;
/* The next member: NOT_FOUND (without text) behind the last. */
solo_status solo_bundle_next(solo_bundle *bundle, solo_bundle_member *out) SOLO_MUST_CHECK;

/* Takes an id apart; INVALID when it has no kind or a part is too long. */
solo_status solo_bundle_id_parse(const char *id, solo_bundle_id *out) SOLO_MUST_CHECK;

typedef struct solo_compressed_bundle {
  uint16_t version, method; /* method: 0 zlib, 1 zstd */
  uint64_t unfolded_size, hash;
  solo_span bytes;   /* header and frame */
  solo_span payload; /* the frame */
} solo_compressed_bundle;

solo_status solo_compressed_bundle_open(solo_span bytes,
                                        solo_compressed_bundle *out) SOLO_MUST_CHECK;
/* Unfolds into *out (malloc'ed, the caller's, unfolded_size bytes) and checks the hash. */
solo_status solo_compressed_bundle_unfold(const solo_compressed_bundle *bundle,
                                          uint8_t **out) SOLO_MUST_CHECK;

#endif
