/* When a mapping table gets shards, and which of them a new range is for (shard.h).
 *
 * Threads: as stated. Errors: none; without memory the first table serves.
 */
#ifndef SOLO_TABLE_SHARDING_H
#define SOLO_TABLE_SHARDING_H

#include "runtime/table/mapping.h"

/* Another thread than the caller, who holds the lock, has inserted into the first table before. */
void solo_shards_note_change(solo_mapping_table *table);

/* The table for a new range, where there are shards. No lock is held. */
solo_mapping_table *solo_shard_for(solo_mapping_table *table, const solo_mapping_new *what);

#endif
