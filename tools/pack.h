/* Interfaces between the files of solo-pack. Memory is not freed, except the data of one visited
 * item, which is valid until visit returns. Errors end the process (common.h). */
#ifndef SOLO_TOOLS_PACK_H
#define SOLO_TOOLS_PACK_H

#include "runtime/image/container.h"
#include "tools/common.h"

/* --- walking a file (pack_walk.c) ------------------------------------------------------------- */

typedef struct solo_pack_item {
  unsigned depth;
  unsigned number;         /* of a leaf, from 1; 0: a container, or an error */
  const char *error;       /* NULL: no error */
  const char *label;       /* from the enclosing container ("openmp amdgcn-amd-amdhsa"); or "" */
  const char *words;       /* description: "ELF for gfx90a" */
  uint64_t offset;         /* in the enclosing container */
  const solo_image *image; /* of a leaf; kind UNKNOWN: text of a bundle */
  solo_span bytes;
} solo_pack_item;

typedef void solo_pack_visitor(void *context, const solo_pack_item *item);

/* Visits every container and leaf, also in sections of an executable or object. Returns false if an
 * item was malformed; visit has received its error. */
bool solo_pack_walk(solo_span file, solo_pack_visitor *visit, void *context);

/* Archives of ar: a container format of solo-pack only (pack_archive.c). */
extern const solo_container_type solo_pack_archive;

/* --- the command line (pack_input.c) ---------------------------------------------------------- */

typedef struct solo_pack_image {
  const char *path;
  solo_span bytes;
  solo_image image;   /* kind UNKNOWN: known only by its file name */
  const char *triple; /* from the argument or the contents */
  const char *arch;   /* target id; "" */
  const char *kind;   /* openmp, cuda, hip, hipv4, host, none */
} solo_pack_image;

/* Reports a wrong command line; exits with status 2. */
_Noreturn void solo_pack_usage(const char *format, ...) SOLO_PRINTF(1, 2);

solo_pack_image solo_pack_input(const char *argument);

/* --- growing output (pack_buffer.c) ---------------------------------------------------------- */

typedef struct solo_pack_buffer {
  uint8_t *data;
  size_t size, room;
} solo_pack_buffer;

void solo_pack_put(solo_pack_buffer *out, const void *data, size_t size);
void solo_pack_zeros(solo_pack_buffer *out, size_t size);
/* Pads with zeros; align is a power of two. */
void solo_pack_align(solo_pack_buffer *out, size_t align);

/* --- writing (pack_write.c) ------------------------------------------------------------------- */

typedef struct solo_pack_options {
  size_t align;        /* of payloads in a binary bundle */
  const char *comment; /* token of a text bundle */
  bool zlib;           /* compressed bundle: zlib instead of zstd */
  bool compress;       /* entries of a CUDA fat binary, OffloadBinary version 3 */
  int level;
} solo_pack_options;

typedef void solo_pack_writer(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                              const solo_pack_options *options);

/* NULL: unknown format. */
solo_pack_writer *solo_pack_format(const char *name);
/* One line per format, for --help. */
extern const char solo_pack_formats_help[];

/* Writes one OffloadBinary version 1; *out_image is the image's offset. */
void solo_pack_offload_one(solo_pack_buffer *out, const solo_pack_image *image, size_t *out_image);

/* --- wrapping (pack_wrap.c) ------------------------------------------------------------------- */

/* Compiles an object that registers the images before main. */
void solo_pack_wrap(const char *object, const solo_pack_image *images, size_t count,
                    const char *compiler);

#endif
