#include "runtime/table/nodes.h"

enum {
  FIRST_MAPPINGS = 3,
  MOST_MAPPINGS = (2 << 20) / (int)sizeof(solo_mapping) - 1,
};

void solo_mapping_node_free(solo_mapping_nodes *nodes, solo_mapping *m) {
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: owned */
  /* Invariant: a delayed reader with an earlier word rejects this word, because this tag is odd.
   * Ordering:  none is required: readers only compare the word. The next owner acquires the lock.
   */
  solo_store_release(&m->count, (count & ~(SOLO_COUNT_TAG_ONE - 1)) | SOLO_COUNT_FREE);
  m->next = nodes->free;
  nodes->free = m;
}

solo_mapping *solo_mapping_node_allocate(solo_mapping_nodes *nodes, solo_table_memory *memory) {
  if (!nodes->free) {
    size_t n = nodes->next_chunk ? nodes->next_chunk : FIRST_MAPPINGS;
    solo_mapping *block = solo_table_memory_allocate(memory, n * sizeof *block);
    if (!block) return NULL;
    nodes->next_chunk = 2 * n < MOST_MAPPINGS ? 2 * n : MOST_MAPPINGS;
    nodes->made += n;
    while (n-- > 0) solo_mapping_node_free(nodes, &block[n]);
  }
  solo_mapping *m = nodes->free;
  nodes->free = m->next;
  return m;
}
