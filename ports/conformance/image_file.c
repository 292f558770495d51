#include "ports/conformance/image_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 18, HEADER = 64, DAMAGED = 4096 };

static solo_span read_file(const conf_image_file *f) {
  static char bytes[MOST_BYTES];
  const char *path = getenv(f->variable);
  FILE *file = fopen(path ? path : f->path, "rb");
  size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  return solo_span_of(bytes, size);
}

int conf_image_of(const conf_image_file *file, conf_image_choice choice, solo_image *out) {
  static char copy[MOST_BYTES];
  solo_span kernels = read_file(file);
  if (kernels.size < DAMAGED || solo_image_recognise(kernels, out) != SOLO_OK) return 0;
  switch (choice) {
  case CONF_IMAGE_KERNELS:
    return 1;
  case CONF_IMAGE_FOREIGN:
    *out = (solo_image){.kind = SOLO_IMAGE_ELF, .machine = (uint16_t)file->foreign};
    return 1;
  case CONF_IMAGE_MISFIT:
    memcpy(copy, kernels.data, kernels.size);
    copy[file->misfit_at] = (char)file->misfit;
    return solo_image_recognise(solo_span_of(copy, kernels.size), out) == SOLO_OK;
  case CONF_IMAGE_CORRUPT: /* the header stays valid, so only module_load detects the damage */
    memcpy(copy, kernels.data, kernels.size);
    memset(copy + HEADER, 0x5a, DAMAGED - HEADER);
    out->bytes = solo_span_of(copy, kernels.size);
    return 1;
  }
  return 0;
}
