/* Decides when a table gets shards, and selects the shard of a new range (shard.h). */
#ifndef SOLO_TABLE_SHARDING_H
#define SOLO_TABLE_SHARDING_H

#include "runtime/table/mapping.h"

/* Called if another thread made the previous insertion. Creates the shards after many such calls.
 * The caller holds the lock. */
void solo_shards_note_change(solo_mapping_table *table);

/* Returns the table or shard for a new range. The caller holds no lock. */
solo_mapping_table *solo_shard_for(solo_mapping_table *table, const solo_mapping_new *what);

#endif
