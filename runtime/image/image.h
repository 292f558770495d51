/* What an image is: recognised by content, unwrapped out of any container, described for choice.
 *
 * A leaf is something a backend can judge (ELF, PTX, bitcode, linked image); a container holds
 * leaves or further containers (runtime/image/container.h has the formats). Nothing here knows a
 * backend.
 *
 * Ownership: everything borrows from the bytes given, except decompressed payloads, which die when
 * the visitor returns (solo_image.transient): a visitor that keeps such an image copies it.
 * Threads: pure functions. Errors: SOLO_BAD_IMAGE with offset and reason; never a crash, whatever
 * the bytes (each parser has a fuzz target); UNSUPPORTED where a decompressor is not linked.
 */
#ifndef SOLO_IMAGE_IMAGE_H
#define SOLO_IMAGE_IMAGE_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"
#include "runtime/image/target_id.h"

typedef enum solo_image_kind {
  SOLO_IMAGE_UNKNOWN,
  /* leaves */
  SOLO_IMAGE_ELF,       /* shared object, cubin, amdgcn code object: see machine */
  SOLO_IMAGE_PTX,       /* without the NUL, if it had one */
  SOLO_IMAGE_BITCODE,   /* recognised so that the refusal can say what it is */
  SOLO_IMAGE_SPIRV,     /* recognised for the same reason */
  SOLO_IMAGE_LINKED,    /* runtime/image/linked.h */
  SOLO_IMAGE_CONTAINER, /* of whatever format: see container */
} solo_image_kind;

typedef struct solo_container_type solo_container_type; /* runtime/image/container.h */

typedef struct solo_image {
  solo_image_kind kind;
  const solo_container_type *container; /* of a CONTAINER; else NULL */
  int transient;                        /* bytes die when the visitor returns */
  solo_span bytes;                      /* exact extent (of an ELF: its own, not its container's) */
  /* from the ELF header; 0 otherwise */
  uint16_t type;       /* e_type */
  uint16_t machine;    /* e_machine (of a linked image: its own word for it) */
  uint8_t osabi;       /* e_ident[EI_OSABI] */
  uint8_t abi_version; /* e_ident[EI_ABIVERSION] */
  uint32_t flags;      /* e_flags */
  /* canonical text: "gfx90a:sramecc+:xnack-", "sm_90", "x86_64"; "" when not known. From the
   * image's own header; where that does not say, from its container. */
  char target[SOLO_TARGET_TEXT];
} solo_image;

/* "ELF for x86_64", "PTX for sm_80" ...: for messages. Writes at most size bytes with NUL. */
void solo_image_describe(const solo_image *image, char *out, size_t size);

/* Recognises a leaf or container from its first bytes and fills *out; unknown content is
 * SOLO_BAD_IMAGE with the first bytes in the text. A container's own headers are checked, not what
 * it holds. A linked image is recognised by its magic; its pointers are trusted (it is part of the
 * program). */
solo_status solo_image_recognise(solo_span bytes, solo_image *out) SOLO_MUST_CHECK;

/* Calls visit for every leaf in bytes, containers unwrapped (at most 4 deep), in order; a bundle's
 * empty members and its host member are no device images and passed over. visit returns SOLO_OK to
 * go on; anything else ends the walk and is returned. Behind a container may stand further ones,
 * and zeros. */
typedef solo_status solo_image_visitor(void *context, const solo_image *image);
solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit,
                             void *context) SOLO_MUST_CHECK;

#endif
