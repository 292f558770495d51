/* Linked images: device code for the CPU that was linked into the program as ordinary code.
 *
 * tools/solo-link emits one solo_linked_image per device link; ImageStart of the registered
 * image points at it and ImageEnd just behind it. There is nothing to load: a symbol's device
 * address is its address. With copies == k (solo-link --host-devices=k) the code and its globals
 * exist k times, so that k CPU devices have globals of their own.
 *
 * The layout is a contract between solo-link and the library: a change takes a new version.
 */
#ifndef SOLO_IMAGE_LINKED_H
#define SOLO_IMAGE_LINKED_H

#include <stdint.h>

#define SOLO_LINKED_MAGIC   UINT64_C(0x6b6e6c2d6f6c6f73) /* "solo-lnk", little endian */
#define SOLO_LINKED_VERSION 1

enum {
  SOLO_LINKED_HAS_GLOBALS = 1, /* some symbol is writable data: more devices need more copies */
};

typedef struct solo_linked_symbol {
  const char *name; /* as in the device object */
  void *address;
  uint64_t size; /* bytes; 0 for functions, and where it is not known */
} solo_linked_symbol;

typedef struct solo_linked_image {
  uint64_t magic;
  uint32_t version;
  uint32_t flags;
  uint32_t copies;  /* >= 1 */
  uint32_t machine; /* e_machine of the device objects */
  uint64_t symbol_count;
  const solo_linked_symbol *symbols; /* copies x symbol_count; each copy sorted by strcmp(name) */
} solo_linked_image;

#endif
