/* Free mappings of a table; their memory is reused only as mappings of this table. Threads: under
 * the table's lock. Errors: NULL. */
#ifndef SOLO_TABLE_NODES_H
#define SOLO_TABLE_NODES_H

#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"

typedef struct solo_mapping_nodes {
  solo_mapping *free;
  size_t next_chunk; /* mappings in it; doubles up to 2 MiB */
  size_t made;       /* all that were ever allocated */
} solo_mapping_nodes;

solo_mapping *solo_mapping_node_allocate(solo_mapping_nodes *nodes, solo_table_memory *memory);
void solo_mapping_node_free(solo_mapping_nodes *nodes, solo_mapping *mapping);

#endif
