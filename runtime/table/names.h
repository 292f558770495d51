/* Names of mappings, copied: the strings of a library go with dlclose(3), its mappings need not.
 *
 * A string at the same address is copied once; after a library came or went it is compared with the
 * copy, since another may lie there now. Where the program was compiled without -g mappings have no
 * names and nothing of this runs.
 *
 * Ownership: copies live as long as the mapping table. Threads: the table's lock is held. Errors:
 * without memory, or with too many different names, a mapping simply has none.
 */
#ifndef SOLO_MAPPING_NAMES_H
#define SOLO_MAPPING_NAMES_H

#include "runtime/base/platform.h"
#include "runtime/table/memory.h"

typedef struct solo_names {
  struct solo_name *slots; /* a power of two; NULL: none yet */
  size_t capacity, count;
} solo_names;

/* The table's copy of text, NULL without memory. */
const char *solo_names_copy(solo_names *names, solo_table_memory *memory, const char *text);

#endif
