/* Loads the files that make.sh wrote. Each allocation has exactly the size of the file, so that
 * AddressSanitizer reports a read beyond the end. */
#ifndef SOLO_TESTS_IMAGES_FILES_H
#define SOLO_TESTS_IMAGES_FILES_H

#include "runtime/image/span.h"
#include "tests/unit/test.h"

static const char *files_folder = "build/images";

/* Returns the whole file, or {NULL, 0} if it does not exist. */
static solo_span file_load(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", files_folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return (solo_span){0};
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(size ? size : 1);
  if (fread(bytes, 1, size, file) != size) abort();
  fclose(file);
  return solo_span_of(bytes, size);
}

static void file_free(solo_span bytes) {
  free((void *)(uintptr_t)bytes.data);
}

static inline uint8_t *file_bytes(solo_span bytes) {
  return (uint8_t *)(uintptr_t)bytes.data;
}

#endif
