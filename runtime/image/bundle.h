/* Files of clang-offload-bundler: code objects with ids, in binary, text and compressed form
 * (abi-facts 3). An id is <kind>-<arch>-<vendor>-<os>-<environment>-<target id>. Results borrow
 * from the input. Errors: BAD_IMAGE with offset and reason. */
#ifndef SOLO_IMAGE_BUNDLE_H
#define SOLO_IMAGE_BUNDLE_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include "runtime/image/target_id.h"

#define SOLO_BUNDLE_MAGIC            "__CLANG_OFFLOAD_BUNDLE__"
#define SOLO_BUNDLE_COMPRESSED_MAGIC "CCOB"

enum { SOLO_BUNDLE_ID = 128 };

typedef struct solo_bundle_id {
  char kind[16];
  char triple[64]; /* "amdgcn-amd-amdhsa", without empty fields at the end */
  char target[SOLO_TARGET_TEXT];
} solo_bundle_id;

typedef struct solo_bundle {
  solo_span bytes; /* binary form: up to the end of the last payload */
  int text;
  uint64_t count;
  uint64_t index;
  size_t at;
} solo_bundle;

typedef struct solo_bundle_member {
  char id[SOLO_BUNDLE_ID];
  solo_bundle_id parts;
  uint64_t offset;
  solo_span bytes;
} solo_bundle_member;

/* Both check only the first bytes. */
bool solo_bundle_is(solo_span bytes);
bool solo_bundle_is_compressed(solo_span bytes);

/* Checks every header of the binary form. */
solo_status solo_bundle_open(solo_span bytes, solo_bundle *out) SOLO_MUST_CHECK;
/* NOT_FOUND (without text): no more members. */
solo_status solo_bundle_next(solo_bundle *bundle, solo_bundle_member *out) SOLO_MUST_CHECK;

/* Splits an id into its parts. INVALID: no kind, or a part is too long. */
solo_status solo_bundle_id_parse(const char *id, solo_bundle_id *out) SOLO_MUST_CHECK;

typedef struct solo_compressed_bundle {
  uint16_t version, method; /* method: 0 zlib, 1 zstd */
  uint64_t decompressed_size, hash;
  solo_span bytes;
  solo_span payload;
} solo_compressed_bundle;

solo_status solo_compressed_bundle_open(solo_span bytes,
                                        solo_compressed_bundle *out) SOLO_MUST_CHECK;
/* Decompresses into *out (the caller frees it) and checks the hash. */
solo_status solo_compressed_bundle_decompress(const solo_compressed_bundle *bundle,
                                              uint8_t **out) SOLO_MUST_CHECK;

#endif
