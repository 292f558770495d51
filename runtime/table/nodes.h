/* Free mappings of a table. Their memory is reused only for mappings of this table. The caller
 * holds the table's lock. */
#ifndef SOLO_TABLE_NODES_H
#define SOLO_TABLE_NODES_H

#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_mapping_nodes {
  solo_mapping *free;
  size_t next_chunk; /* mappings in the next chunk; doubles until the chunk has 2 MiB */
  size_t made;       /* number of mappings, free or not */
} solo_mapping_nodes;

solo_mapping *solo_mapping_node_allocate(solo_mapping_nodes *nodes, solo_table_memory *memory);
void solo_mapping_node_free(solo_mapping_nodes *nodes, solo_mapping *mapping);

#endif
