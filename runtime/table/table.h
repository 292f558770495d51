/* A mapping table: its members, creation, destruction and iteration. Threads: any, except for
 * opening and closing. Errors: as stated. */
#ifndef SOLO_TABLE_TABLE_H
#define SOLO_TABLE_TABLE_H

#include "runtime/backend.h"
#include "runtime/base/lock.h"
#include "runtime/table/hints.h"
#include "runtime/table/index.h"
#include "runtime/table/mapping_word.h"
#include "runtime/table/memory.h"
#include "runtime/table/names.h"
#include "runtime/table/nodes.h"
#include "runtime/table/shadow.h"
#include "runtime/table/shard.h"

typedef void solo_free_block(void *context, solo_block *block);

typedef struct solo_mapping_table {
  solo_index *index; /* first: tools/solo-gdb.py reads it */
  /* `way`, read by every look-up, is `hints`, or with shards an empty pair */
  _Atomic solo_hints way, hints;
  solo_free_block *give; /* frees a block, under the lock */
  void *context;
  solo_shards_word shards;   /* first table only */
  _Atomic solo_hints *shown; /* where look-ups find these hints */
  uint32_t number;           /* of the shard, from 1; first table: 0 */
  /* First table only: the greatest distance from a mapping's base to its begin. */
  _Atomic uintptr_t reach;
  /* from here: under the lock, except trials and earned */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock;                  /* no driver call under it */
  _Atomic uint32_t trials, earned; /* cache slots assigned */
  solo_mapping_nodes nodes;
  solo_shadows shadows;
  solo_names names;
  solo_table_memory memory;
  size_t removals;
  uint32_t inserter; /* lock mark of the last inserting thread */
  uint32_t changes;  /* of that thread */
} solo_mapping_table;

solo_mapping_table *solo_mapping_shard_of(const solo_mapping_table *table,
                                          const solo_mapping *mapping) SOLO_COLD;
/* The table or shard that holds the mapping. */
SOLO_INLINE solo_mapping_table *solo_mapping_table_of(solo_mapping_table *table,
                                                      const solo_mapping *mapping) {
  if (SOLO_LIKELY(mapping->flags < SOLO_MAPPING_SHARD)) return table;
  return solo_mapping_shard_of(table, mapping);
}

/* Makes or doubles the hints under the lock. 0: no memory. */
int solo_mapping_table_grow_hints(solo_mapping_table *table);

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_free_block *give,
                                    void *context) SOLO_MUST_CHECK;
void solo_mapping_table_close(solo_mapping_table *table);

/* While no other thread uses the table. Returns NULL or an error text. */
const char *solo_mapping_table_check(const solo_mapping_table *table);
/* Without shards, under the lock. */
const char *solo_mapping_table_check_one(const solo_mapping_table *table);
size_t solo_mapping_table_count(const solo_mapping_table *table);

void solo_mapping_table_each(solo_mapping_table *table,
                             void (*visit)(void *context, solo_index_range range), void *context);

/* relaxed: the caller validates */
SOLO_INLINE int solo_mapping_begins_at(const solo_mapping *m, uintptr_t address) {
  return m && solo_load_relaxed(&m->begin) == address;
}

/* By hints of the shard, hints of the first table, indexes. */
solo_mapping *solo_mapping_find_in_shards(const solo_mapping_table *table,
                                          const solo_shards *shards, uintptr_t address);

/* Out of line, to save code. */
void solo_mapping_table_lock(solo_mapping_table *table);
void solo_mapping_table_unlock(solo_mapping_table *table);

/* For fork(2), after the locks of all first tables. */
void solo_mapping_lock_shards(const solo_mapping_table *table);
void solo_mapping_unlock_shards(const solo_mapping_table *table);

#endif
