#include "runtime/image/msgpack.h"

static solo_status cut_off(size_t at) {
  return solo_fail(SOLO_BAD_IMAGE, "MessagePack: value at offset 0x%zx is cut off", at);
}

static bool big_endian(solo_span bytes, size_t at, size_t size, uint64_t *out) {
  if (!solo_span_has(bytes, at, size)) return false;
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) value = value << 8 | bytes.data[at + i];
  *out = value;
  return true;
}

/* Reads a value. The `size` bytes after the type byte are its count, its size or its number. */
static solo_status counted(solo_msgpack *cursor, solo_msgpack_kind kind, size_t size, size_t extra,
                           solo_msgpack_value *out) {
  size_t at = cursor->at, body = at + 1 + size;
  *out = (solo_msgpack_value){.kind = kind};
  if (!big_endian(cursor->bytes, at + 1, size, &out->number)) return cut_off(at);
  if (kind == SOLO_MSGPACK_STRING || kind == SOLO_MSGPACK_BYTES) {
    body += extra; /* type byte of an extension */
    if (!solo_span_sub(cursor->bytes, body, out->number, &out->text)) return cut_off(at);
    body += out->text.size;
  }
  cursor->at = body;
  return SOLO_OK;
}

static solo_status fixed(solo_msgpack *cursor, solo_msgpack_kind kind, uint64_t number,
                         solo_msgpack_value *out) {
  *out = (solo_msgpack_value){.kind = kind, .number = number};
  cursor->at++;
  return SOLO_OK;
}

static solo_status signed_number(solo_msgpack *cursor, size_t size, solo_msgpack_value *out) {
  SOLO_TRY(counted(cursor, SOLO_MSGPACK_UINT, size, 0, out));
  unsigned shift = (unsigned)(64 - 8 * size);
  int64_t value = (int64_t)(out->number << shift) >> shift;
  if (value < 0) out->kind = SOLO_MSGPACK_INT;
  out->number = (uint64_t)value;
  return SOLO_OK;
}

static solo_status sized_body(solo_msgpack *cursor, solo_msgpack_kind kind, size_t head,
                              size_t size, solo_msgpack_value *out) {
  *out = (solo_msgpack_value){.kind = kind, .number = size};
  if (!solo_span_sub(cursor->bytes, cursor->at + head, size, &out->text))
    return cut_off(cursor->at);
  cursor->at += head + size;
  return SOLO_OK;
}

solo_status solo_msgpack_next(solo_msgpack *cursor, solo_msgpack_value *out) {
  uint8_t tag;
  if (!solo_span_read(cursor->bytes, cursor->at, &tag, 1)) return cut_off(cursor->at);
  if (tag <= 0x7f) return fixed(cursor, SOLO_MSGPACK_UINT, tag, out);
  if (tag >= 0xe0) return fixed(cursor, SOLO_MSGPACK_INT, (uint64_t)(int64_t)(int8_t)tag, out);
  if (tag <= 0x8f) return fixed(cursor, SOLO_MSGPACK_MAP, tag & 0xf, out);
  if (tag <= 0x9f) return fixed(cursor, SOLO_MSGPACK_ARRAY, tag & 0xf, out);
  if (tag <= 0xbf) return sized_body(cursor, SOLO_MSGPACK_STRING, 1, tag & 0x1f, out);
  switch (tag) {
  case 0xc0:
    return fixed(cursor, SOLO_MSGPACK_NIL, 0, out);
  case 0xc2:
  case 0xc3:
    return fixed(cursor, SOLO_MSGPACK_BOOL, tag & 1, out);
  case 0xc4:
  case 0xc5:
  case 0xc6:
    return counted(cursor, SOLO_MSGPACK_BYTES, (size_t)1 << (tag - 0xc4), 0, out);
  case 0xc7:
  case 0xc8:
  case 0xc9:
    return counted(cursor, SOLO_MSGPACK_BYTES, (size_t)1 << (tag - 0xc7), 1, out);
  case 0xca:
  case 0xcb:
    return counted(cursor, SOLO_MSGPACK_FLOAT, (size_t)4 << (tag - 0xca), 0, out);
  case 0xcc:
  case 0xcd:
  case 0xce:
  case 0xcf:
    return counted(cursor, SOLO_MSGPACK_UINT, (size_t)1 << (tag - 0xcc), 0, out);
  case 0xd0:
  case 0xd1:
  case 0xd2:
  case 0xd3:
    return signed_number(cursor, (size_t)1 << (tag - 0xd0), out);
  case 0xd4:
  case 0xd5:
  case 0xd6:
  case 0xd7:
  case 0xd8:
    return sized_body(cursor, SOLO_MSGPACK_BYTES, 2, (size_t)1 << (tag - 0xd4), out);
  case 0xd9:
  case 0xda:
  case 0xdb:
    return counted(cursor, SOLO_MSGPACK_STRING, (size_t)1 << (tag - 0xd9), 0, out);
  case 0xdc:
  case 0xdd:
    return counted(cursor, SOLO_MSGPACK_ARRAY, (size_t)2 << (tag - 0xdc), 0, out);
  case 0xde:
  case 0xdf:
    return counted(cursor, SOLO_MSGPACK_MAP, (size_t)2 << (tag - 0xde), 0, out);
  default:
    return solo_fail(SOLO_BAD_IMAGE, "MessagePack: unknown tag 0x%02x at offset 0x%zx", tag,
                     cursor->at);
  }
}

/* Counts the remaining values instead of a recursion. Each value has at least one byte, so the loop
 * ends at the latest at the end of the input. */
solo_status solo_msgpack_skip(solo_msgpack *cursor) {
  uint64_t left = 1;
  while (left) {
    solo_msgpack_value value;
    SOLO_TRY(solo_msgpack_next(cursor, &value));
    left--;
    if (value.kind == SOLO_MSGPACK_ARRAY) left += value.number;
    if (value.kind == SOLO_MSGPACK_MAP) left += 2 * value.number;
  }
  return SOLO_OK;
}

solo_status solo_msgpack_expect(solo_msgpack *cursor, solo_msgpack_kind kind,
                                solo_msgpack_value *out) {
  size_t at = cursor->at;
  SOLO_TRY(solo_msgpack_next(cursor, out));
  if (out->kind == kind) return SOLO_OK;
  return solo_fail(SOLO_BAD_IMAGE, "MessagePack: value of kind %d at offset 0x%zx, expected %d",
                   (int)out->kind, at, (int)kind);
}

bool solo_msgpack_is(const solo_msgpack_value *value, const char *text) {
  size_t size = strlen(text);
  return value->kind == SOLO_MSGPACK_STRING && value->text.size == size &&
         memcmp(value->text.data, text, size) == 0;
}
