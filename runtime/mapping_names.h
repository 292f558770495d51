/* Names of mappings, copied: the strings of a library go with dlclose(3), its mappings need not.
 *
 * Equal texts are stored once, so a map clause in a loop costs one look-up here (and nothing where
 * the program was compiled without -g: its mappings have no names).
 *
 * Ownership: copies live as long as the mapping table. Threads: the table's lock is held. Errors:
 * without memory, or with too many different names, a mapping simply has none.
 */
#ifndef SOLO_MAPPING_NAMES_H
#define SOLO_MAPPING_NAMES_H

#include "runtime/base/platform.h"

struct solo_mapping_table;

typedef struct solo_names {
  char **slots; /* open addressing, a power of two; NULL: none yet */
  size_t capacity, count;
} solo_names;

/* The table's copy of text, NULL without memory. */
const char *solo_names_copy(struct solo_mapping_table *table, const char *text);

#endif
