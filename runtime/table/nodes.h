/* Free mappings of a table; their memory is reused only as mappings of this table. Threads: the
 * caller holds the table's lock. Errors: NULL if no memory is left. */
#ifndef SOLO_TABLE_NODES_H
#define SOLO_TABLE_NODES_H

#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_mapping_nodes {
  solo_mapping *free;
  size_t next_chunk; /* number of mappings in the next chunk; doubles up to 2 MiB */
  size_t made;       /* mappings that were ever allocated */
} solo_mapping_nodes;

solo_mapping *solo_mapping_node_allocate(solo_mapping_nodes *nodes, solo_table_memory *memory);
void solo_mapping_node_free(solo_mapping_nodes *nodes, solo_mapping *mapping);

#endif
