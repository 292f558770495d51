/* Reads an image file. */
#ifndef SOLO_TEST_IMAGE_FILE_H
#define SOLO_TEST_IMAGE_FILE_H

#include "runtime/image/span.h"
#include <stdio.h>
#include <stdlib.h>

static inline solo_span read_image(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.so", folder, name);
  FILE *f = fopen(path, "rb");
  if (!f) {
    printf("cannot read %s\n", path);
    exit(1);
  }
  fseek(f, 0, SEEK_END);
  size_t size = (size_t)ftell(f);
  rewind(f);
  unsigned char *bytes = (unsigned char *)malloc(size);
  if (!bytes || fread(bytes, 1, size, f) != size) exit(1);
  fclose(f);
  return solo_span_of(bytes, size);
}

#endif
