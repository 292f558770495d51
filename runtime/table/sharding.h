/* When a table gets shards, and the shard of a new range (shard.h). Threads: as stated. Errors:
 * none; without memory the first table is used. */
#ifndef SOLO_TABLE_SHARDING_H
#define SOLO_TABLE_SHARDING_H

#include "runtime/table/mapping.h"

/* Counts that another thread inserted last. The lock is held. */
void solo_shards_note_change(solo_mapping_table *table);

/* The table for a new range. No lock is held. */
solo_mapping_table *solo_shard_for(solo_mapping_table *table, const solo_mapping_new *what);

#endif
