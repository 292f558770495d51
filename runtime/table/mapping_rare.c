/* What seldom happens to a mapping table: it is opened and closed, gets memory, ranges are associated,
 * the process forks, somebody wants to see it (mapping.h). */
#include "runtime/table/mapping.h"

#include "runtime/base/early.h"
#include "runtime/base/log.h"
#include "runtime/table/shadow.h"
#include <stdio.h>

enum {
  FIRST_MAPPINGS = 3,
  MOST_MAPPINGS = (2 << 20) / (int)sizeof(solo_mapping) - 1,
};

/* Mappings, shadows and names are cut from these and go back to their free lists only. */
typedef struct solo_mapping_chunk {
  struct solo_mapping_chunk *next;
} solo_mapping_chunk;

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_give_block *give,
                                    void *context) {
  *table = (solo_mapping_table){
      .lock = SOLO_LOCK_INIT(SOLO_RANK_MAPPING), .give = give, .context = context};
  SOLO_TRY(solo_index_create(&table->index));
  return solo_hints_grow(table) ? SOLO_OK : solo_fail(SOLO_NOMEM, "no memory for a mapping table");
}

static void visit_block(void *context, solo_index_range range) {
  const solo_mapping_table *table = context;
  const solo_mapping *m = range.value;
  if (m->block) table->give(table->context, m->block);
}

void solo_mapping_table_close(solo_mapping_table *table) {
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
  if (table->index) {
    solo_index_each(table->index, visit_block, table);
    solo_index_destroy(table->index);
  }
  if (table->shadows) solo_index_destroy(table->shadows);
  while (table->chunks) {
    solo_mapping_chunk *next = table->chunks->next;
    solo_early_free(table->chunks);
    table->chunks = next;
  }
  *table = (solo_mapping_table){0};
}

/* With a cache line for the chunk's link. */
void *solo_mapping_table_memory(solo_mapping_table *table, size_t bytes) {
  char *memory = solo_early_alloc(SOLO_CACHE_LINE + bytes);
  if (!memory) return NULL;
  solo_mapping_chunk *chunk = (solo_mapping_chunk *)memory;
  chunk->next = table->chunks;
  table->chunks = chunk;
  return memory + SOLO_CACHE_LINE;
}

void solo_mapping_put_node(solo_mapping_table *table, solo_mapping *m) {
  uint64_t count = solo_load_relaxed(&m->count); /* own: nobody's, or both counts are zero */
  /* release: readers of the old incarnation see the new tag; pairs with try_take's second look */
  solo_store_release(&m->count, (count & ~(SOLO_COUNT_TAG_ONE - 1)) | SOLO_COUNT_FREE);
  m->next = table->free_mappings;
  table->free_mappings = m;
}

solo_mapping *solo_mapping_take_node(solo_mapping_table *table) {
  if (!table->free_mappings) {
    size_t n = table->chunk_mappings ? table->chunk_mappings : FIRST_MAPPINGS;
    solo_mapping *block = solo_mapping_table_memory(table, n * sizeof *block);
    if (!block) return NULL;
    table->chunk_mappings = 2 * n < MOST_MAPPINGS ? 2 * n : MOST_MAPPINGS;
    table->mappings_made += n;
    while (n-- > 0) solo_mapping_put_node(table, &block[n]);
  }
  solo_mapping *m = table->free_mappings;
  table->free_mappings = m->next;
  return m;
}

/* The infinite mapping of this kind that begins at begin; the lock is held. */
static solo_mapping *find_infinite(solo_mapping_table *table, uintptr_t begin, uint32_t flag) {
  solo_mapping *m = solo_index_find(table->index, begin);
  return m && solo_load_relaxed(&m->begin) == begin && (m->flags & flag) ? m : NULL; /* lock held */
}

solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) {
  solo_lock_acquire(&table->lock);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_ASSOCIATED);
  if (!m) {
    m = solo_index_find(table->index, begin);
    /* relaxed: what the count is at some time during the call */
    int held = m && (solo_load_relaxed(&m->count) & SOLO_COUNT_HOLD);
    solo_lock_release(&table->lock);
    return held ? SOLO_INVALID : SOLO_NOT_FOUND;
  }
  uint64_t count = solo_load_relaxed(&m->count); /* the CAS decides */
  for (;;) {
    if ((count & SOLO_COUNT_HOLD) || (count & SOLO_COUNT_IN_FLIGHT)) {
      solo_lock_release(&table->lock);
      return SOLO_INVALID;
    }
    /* acq_rel: as in solo_mapping_release */
    if (solo_cas_acq_rel(&m->count, &count, count & ~SOLO_COUNT_LIVE)) break;
  }
  solo_mapping_take_out(table, m);
  solo_lock_release(&table->lock);
  return SOLO_OK;
}

int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device) {
  solo_lock_acquire(&table->lock);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_GLOBAL);
  if (m && solo_load_relaxed(&m->device) != device) m = NULL; /* lock held: constant */
  if (m) solo_and_acq_rel(&m->count, ~SOLO_COUNT_LIVE); /* closing; as in solo_mapping_release */
  solo_lock_release(&table->lock);
  if (!m) return 0;
  solo_block *none = solo_mapping_remove(table, m);
  (void)none; /* its memory is the image's */
  return 1;
}

typedef struct orphans {
  int (*mine)(uint64_t creator);
  solo_mapping *first;
} orphans;

static void find_orphan(void *context, solo_index_range range) {
  orphans *o = context;
  solo_mapping *m = range.value;
  /* relaxed: the child has one thread */
  uint64_t count = solo_load_relaxed(&m->count);
  if ((count & SOLO_COUNT_STATE) == SOLO_COUNT_DORMANT) return;
  if (!(count & SOLO_COUNT_OUT)) solo_store_relaxed(&m->count, count &= ~SOLO_COUNT_IN_FLIGHT);
  if ((count & SOLO_COUNT_LIVE) && solo_load_relaxed(&m->data_state) == SOLO_DATA_READY) return;
  if (o->mine(solo_load_relaxed(&m->creator))) return;
  m->next = o->first;
  o->first = m;
}

void solo_mapping_forked(solo_mapping_table *table, int (*mine)(uint64_t creator)) {
  orphans o = {mine, NULL};
  if (!table->index) return;
  solo_index_each(table->index, find_orphan, &o);
  while (o.first) {
    solo_mapping *m = o.first;
    solo_block *block = m->block;
    o.first = m->next;
    solo_lock_acquire(&table->lock);
    solo_mapping_take_out(table, m);
    solo_lock_release(&table->lock);
    if (block) table->give(table->context, block);
  }
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
}
