/* Linked images: device code for the CPU that solo-link links into the program. ImageStart of the
 * binary descriptor points to a solo_linked_image. With `--host-devices=k`, code and globals exist
 * k times, so that each CPU device has its own globals.
 *
 * The layout is an interface between solo-link and the library: a change requires a new version. */
#ifndef SOLO_IMAGE_LINKED_H
#define SOLO_IMAGE_LINKED_H

#include <stdint.h>

#define SOLO_LINKED_MAGIC   UINT64_C(0x6b6e6c2d6f6c6f73)
#define SOLO_LINKED_VERSION 1

enum {
  /* a symbol is writable, so each device needs its own copy */
  SOLO_LINKED_HAS_GLOBALS = 1,
};

typedef struct solo_linked_symbol {
  const char *name;
  void *address;
  uint64_t size; /* 0: function, or unknown */
} solo_linked_symbol;

typedef struct solo_linked_image {
  uint64_t magic;
  uint32_t version;
  uint32_t flags;
  uint32_t copies;
  uint32_t machine;
  uint64_t symbol_count;
  /* copies x symbol_count elements; the symbols of each copy are sorted by name */
  const solo_linked_symbol *symbols;
} solo_linked_image;

#endif
