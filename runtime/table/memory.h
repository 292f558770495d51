/* Memory that lives until its mapping table closes. Ownership: the table's. Threads: the caller
 * holds the table's lock. Errors: NULL if no memory is left. Units: bytes. */
#ifndef SOLO_TABLE_MEMORY_H
#define SOLO_TABLE_MEMORY_H

#include <stddef.h>

typedef struct solo_table_memory {
  struct solo_table_chunk *chunks;
} solo_table_memory;

/* Returns zeroed memory aligned to SOLO_CACHE_PAIR. */
void *solo_table_memory_allocate(solo_table_memory *memory, size_t bytes);
void solo_table_memory_free(solo_table_memory *memory);

#endif
