/* Memory that is freed when its mapping table closes. The caller holds the table's lock. */
#ifndef SOLO_TABLE_MEMORY_H
#define SOLO_TABLE_MEMORY_H

#include <stddef.h>

typedef struct solo_table_memory {
  struct solo_table_chunk *chunks;
} solo_table_memory;

/* Returns zeroed memory aligned to SOLO_CACHE_PAIR, or NULL if no memory is left. */
void *solo_table_memory_allocate(solo_table_memory *memory, size_t bytes);
void solo_table_memory_free(solo_table_memory *memory);

#endif
