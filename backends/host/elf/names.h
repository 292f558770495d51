/* Symbol names of one ELF object to indices, through its DT_GNU_HASH or DT_HASH table.
 *
 * One implementation for images (untrusted: spans are exact) and for objects that the dynamic
 * linker loaded (spans reach as far as is known). Ownership: borrows. Threads: pure. Errors: what
 * lies outside a span is not found.
 * Source: System V ABI 5.6 (hash table); the GNU_HASH layout as binutils writes it.
 */
#ifndef SOLO_HOST_ELF_NAMES_H
#define SOLO_HOST_ELF_NAMES_H

#include "runtime/image/span.h"
#include <elf.h>

typedef struct solo_host_elf_names {
  solo_span symbols; /* Elf64_Sym */
  solo_span strings;
  solo_span gnu_hash;  /* empty: none */
  solo_span sysv_hash; /* empty: none */
} solo_host_elf_names;

/* A name with its hashes, computed once for a search through many objects. */
typedef struct solo_host_elf_key {
  const char *text;
  size_t bytes; /* with the NUL */
  uint32_t gnu, sysv;
} solo_host_elf_key;

solo_host_elf_key solo_host_elf_key_of(const char *name);

/* The next symbol of this name behind `after` in the table's own order (several exist where
 * versions differ); begin with 0. Returns 0 at the end. The symbol may be undefined. */
uint32_t solo_host_elf_names_next(const solo_host_elf_names *names, const solo_host_elf_key *key,
                                  uint32_t after, Elf64_Sym *out);

/* Number of symbols that the hash table knows of; 0: malformed or no table. */
uint32_t solo_host_elf_names_count(const solo_host_elf_names *names);
/* Is there a GNU table alone, and nothing in it? Then the count is not that of the symbols: GNU ld gives
 * an image that exports nothing a table that begins with symbol 1, however many it imports. */
bool solo_host_elf_names_hash_nothing(const solo_host_elf_names *names);

#endif
