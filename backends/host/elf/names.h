/* Symbol lookup in one ELF object by DT_GNU_HASH or DT_HASH (System V ABI 5.6), for images and for
 * objects of the dynamic linker. Accesses outside a span find nothing. */
#ifndef SOLO_HOST_ELF_NAMES_H
#define SOLO_HOST_ELF_NAMES_H

#include "runtime/image/span.h"
#include <elf.h>

typedef struct solo_host_elf_names {
  solo_span symbols;
  solo_span strings;
  solo_span gnu_hash;  /* optional */
  solo_span sysv_hash; /* optional */
} solo_host_elf_names;

typedef struct solo_host_elf_key {
  const char *text;
  size_t bytes; /* includes the NUL */
  uint32_t gnu, sysv;
} solo_host_elf_key;

solo_host_elf_key solo_host_elf_key_of(const char *name);

/* Next symbol with this name after index `after` (0: first), or 0. Several exist if versions
 * differ. It may be undefined. */
uint32_t solo_host_elf_names_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                                  uint32_t after, Elf64_Sym *out);

/* Symbols according to the hash table; 0: malformed or none. */
uint32_t solo_host_elf_names_count(const solo_host_elf_names *names);
/* True if only an empty GNU table exists. GNU ld writes one for images without exports, so the
 * count excludes imports. */
bool solo_host_elf_names_is_empty(const solo_host_elf_names *names);

#endif
