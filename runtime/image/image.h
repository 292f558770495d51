/* What an image is: recognised by content, unwrapped out of any container, described for choice.
 *
 * A leaf is something a backend can judge (ELF, PTX, bitcode, linked image); a container holds
 * leaves or further containers (OffloadBinary, clang-offload-bundler bundle in its text, binary and
 * compressed forms, HIP and CUDA fat binaries). Nothing here knows a backend.
 *
 * Ownership: everything borrows from the bytes given, except decompressed payloads, which die when
 * the visitor returns (solo_image.transient): a visitor that keeps such an image copies it. Threads: pure functions. Errors: SOLO_BAD_IMAGE with
 * offset and reason; never a crash, whatever the bytes (each parser has a fuzz target).
 */
#ifndef SOLO_IMAGE_IMAGE_H
#define SOLO_IMAGE_IMAGE_H

#include "runtime/base/status.h"
#include "runtime/image/span.h"

typedef enum solo_image_kind {
  SOLO_IMAGE_UNKNOWN, /* a leaf in a format that only a backend may know: bytes is all there is */
  /* leaves */
  SOLO_IMAGE_ELF,     /* shared object, cubin, amdgcn code object: see machine */
  SOLO_IMAGE_PTX,     /* NUL-terminated or not */
  SOLO_IMAGE_BITCODE, /* recognised so that the refusal can say what it is */
  SOLO_IMAGE_LINKED,  /* runtime/image/linked.h */
  /* containers */
  SOLO_IMAGE_OFFLOAD_BINARY,
  SOLO_IMAGE_BUNDLE,
  SOLO_IMAGE_COMPRESSED_BUNDLE,
  SOLO_IMAGE_FATBIN,
} solo_image_kind;

enum { SOLO_TARGET_TEXT = 64 };

typedef struct solo_image {
  solo_image_kind kind;
  int transient;   /* bytes die when the visitor returns */
  solo_span bytes; /* exact extent (of an ELF: its own, not its container's) */
  /* from the ELF header; 0 otherwise */
  uint16_t machine;    /* e_machine */
  uint8_t osabi;       /* e_ident[EI_OSABI] */
  uint8_t abi_version; /* e_ident[EI_ABIVERSION] */
  uint32_t flags;      /* e_flags */
  /* from the container's words or the flags, canonical text: "gfx90a:sramecc+:xnack-", "sm_90",
   * "x86_64"; "" when not said */
  char target[SOLO_TARGET_TEXT];
} solo_image;

/* "ELF for x86_64", "PTX for sm_80" ...: for messages. Writes at most size bytes with NUL. */
void solo_image_describe(const solo_image *image, char *out, size_t size);

/* Recognises a leaf or container from its first bytes and fills *out; unknown content is
 * SOLO_BAD_IMAGE with the first bytes in the text. A linked image is recognised by its magic; its
 * pointers are trusted (it is part of the program). */
solo_status solo_image_recognise(solo_span bytes, solo_image *out) SOLO_MUST_CHECK;

/* Calls visit for every leaf in bytes, containers unwrapped (at most 4 deep), in order. visit
 * returns SOLO_OK to go on; anything else ends the walk and is returned. Content that is no known
 * leaf or container is visited as SOLO_IMAGE_UNKNOWN (with the container's target, if it said one):
 * a backend may have an image format of its own. Only a corrupt container fails. */
typedef solo_status solo_image_visitor(void *context, const solo_image *image);
solo_status solo_image_visit(solo_span bytes, solo_image_visitor *visit,
                             void *context) SOLO_MUST_CHECK;

#endif
