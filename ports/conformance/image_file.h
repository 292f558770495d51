/* Images of a GPU adapter out of one file with the kernels of kernels.h.
 *
 * Ownership: bytes are static; each choice of a process has its own. Threads: one. Errors: 0 where
 * there is no such file.
 */
#ifndef CONFORMANCE_IMAGE_FILE_H
#define CONFORMANCE_IMAGE_FILE_H

#include "ports/conformance/conformance.h"

typedef struct conf_image_file {
  const char *variable; /* of the environment: the file's path */
  const char *path;     /* when it is not set */
  unsigned foreign;     /* ELF machine of another kind of device */
  unsigned misfit_at;   /* this byte of the file ... */
  unsigned char misfit; /* ... so, and no device here can run the image */
} conf_image_file;

/* What conf_adapter.image does. */
int conf_image_of(const conf_image_file *file, conf_image_choice choice, solo_image *out);

#endif
