/* Symbol lookup in an ELF object by DT_GNU_HASH or DT_HASH (System V ABI 5.6), for images and for
 * objects of the dynamic linker. A lookup in a damaged table finds no symbol, and reads only bytes
 * of the spans. */
#ifndef SOLO_HOST_ELF_NAMES_H
#define SOLO_HOST_ELF_NAMES_H

#include "runtime/image/span.h"
#include <elf.h>

typedef struct solo_host_elf_names {
  solo_span symbols;
  solo_span strings;
  solo_span gnu_hash;
  solo_span sysv_hash;
} solo_host_elf_names;

typedef struct solo_host_elf_key {
  const char *text;
  size_t bytes;
  uint32_t gnu, sysv;
} solo_host_elf_key;

solo_host_elf_key solo_host_elf_key_of(const char *name);

/* Returns the next symbol with this name after index `after` (0: the first), or 0. Versioned
 * symbols can share a name. The symbol may be undefined. */
uint32_t solo_host_elf_names_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                                  uint32_t after, Elf64_Sym *out);

/* Returns the number of symbols according to the hash table; 0: malformed, or no table. */
uint32_t solo_host_elf_names_count(const solo_host_elf_names *names);
/* Returns whether the only table is an empty GNU table. GNU ld writes such a table for an image
 * without exports; solo_host_elf_names_count() then does not count imported symbols. */
bool solo_host_elf_names_is_empty(const solo_host_elf_names *names);

#endif
