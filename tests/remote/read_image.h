/* Reads an image file into a static buffer, which the next call overwrites. Fails like
 * solo_image_recognise(). An unreadable file is an empty image. */
#ifndef SOLO_TEST_REMOTE_READ_IMAGE_H
#define SOLO_TEST_REMOTE_READ_IMAGE_H

#include "runtime/image/image.h"

#include <stdio.h>

static inline solo_status read_image(const char *path, solo_image *out) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  return solo_image_recognise(solo_span_of(bytes, size), out);
}

#endif
