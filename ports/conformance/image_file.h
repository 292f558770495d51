/* conf_image_of() derives all images of a GPU adapter from one file; 0: the file is missing. */
#ifndef CONFORMANCE_IMAGE_FILE_H
#define CONFORMANCE_IMAGE_FILE_H

#include "ports/conformance/conformance.h"

typedef struct conf_image_file {
  const char *variable; /* environment variable with the path */
  const char *path;
  unsigned foreign;     /* ELF machine of another device */
  unsigned misfit_at;   /* offset of a byte to replace */
  unsigned char misfit; /* its new value, with which no device accepts the image */
} conf_image_file;

int conf_image_of(const conf_image_file *file, conf_image_choice choice, solo_image *out);

#endif
