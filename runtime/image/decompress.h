/* Decompression of zlib and zstd frames and LZ4 blocks. The caller frees *out. Errors: UNSUPPORTED
 * if the program does not link the library; BAD_IMAGE; NOMEM. */
#ifndef SOLO_IMAGE_DECOMPRESS_H
#define SOLO_IMAGE_DECOMPRESS_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef enum solo_compression {
  SOLO_COMPRESSION_ZLIB,
  SOLO_COMPRESSION_ZSTD,
  SOLO_COMPRESSION_LZ4,
} solo_compression;

/* The result has exactly size bytes. offset: position of bytes in their container, for messages. */
solo_status solo_decompress(solo_compression method, solo_span bytes, uint64_t offset,
                            uint64_t size, uint8_t **out) SOLO_MUST_CHECK;

#endif
