/* Container formats: files that hold device images or further containers. One row per format;
 * recognition, unwrapping (visit.c) and solo-pack go through the rows, and nothing else knows which
 * formats there are. A new format is a file with its row, the row's name in SOLO_CONTAINERS, and the
 * file in the build list.
 *
 * Ownership: everything borrows from the bytes given, but what solo_container_type.decompress makes.
 * Threads: pure functions. Errors: BAD_IMAGE with offset and reason.
 */
#ifndef SOLO_IMAGE_CONTAINER_H
#define SOLO_IMAGE_CONTAINER_H

#include "runtime/image/image.h"

enum { SOLO_CONTAINER_WORDS = 256 };

typedef struct solo_container {
  solo_span bytes; /* exact extent: of a format that does not say where it ends, all there is */
  /* the row's own: where the next entry is */
  uint64_t index, count;
  size_t at;
  char *words; /* SOLO_CONTAINER_WORDS bytes of the caller, where open and next describe what they
                * found; NULL: nobody reads it */
} solo_container;

typedef struct solo_container_entry {
  solo_span bytes;        /* as in the file */
  uint64_t offset;        /* of them in the container */
  const char *target;     /* the container's word for it, lives as long as the bytes; "": none */
  int compressed;         /* nonzero: see decompress */
  uint64_t unfolded_size; /* of what is compressed */
  uint32_t method;        /* the row's own: how */
  int no_image;           /* nonzero: nothing for a device, a host's member or a description only */
  char text[SOLO_TARGET_TEXT]; /* where target stands if the file does not have it as a string */
} solo_container_entry;

struct solo_container_type {
  const char *name;       /* "OffloadBinary" */
  const char *entry_name; /* "OffloadBinary entry": for messages */
  bool (*recognise)(solo_span bytes);
  /* Checks the headers. */
  solo_status (*open)(solo_span bytes, solo_container *out);
  /* The next entry: NOT_FOUND (without text) behind the last. */
  solo_status (*next)(solo_container *container, solo_container_entry *out);
  /* Decompresses an entry into *out (malloc'ed, the caller's, unfolded_size bytes). NULL: no entry
   * is compressed. */
  solo_status (*decompress)(const solo_container *container, const solo_container_entry *entry,
                            uint8_t **out);
};

/* In the order in which they are tried. */
#define SOLO_CONTAINERS(X) X(offload_binary) X(bundle) X(compressed_bundle) X(fatbin)
#define X(name)            extern const solo_container_type solo_container_##name;
SOLO_CONTAINERS(X)
#undef X

/* The row of the container that begins at bytes; NULL: it is none. */
const solo_container_type *solo_container_find(solo_span bytes);

#endif
