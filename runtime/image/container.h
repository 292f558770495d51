/* Container formats: files with images or further containers. Each format is a solo_container_type
 * (a table of functions) in SOLO_CONTAINERS. Entries borrow from the input. Errors: BAD_IMAGE with
 * offset and reason. */
#ifndef SOLO_IMAGE_CONTAINER_H
#define SOLO_IMAGE_CONTAINER_H

#include "runtime/image/image.h"

enum { SOLO_CONTAINER_WORDS = 256 };

typedef struct solo_container {
  solo_span bytes; /* exact extent; the whole input if the format does not store its size */
  /* number of the next entry; number of entries; offset of the next entry */
  uint64_t index, count;
  size_t at;
  char *words; /* caller's buffer of SOLO_CONTAINER_WORDS bytes for descriptions; NULL: none */
} solo_container;

typedef struct solo_container_entry {
  solo_span bytes;
  uint64_t offset;
  const char *target; /* target as the container spells it, borrowed; "": none */
  int compressed;
  uint64_t decompressed_size;
  uint32_t method;
  int no_image;                /* nonzero: a host member or a description, not a device image */
  char text[SOLO_TARGET_TEXT]; /* storage for `target` if the file has no such string */
} solo_container_entry;

struct solo_container_type {
  const char *name;
  const char *entry_name;
  bool (*recognise)(solo_span bytes);
  solo_status (*open)(solo_span bytes, solo_container *out);
  /* NOT_FOUND (without text): no more entries. */
  solo_status (*next)(solo_container *container, solo_container_entry *out);
  /* Decompresses an entry into *out, which the caller frees. NULL: the format has no compression. */
  solo_status (*decompress)(const solo_container *container, const solo_container_entry *entry,
                            uint8_t **out);
};

/* in the search order of solo_container_find() */
#define SOLO_CONTAINERS(X) X(offload_binary) X(bundle) X(compressed_bundle) X(fatbin)
#define X(name)            extern const solo_container_type solo_container_##name;
SOLO_CONTAINERS(X)
#undef X

/* Returns NULL if the bytes are no container. */
const solo_container_type *solo_container_find(solo_span bytes);

#endif
