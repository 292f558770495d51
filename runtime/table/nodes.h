/* Mappings that are no range's: FREE of mapping_word.h.
 *
 * Their memory is type-stable: it is reused as a mapping of the same table only, until that closes.
 * Threads: under the table's lock. Errors: NULL, no memory.
 */
#ifndef SOLO_TABLE_NODES_H
#define SOLO_TABLE_NODES_H

#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_mapping_nodes {
  solo_mapping *free;
  size_t next_chunk; /* mappings in it: doubles up to two megabytes */
  size_t made;       /* all that were ever cut from chunks */
} solo_mapping_nodes;

solo_mapping *solo_mapping_take_node(solo_mapping_nodes *nodes, solo_table_memory *memory);
void solo_mapping_put_node(solo_mapping_nodes *nodes, solo_mapping *mapping);

#endif
