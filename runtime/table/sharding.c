#include "runtime/table/sharding.h"

/* calls of solo_shards_note_change() after which a table gets shards */
enum { CHANGES = 64 };

void solo_shards_note_change(solo_mapping_table *table) {
  table->inserter = solo_lock_mark;
  if (++table->changes != CHANGES) return;
  solo_shards *shards = solo_table_memory_allocate(&table->memory, sizeof *shards);
  if (!shards) return;
  solo_hints none = (uintptr_t)shards->no_hint + SOLO_HINTS_NONE_SHIFT;
  /* relaxed: not published yet */
  for (int i = 0; i < SOLO_SHARDS; i++) solo_store_relaxed(&shards->ways[i], none);
  table->shown = &table->hints;
  /* all members of `at` are NULL; pairs with solo_shard_at() */
  solo_store_release(&table->shards, shards);
  /* Ordering:  this release store pairs with the acquire load in solo_mapping_find().
   * Otherwise: a reader could find the empty pair but no shards, and miss a mapping. */
  solo_store_release(&table->way, none);
}

static SOLO_COLD solo_mapping_table *make(solo_mapping_table *table, unsigned number) {
  solo_mapping_table_lock(table);
  solo_mapping_table *shard = solo_shard_at(&table->shards, number);
  if (!shard) {
    shard = solo_table_memory_allocate(&table->memory, sizeof *shard);
    if (shard && solo_mapping_table_open(shard, table->free_block, table->context) == SOLO_OK) {
      solo_lock_init(&shard->lock, SOLO_RANK_SHARD);
      shard->number = number + 1;
      solo_shards *shards = solo_load_relaxed(&table->shards); /* relaxed: under the lock */
      shard->shown = &shards->ways[number];
      /* the hints are initialised before both stores; the stores pair with
       * solo_mapping_find_in_shards() and solo_shard_at() */
      solo_store_release(shard->shown, solo_load_relaxed(&shard->hints));
      solo_store_release(&shards->at[number], shard);
    } else {
      shard = NULL;
    }
  }
  solo_mapping_table_unlock(table);
  return shard;
}

solo_mapping_table *solo_shard_for(solo_mapping_table *table, const solo_mapping_new *what) {
  const uint32_t infinite = SOLO_MAPPING_ASSOCIATED | SOLO_MAPPING_GLOBAL;
  uintptr_t last = what->end - 1;
  if ((what->begin ^ last) >> SOLO_GRANULE_BITS || what->flags & infinite) return table;
  unsigned number = solo_shard_number(last);
  solo_mapping_table *shard = solo_shard_at(&table->shards, number);
  if (SOLO_UNLIKELY(!shard)) shard = make(table, number);
  return shard ? shard : table;
}
