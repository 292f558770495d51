/* Bounds-checked reading of untrusted bytes: the only way in which image parsers touch an image.
 *
 * Ownership: a span borrows. Threads: pure. Errors: reads outside the span return false and leave
 * *out alone; callers turn that into SOLO_BAD_IMAGE with the offset. Units: bytes; little endian.
 */
#ifndef SOLO_IMAGE_SPAN_H
#define SOLO_IMAGE_SPAN_H

#include "runtime/base/platform.h"
#include <stdbool.h>
#include <string.h>

typedef struct solo_span {
  const uint8_t *data;
  size_t size;
} solo_span;

SOLO_INLINE solo_span solo_span_of(const void *data, size_t size) {
  return (solo_span){(const uint8_t *)data, size};
}

/* Is [offset, offset + size) inside? Safe against wrap-around. */
SOLO_INLINE bool solo_span_has(solo_span s, uint64_t offset, uint64_t size) {
  return offset <= s.size && size <= s.size - offset;
}

SOLO_INLINE bool solo_span_sub(solo_span s, uint64_t offset, uint64_t size, solo_span *out) {
  if (!solo_span_has(s, offset, size)) return false;
  *out = (solo_span){offset ? s.data + offset : s.data, (size_t)size}; /* NULL + 0 is undefined */
  return true;
}

/* Copies size bytes at offset out (alignment never matters). */
SOLO_INLINE bool solo_span_read(solo_span s, uint64_t offset, void *out, size_t size) {
  if (!solo_span_has(s, offset, size)) return false;
  if (size) memcpy(out, s.data + offset, size);
  return true;
}

/* A NUL-terminated string that lies wholly inside; NULL when it does not. Borrowed. */
SOLO_INLINE const char *solo_span_string(solo_span s, uint64_t offset) {
  if (offset >= s.size) return NULL;
  return memchr(s.data + offset, 0, s.size - offset) ? (const char *)s.data + offset : NULL;
}

#endif
