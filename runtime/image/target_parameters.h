/* Offsets and sizes of a kernel's parameters, for launches that pass an array of parameter
 * addresses. Sources: amdgcn metadata; section .nv.info.<kernel> of a cubin; .entry of PTX; for the
 * CPU, the mangled name. Errors: BAD_IMAGE with the offset; NOT_FOUND: the image lacks the
 * information. */
#ifndef SOLO_IMAGE_TARGET_PARAMETERS_H
#define SOLO_IMAGE_TARGET_PARAMETERS_H

#include "runtime/image/image.h"

enum { SOLO_MAX_PARAMETERS = 1024, SOLO_MAX_PARAMETER_BYTES = 32764 };

typedef struct solo_parameter {
  uint32_t offset, bytes;
} solo_parameter;

typedef struct solo_parameters {
  solo_parameter *list;
  uint32_t count;
  uint32_t bytes; /* end of the last parameter */
} solo_parameters;

/* image: a leaf. The caller frees the list. */
solo_status solo_target_parameters(const solo_image *image, const char *kernel,
                                   solo_parameters *out) SOLO_MUST_CHECK;

#endif
