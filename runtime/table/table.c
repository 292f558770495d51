#include "runtime/table/table.h"

#include "runtime/table/large_counts.h"

int solo_mapping_table_grow_hints(solo_mapping_table *table) {
  int done = solo_hints_grow(&table->hints, table->index, &table->memory);
  /* the hints are filled; pairs with the acquire load in solo_mapping_find() */
  solo_store_release(table->shown, solo_load_relaxed(&table->hints));
  return done;
}

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_free_block *free_block,
                                    void *context) {
  *table = (solo_mapping_table){.lock = SOLO_LOCK_INIT(SOLO_RANK_MAPPING),
                                .free_block = free_block,
                                .context = context,
                                .shown = &table->way};
  SOLO_TRY(solo_index_create(&table->index));
  return solo_mapping_table_grow_hints(table)
             ? SOLO_OK
             : solo_fail(SOLO_NOMEM, "no host memory for a mapping");
}

static void visit_block(void *context, solo_index_range range) {
  const solo_mapping_table *table = context;
  solo_mapping *m = range.value;
  /* relaxed: no other thread uses the table */
  if (!(solo_load_relaxed(&m->count) & SOLO_COUNT_OUT))
    solo_large_clear(m, SOLO_COUNT_LIVE | SOLO_COUNT_IN_FLIGHT);
  if (m->block) table->free_block(table->context, m->block);
}

void solo_mapping_table_close(solo_mapping_table *table) {
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_mapping_table_close(shard);
  if (table->index) {
    solo_index_each(table->index, visit_block, table);
    solo_index_destroy(table->index);
  }
  solo_index_destroy(table->shadows.index);
  solo_table_memory_free(&table->memory);
  *table = (solo_mapping_table){0};
}

solo_mapping_table *solo_mapping_shard_of(const solo_mapping_table *table,
                                          const solo_mapping *mapping) {
  return solo_shard_at(&table->shards, mapping->flags / SOLO_MAPPING_SHARD - 1);
}

solo_mapping_table *solo_shard_next(const solo_mapping_table *table, uintptr_t begin,
                                    unsigned granules, unsigned *at) {
  solo_mapping_table *shard = NULL;
  while (!shard && *at < granules) {
    unsigned i = (*at)++;
    if (granules < SOLO_SHARDS) i = solo_shard_number(begin + ((uintptr_t)i << SOLO_GRANULE_BITS));
    shard = solo_shard_at(&table->shards, i);
  }
  return shard;
}

void solo_mapping_table_each(solo_mapping_table *table,
                             void (*visit)(void *context, solo_index_range range), void *context) {
  const solo_mapping_table *first = table;
  for (unsigned i = 0; table; table = solo_shard_next(first, 0, SOLO_SHARDS, &i)) {
    solo_mapping_table_lock(table);
    solo_index_each(table->index, visit, context);
    solo_mapping_table_unlock(table);
  }
}

void solo_mapping_lock_shards(const solo_mapping_table *table) {
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_mapping_table_lock(shard);
}

void solo_mapping_unlock_shards(const solo_mapping_table *table) {
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_mapping_table_unlock(shard);
}

void solo_mapping_table_lock(solo_mapping_table *table) {
  solo_lock_acquire(&table->lock);
}

void solo_mapping_table_unlock(solo_mapping_table *table) {
  solo_lock_release(&table->lock);
}

static SOLO_NOINLINE solo_mapping *hinted(const _Atomic solo_hints *hints, uintptr_t address) {
  solo_mapping *m = solo_hint_find(hints, address);
  return solo_mapping_begins_at(m, address) ? m : NULL;
}

solo_mapping *solo_mapping_find_in_shards(const solo_mapping_table *table,
                                          const solo_shards *shards, uintptr_t address) {
  unsigned number = solo_shard_number(address);
  solo_mapping *m = hinted(&shards->ways[number], address);
  if (SOLO_UNLIKELY(!m)) m = hinted(&table->hints, address);
  if (SOLO_LIKELY(m != NULL)) return m;
  const solo_mapping_table *shard =
      solo_load_acquire(&shards->at[number]); /* acquire: as in solo_shard_at() */
  m = shard ? solo_index_find(shard->index, address) : NULL;
  return m ? m : solo_index_find(table->index, address);
}
