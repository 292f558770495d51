/* The life of a mapping table, and the walk over all of it (table.h). */
#include "runtime/table/table.h"

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_give_block *give,
                                    void *context) {
  *table = (solo_mapping_table){
      .lock = SOLO_LOCK_INIT(SOLO_RANK_MAPPING), .give = give, .context = context};
  SOLO_TRY(solo_index_create(&table->index));
  return solo_hints_grow(&table->hints, table->index, &table->memory)
             ? SOLO_OK
             : solo_fail(SOLO_NOMEM, "no memory for a mapping table");
}

static void visit_block(void *context, solo_index_range range) {
  const solo_mapping_table *table = context;
  const solo_mapping *m = range.value;
  if (m->block) table->give(table->context, m->block);
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

solo_mapping_table *solo_mapping_home_shard(const solo_mapping_table *table,
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
    solo_lock_acquire(&table->lock);
    solo_index_each(table->index, visit, context);
    solo_lock_release(&table->lock);
  }
}

void solo_mapping_lock_shards(const solo_mapping_table *table) {
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_lock_acquire(&shard->lock);
}

void solo_mapping_unlock_shards(const solo_mapping_table *table) {
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_lock_release(&shard->lock);
}
