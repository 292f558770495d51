/* Tables of objects (internal.h). */
#include "abi/offload/internal.h"

#include <stdlib.h>
#include <string.h>

const solo_offload_core_table *ol_core;
_Atomic uint32_t ol_initialised;
pthread_mutex_t ol_lock = PTHREAD_MUTEX_INITIALIZER;

#define TABLE(name, kind, type)                                                                    \
  static _Atomic(char *) name##_chunks[OL_CHUNKS];                                                 \
  ol_table name = {kind, sizeof(type), 0, NULL, name##_chunks};
TABLE(ol_platforms, OL_PLATFORM, ol_platform)
TABLE(ol_devices, OL_DEVICE, ol_device)
TABLE(ol_queues, OL_QUEUE, ol_queue)
TABLE(ol_events, OL_EVENT, ol_event)
TABLE(ol_programs, OL_PROGRAM, ol_program)
TABLE(ol_symbols, OL_SYMBOL, ol_symbol)

static ol_header *at(const ol_table *table, uint32_t index) {
  /* relaxed: ol_lock held, or the caller has the object */
  return (ol_header *)(void *)(solo_load_relaxed(&table->chunks[index / OL_CHUNK]) +
                               index % OL_CHUNK * table->size);
}

void *ol_handle_of(const ol_table *table, const void *object) {
  const ol_header *header = object;
  /* relaxed: the caller has the object */
  uint64_t generation = solo_load_relaxed(&header->generation) & 0xffffff;
  return (void *)(uintptr_t)((uint64_t)table->kind << 56 | generation << 32 | (header->index + 1));
}

static ol_header *extend(ol_table *table) {
  uint32_t index = solo_load_relaxed(&table->used); /* relaxed: lock held */
  if (index == (uint32_t)OL_CHUNK * OL_CHUNKS) return NULL;
  if (index % OL_CHUNK == 0) {
    char *chunk = calloc(OL_CHUNK, table->size);
    if (!chunk) return NULL;
    solo_store_release(&table->chunks[index / OL_CHUNK], chunk); /* pairs with ol_find */
  }
  ol_header *object = at(table, index);
  object->index = index;
  /* Invariant: slots below `used` have memory.
   * Ordering:  pairs with the acquire load in ol_find().
   * Otherwise: a lookup could read a chunk that does not exist.
   */
  solo_store_release(&table->used, index + 1);
  return object;
}

void *ol_create(ol_table *table) {
  ol_header *object = table->free;
  if (object)
    table->free = object->next_free;
  else
    object = extend(table);
  if (object) memset(object + 1, 0, table->size - sizeof *object);
  return object;
}

void ol_publish(void *object) {
  ol_header *header = object;
  /* Invariant: an object with an odd generation is initialised.
   * Ordering:  pairs with the acquire load in ol_find().
   * Otherwise: a lookup could return an object with old members.
   */
  solo_add_release(&header->generation, 1);
}

void ol_destroy(ol_table *table, void *object) {
  ol_header *header = object;
  /* relaxed: lock held. An unpublished object keeps its generation. */
  if (solo_load_relaxed(&header->generation) & 1) solo_add_release(&header->generation, 1);
  header->next_free = table->free;
  table->free = header;
}

void ol_each(ol_table *table, void (*visit)(void *object)) {
  uint32_t used = solo_load_relaxed(&table->used); /* relaxed: lock held */
  for (uint32_t i = 0; i < used; i++)
    if (solo_load_relaxed(&at(table, i)->generation) & 1) visit(at(table, i));
}
