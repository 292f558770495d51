/* Reads archives of ar as containers. */
#include "tools/pack.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAGIC = 8, HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE_DIGITS = 10 };

static bool is_archive(solo_span bytes) {
  return bytes.size >= MAGIC && memcmp(bytes.data, "!<arch>\n", MAGIC) == 0;
}

static solo_status open_archive(solo_span bytes, solo_container *out) {
  if (!is_archive(bytes))
    return solo_fail(SOLO_BAD_IMAGE, "archive at offset 0: wrong magic bytes");
  out->bytes = bytes;
  out->at = MAGIC;
  if (out->words) snprintf(out->words, SOLO_CONTAINER_WORDS, "archive");
  return SOLO_OK;
}

static void field(solo_span bytes, size_t at, size_t size, char *out) {
  memcpy(out, bytes.data + at, size);
  while (size && out[size - 1] == ' ') size--;
  out[size] = 0;
}

static solo_span long_names(solo_span bytes) {
  size_t at = MAGIC;
  char digits[SIZE_DIGITS + 1];
  /* the long names follow the symbol tables */
  for (int i = 0; i < 3 && solo_span_has(bytes, at, HEADER); i++) {
    field(bytes, at + SIZE_AT, SIZE_DIGITS, digits);
    size_t size = strtoull(digits, NULL, 10);
    solo_span data;
    if (!solo_span_sub(bytes, at + HEADER, size, &data)) break;
    if (memcmp(bytes.data + at, "// ", 3) == 0) return data;
    at += HEADER + size + (size & 1);
  }
  return solo_span_of("", 0);
}

static void put_name(solo_container *container, const char *name, solo_span *data) {
  size_t most = SOLO_CONTAINER_WORDS - 1, size;
  /* an offset in the long names, each of which ends with "/\n" */
  if (name[0] == '/' && name[1] >= '0' && name[1] <= '9') {
    solo_span names = long_names(container->bytes);
    size_t at = strtoull(name + 1, NULL, 10);
    for (size = 0; at + size < names.size && names.data[at + size] != '/' && size < most;) size++;
    if (container->words) snprintf(container->words, most + 1, "%.*s", (int)size, names.data + at);
  } else if (strncmp(name, "#1/", 3) == 0) { /* BSD format: the name precedes the data */
    size = strtoull(name + 3, NULL, 10);
    if (size > data->size) size = data->size;
    if (container->words)
      snprintf(container->words, most + 1, "%.*s", (int)size, (const char *)data->data);
    *data = (solo_span){data->data + size, data->size - size};
  } else if (container->words) {
    snprintf(container->words, most + 1, "%.*s", (int)strcspn(name, "/"), name);
  }
}

static bool is_table(const char *name) {
  return strcmp(name, "/") == 0 || strcmp(name, "//") == 0 || strcmp(name, "/SYM64/") == 0 ||
         strncmp(name, "__.SYMDEF", 9) == 0;
}

static solo_status next_member(solo_container *container, solo_container_entry *out) {
  char name[NAME + 1], digits[SIZE_DIGITS + 1];
  do {
    size_t at = container->at;
    solo_span data;
    if (container->words) container->words[0] = 0;
    if (at >= container->bytes.size) return SOLO_NOT_FOUND;
    if (!solo_span_has(container->bytes, at, HEADER))
      return solo_fail(SOLO_BAD_IMAGE, "archive: the header at offset 0x%zx is truncated", at);
    field(container->bytes, at, NAME, name);
    field(container->bytes, at + SIZE_AT, SIZE_DIGITS, digits);
    size_t size = strtoull(digits, NULL, 10);
    if (!solo_span_sub(container->bytes, at + HEADER, size, &data))
      return solo_fail(SOLO_BAD_IMAGE,
                       "archive: the member at offset 0x%zx has %zu bytes, which exceeds the "
                       "archive of 0x%zx bytes",
                       at, size, container->bytes.size);
    container->at = at + HEADER + size + (size & 1);
    if (!is_table(name)) put_name(container, name, &data);
    *out = (solo_container_entry){
        .bytes = data, .offset = (uint64_t)(data.data - container->bytes.data), .target = ""};
  } while (is_table(name));
  return SOLO_OK;
}

const solo_container_type solo_pack_archive = {
    .name = "archive",
    .entry_name = "archive member",
    .recognise = is_archive,
    .open = open_archive,
    .next = next_member,
};
