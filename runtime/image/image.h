/* Recognition of images by content, and access to the leaves of containers. A leaf is an image that
 * a backend can load (ELF, PTX, bitcode, linked image). Results borrow from the input. Errors:
 * BAD_IMAGE with offset and reason; UNSUPPORTED if a decompressor is not linked. */
#ifndef SOLO_IMAGE_IMAGE_H
#define SOLO_IMAGE_IMAGE_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include "runtime/image/target_id.h"

typedef enum solo_image_kind {
  SOLO_IMAGE_UNKNOWN,
  SOLO_IMAGE_ELF,
  SOLO_IMAGE_PTX,     /* text without the terminating NUL */
  SOLO_IMAGE_BITCODE, /* cannot be loaded; recognised only for the error message */
  SOLO_IMAGE_SPIRV,
  SOLO_IMAGE_LINKED,
  SOLO_IMAGE_CONTAINER,
} solo_image_kind;

typedef struct solo_container_type solo_container_type;

typedef struct solo_image {
  solo_image_kind kind;
  const solo_container_type *container;
  /* nonzero: decompressed bytes, freed after the visit; a visitor that stores the image copies them */
  int transient;
  solo_span bytes;
  uint16_t type;
  uint16_t machine; /* e_machine; also of a linked image */
  uint8_t osabi;
  uint8_t abi_version;
  uint32_t flags;
  /* Canonical target id: "gfx90a:sramecc+:xnack-", "sm_90", "x86_64"; "": unknown. From the image
   * or, if the image has none, from its container. */
  char target[SOLO_TARGET_TEXT];
} solo_image;

void solo_image_describe(const solo_image *image, char *out, size_t size);

/* Determines the kind from the first bytes and the headers of a container. BAD_IMAGE: unknown
 * content. The pointers of a linked image are not checked, because the image is part of the
 * program. */
solo_status solo_image_recognise(solo_span bytes, solo_image *out) SOLO_MUST_CHECK;

/* Calls visit for each leaf, in order, through at most 4 levels of containers. Skips empty members
 * and host members of bundles. A status other than SOLO_OK ends the walk and is returned.
 * Containers may be concatenated, with zeros between them. */
typedef solo_status solo_image_visitor(void *context, const solo_image *image);
solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit,
                             void *context) SOLO_MUST_CHECK;

#endif
