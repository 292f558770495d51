/* solo-pack: what its parts share.
 *
 * A short-lived process: nothing is freed but what a walk has for each thing that it finds, which lives until visit
 * returns. Errors end the process (common.h).
 */
#ifndef SOLO_TOOLS_PACK_H
#define SOLO_TOOLS_PACK_H

#include "runtime/image/container.h"
#include "tools/common.h"

/* --- walking a file (pack_walk.c) ------------------------------------------------------------- */

typedef struct solo_pack_item {
  unsigned depth;
  unsigned number;   /* of a leaf, from 1; 0: a container, or an error */
  const char *error; /* what is wrong here; NULL: nothing */
  const char *label; /* what the container around it says ("openmp amdgcn-amd-amdhsa"); or "" */
  const char *words; /* what it is: "OffloadBinary version 1", "ELF for gfx90a" */
  uint64_t offset;   /* in the container around it */
  const solo_image *image; /* of a leaf; kind UNKNOWN: a bundle's text in some language */
  solo_span bytes;
} solo_pack_item;

typedef void solo_pack_visitor(void *context, const solo_pack_item *item);

/* Shows visit every container and leaf of a file, also those in sections of a host program or
 * object. False: something was malformed (visit was told). */
bool solo_pack_walk(solo_span file, solo_pack_visitor *visit, void *context);

/* Archives of ar, as a container format of solo-pack alone (pack_archive.c). */
extern const solo_container_type solo_pack_archive;

/* --- the command line (pack_input.c) ---------------------------------------------------------- */

typedef struct solo_pack_image {
  const char *path;
  solo_span bytes;
  solo_image image;   /* recognised; kind UNKNOWN: by nothing but its name */
  const char *triple; /* given, or told by the contents */
  const char *arch;   /* target id; "" */
  const char *kind;   /* openmp, cuda, hip, hipv4, host, none */
} solo_pack_image;

/* Prints "solo-pack: error: ..." and how to get help, and exits with status 2: a wrong command
 * line. */
_Noreturn void solo_pack_usage(const char *format, ...) SOLO_PRINTF(1, 2);

/* "PATH" or "file=PATH,triple=T,arch=A,kind=K". */
solo_pack_image solo_pack_input(const char *argument);

/* --- output that grows (pack_buffer.c) -------------------------------------------------------- */

typedef struct solo_pack_buffer {
  uint8_t *data;
  size_t size, room;
} solo_pack_buffer;

void solo_pack_put(solo_pack_buffer *out, const void *data, size_t size);
void solo_pack_zeros(solo_pack_buffer *out, size_t size);
/* Pads with zeros to a multiple of align (a power of two). */
void solo_pack_align(solo_pack_buffer *out, size_t align);

/* --- writing (pack_write.c) ------------------------------------------------------------------- */

typedef struct solo_pack_options {
  size_t align;        /* of payloads in a binary bundle */
  const char *comment; /* token of a text bundle */
  bool zlib;           /* method of a compressed bundle: zlib in place of zstd */
  bool compress;       /* entries of a CUDA fat binary, OffloadBinary version 3 */
  int level;           /* of compression */
} solo_pack_options;

typedef void solo_pack_writer(solo_pack_buffer *out, const solo_pack_image *images, size_t count,
                              const solo_pack_options *options);

/* The writer of a format, NULL: unknown. */
solo_pack_writer *solo_pack_format(const char *name);
/* One line per format, for --help. */
extern const char solo_pack_formats_help[];

/* OffloadBinary version 1 around one image; *out_image: where the image is in it. */
void solo_pack_offload_one(solo_pack_buffer *out, const solo_pack_image *image, size_t *out_image);

/* --- wrapping (pack_wrap.c) ------------------------------------------------------------------- */

/* Compiles an object that holds the images and registers them before main. */
void solo_pack_wrap(const char *object, const solo_pack_image *images, size_t count,
                    const char *compiler);

#endif
