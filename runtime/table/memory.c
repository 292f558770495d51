#include "runtime/table/memory.h"

#include "runtime/base/atomic.h"
#include "runtime/base/early.h"

/* A chunk record is at the end of its memory, so that the memory before it stays aligned. */
typedef struct solo_table_chunk {
  struct solo_table_chunk *next;
  void *piece;
} solo_table_chunk;

void *solo_table_memory_allocate(solo_table_memory *memory, size_t bytes) {
  bytes = (bytes + _Alignof(solo_table_chunk) - 1) & ~(_Alignof(solo_table_chunk) - 1);
  char *piece = solo_early_allocate(bytes + sizeof(solo_table_chunk));
  if (!piece) return NULL;
  solo_table_chunk *chunk = (solo_table_chunk *)(void *)(piece + bytes);
  *chunk = (solo_table_chunk){memory->chunks, piece};
  memory->chunks = chunk;
  return piece;
}

void solo_table_memory_free(solo_table_memory *memory) {
  while (memory->chunks) {
    solo_table_chunk *next = memory->chunks->next;
    solo_early_free(memory->chunks->piece);
    memory->chunks = next;
  }
}
