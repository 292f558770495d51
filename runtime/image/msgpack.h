/* A MessagePack reader over untrusted bytes: one value at a time, no tree, no allocation, no
 * recursion.
 *
 * Arrays and maps are read as their head alone; their elements (for a map: key, value, key, ...)
 * follow and are read or skipped one by one.
 *
 * Ownership: strings borrow from the bytes. Threads: one cursor, one thread. Errors: BAD_IMAGE with
 * the offset. Source: the MessagePack specification.
 */
#ifndef SOLO_IMAGE_MSGPACK_H
#define SOLO_IMAGE_MSGPACK_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef enum solo_msgpack_kind {
  SOLO_MSGPACK_NIL,
  SOLO_MSGPACK_BOOL,
  SOLO_MSGPACK_UINT, /* every integer that is not negative, however it is written */
  SOLO_MSGPACK_INT,  /* a negative one */
  SOLO_MSGPACK_FLOAT,
  SOLO_MSGPACK_STRING,
  SOLO_MSGPACK_BYTES, /* binary and extension types */
  SOLO_MSGPACK_ARRAY,
  SOLO_MSGPACK_MAP,
} solo_msgpack_kind;

typedef struct solo_msgpack_value {
  solo_msgpack_kind kind;
  uint64_t number; /* BOOL, UINT; INT and FLOAT: the bits; ARRAY: elements; MAP: pairs */
  solo_span text;  /* STRING, BYTES: contents, without NUL */
} solo_msgpack_value;

typedef struct solo_msgpack {
  solo_span bytes;
  size_t at;
} solo_msgpack;

/* The next value, or the head of an array or map; BAD_IMAGE at the end too. */
solo_status solo_msgpack_next(solo_msgpack *cursor, solo_msgpack_value *out) SOLO_MUST_CHECK;
/* Passes over one whole value with all it holds. */
solo_status solo_msgpack_skip(solo_msgpack *cursor) SOLO_MUST_CHECK;
/* The next value, which must be of this kind. */
solo_status solo_msgpack_expect(solo_msgpack *cursor, solo_msgpack_kind kind,
                                solo_msgpack_value *out) SOLO_MUST_CHECK;
/* Is it this string? */
bool solo_msgpack_is(const solo_msgpack_value *value, const char *text);

#endif
