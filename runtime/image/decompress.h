/* Decompression of image payloads: zlib and zstd frames, and LZ4 blocks (CUDA fat binaries).
 *
 * The library itself needs no compression library: ZSTD_decompress and zlib's uncompress are weak
 * references, there when the program links them. LZ4 blocks are decoded here (the format is small).
 *
 * Ownership: *out is malloc'ed and the caller's to free. Threads: any. Errors: UNSUPPORTED naming
 * what to link; BAD_IMAGE for corrupt data or a size that no such data can have; NOMEM.
 */
#ifndef SOLO_IMAGE_DECOMPRESS_H
#define SOLO_IMAGE_DECOMPRESS_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef enum solo_compression {
  SOLO_COMPRESSION_ZLIB,
  SOLO_COMPRESSION_ZSTD,
  SOLO_COMPRESSION_LZ4,
} solo_compression;

/* Decompresses to exactly size bytes; anything else is BAD_IMAGE. offset: where bytes lie in their
 * container, for messages. */
solo_status solo_decompress(solo_compression method, solo_span bytes, uint64_t offset,
                            uint64_t size, uint8_t **out) SOLO_MUST_CHECK;

#endif
