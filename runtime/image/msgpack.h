/* MessagePack reader for untrusted bytes: one value at a time, without allocation or recursion. For
 * an array or map, solo_msgpack_next returns the number of elements; the elements (key, value, key,
 * ...) are the next values. Strings borrow from the input. Errors: BAD_IMAGE with the offset. */
#ifndef SOLO_IMAGE_MSGPACK_H
#define SOLO_IMAGE_MSGPACK_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef enum solo_msgpack_kind {
  SOLO_MSGPACK_NIL,
  SOLO_MSGPACK_BOOL,
  SOLO_MSGPACK_UINT,
  SOLO_MSGPACK_INT,
  SOLO_MSGPACK_FLOAT,
  SOLO_MSGPACK_STRING,
  SOLO_MSGPACK_BYTES,
  SOLO_MSGPACK_ARRAY,
  SOLO_MSGPACK_MAP,
} solo_msgpack_kind;

typedef struct solo_msgpack_value {
  solo_msgpack_kind kind;
  /* the value of BOOL and UINT; the bits of INT and FLOAT; the number of ARRAY elements or MAP
   * pairs */
  uint64_t number;
  solo_span text; /* STRING, BYTES; without NUL */
} solo_msgpack_value;

typedef struct solo_msgpack {
  solo_span bytes;
  size_t at;
} solo_msgpack;

solo_status solo_msgpack_next(solo_msgpack *cursor, solo_msgpack_value *out) SOLO_MUST_CHECK;
solo_status solo_msgpack_skip(solo_msgpack *cursor) SOLO_MUST_CHECK;
/* BAD_IMAGE: the value has another kind. */
solo_status solo_msgpack_expect(solo_msgpack *cursor, solo_msgpack_kind kind,
                                solo_msgpack_value *out) SOLO_MUST_CHECK;
bool solo_msgpack_is(const solo_msgpack_value *value, const char *text);

#endif
