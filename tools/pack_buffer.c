#include "tools/pack.h"

#include <stdlib.h>

static void reserve(solo_pack_buffer *out, size_t more) {
  if (out->capacity - out->size >= more) return;
  size_t capacity = (out->size + more) * 2;
  uint8_t *data = realloc(out->data, capacity);
  if (!data) solo_tool_die("out of memory for an output of %zu bytes", capacity);
  out->data = data;
  out->capacity = capacity;
}

void solo_pack_put(solo_pack_buffer *out, const void *data, size_t size) {
  reserve(out, size);
  if (size) memcpy(out->data + out->size, data, size);
  out->size += size;
}

void solo_pack_zeros(solo_pack_buffer *out, size_t size) {
  reserve(out, size);
  memset(out->data + out->size, 0, size);
  out->size += size;
}

void solo_pack_align(solo_pack_buffer *out, size_t align) {
  solo_pack_zeros(out, (align - out->size % align) % align);
}
