/* Bounds-checked reads of untrusted bytes; all parsers use them. A span borrows its bytes. A read
 * outside the span returns false and does not change *out. Integers are little endian. */
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

/* Correct even if offset + size overflows. */
SOLO_INLINE bool solo_span_has(solo_span s, uint64_t offset, uint64_t size) {
  return offset <= s.size && size <= s.size - offset;
}

SOLO_INLINE bool solo_span_sub(solo_span s, uint64_t offset, uint64_t size, solo_span *out) {
  if (!solo_span_has(s, offset, size)) return false;
  *out = (solo_span){offset ? s.data + offset : s.data, (size_t)size}; /* NULL + 0 is undefined */
  return true;
}

SOLO_INLINE bool solo_span_read(solo_span s, uint64_t offset, void *out, size_t size) {
  if (!solo_span_has(s, offset, size)) return false;
  if (size) memcpy(out, s.data + offset, size);
  return true;
}

/* Returns NULL if no NUL is at or after offset. */
SOLO_INLINE const char *solo_span_string(solo_span s, uint64_t offset) {
  if (offset >= s.size) return NULL;
  return memchr(s.data + offset, 0, s.size - offset) ? (const char *)s.data + offset : NULL;
}

#endif
