/* Interfaces inside solo-pack. Errors end the process (common.h). A visited item is
 * valid only during visit. */
#ifndef SOLO_TOOLS_PACK_H
#define SOLO_TOOLS_PACK_H

#include "runtime/image/container.h"
#include "tools/common.h"

typedef struct solo_pack_item {
  unsigned depth;
  unsigned number; /* number of a leaf, from 1; 0: a container or an error */
  const char *error;
  const char *label; /* name in the enclosing container, or "" */
  const char *words;
  uint64_t offset;
  const solo_image *image; /* image of a leaf; kind UNKNOWN: text from a bundle; NULL: not a leaf */
  solo_span bytes;
} solo_pack_item;

typedef void solo_pack_visitor(void *context, const solo_pack_item *item);

/* Visits every container and leaf of a file. Returns false if one was malformed. */
bool solo_pack_walk(solo_span file, solo_pack_visitor *visit, void *context);

extern const solo_container_type solo_pack_archive;

typedef struct solo_pack_image {
  const char *path;
  solo_span bytes;
  solo_image image; /* kind UNKNOWN: unrecognised format */
  const char *triple;
  const char *arch;
  const char *kind;
} solo_pack_image;

/* Reports a wrong command line; exits with status 2. */
_Noreturn void solo_pack_usage(const char *format, ...) SOLO_PRINTF(1, 2);

solo_pack_image solo_pack_input(const char *argument);

typedef struct solo_pack_buffer {
  uint8_t *data;
  size_t size, capacity;
} solo_pack_buffer;

void solo_pack_put(solo_pack_buffer *out, const void *data, size_t size);
void solo_pack_zeros(solo_pack_buffer *out, size_t size);
void solo_pack_align(solo_pack_buffer *out, size_t align);

typedef struct solo_pack_options {
  size_t align;
  const char *comment;
  bool zlib;
  bool compress;
  int level;
} solo_pack_options;

typedef void solo_pack_writer(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                              const solo_pack_options *options);

solo_pack_writer *solo_pack_format(const char *name);
extern const char solo_pack_formats_help[];

/* Appends a container with one image. *out_image: offset of the image in `out`. */
void solo_pack_offload_one(solo_pack_buffer *out, const solo_pack_image *image, size_t *out_image);

void solo_pack_wrap(const char *object, const solo_pack_image *images, size_t count,
                    const char *compiler);

#endif
