/* Memory that goes with a mapping table (memory.h). */
#include "runtime/table/memory.h"

#include "runtime/base/atomic.h"
#include "runtime/base/early.h"

typedef struct solo_table_chunk {
  struct solo_table_chunk *next;
} solo_table_chunk;

/* With a cache line for the chunk's link. */
void *solo_table_memory_take(solo_table_memory *memory, size_t bytes) {
  char *block = solo_early_alloc(SOLO_CACHE_LINE + bytes);
  if (!block) return NULL;
  solo_table_chunk *chunk = (solo_table_chunk *)block;
  chunk->next = memory->chunks;
  memory->chunks = chunk;
  return block + SOLO_CACHE_LINE;
}

void solo_table_memory_free(solo_table_memory *memory) {
  while (memory->chunks) {
    solo_table_chunk *next = memory->chunks->next;
    solo_early_free(memory->chunks);
    memory->chunks = next;
  }
}
