/* The parameters of a kernel as its image tells them: where each lies in the parameter block.
 *
 * Kernel languages launch by an array of addresses, one per parameter, without their number and sizes;
 * the compilers that made the image have written them down: in the metadata of an amdgcn code object,
 * in section .nv.info.<kernel> of a cubin, in the directive .entry of PTX. Where an image says nothing
 * (a CPU's), the name does if it is a C++ function's (mangled.h).
 *
 * Ownership: everything borrows from the image. Threads: pure functions. Errors: BAD_IMAGE with the
 * offset; NOT_FOUND: the image does not say.
 */
#ifndef SOLO_IMAGE_TARGET_PARAMETERS_H
#define SOLO_IMAGE_TARGET_PARAMETERS_H

#include "runtime/image/image.h"

enum { SOLO_MAX_PARAMETERS = 1024, SOLO_MAX_PARAMETER_BYTES = 32764 };

typedef struct solo_parameter {
  uint32_t offset, bytes;
} solo_parameter;

typedef struct solo_parameters {
  solo_parameter *list; /* malloc'ed, in order; NULL when count is 0 */
  uint32_t count;
  uint32_t bytes; /* of the block: the end of the last one */
} solo_parameters;

/* image: a leaf. The list is the caller's to free. */
solo_status solo_target_parameters(const solo_image *image, const char *kernel,
                                   solo_parameters *out) SOLO_MUST_CHECK;

#endif
