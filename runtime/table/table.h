/* A mapping table as a whole: what it consists of, its life, and the walk over all of it.
 *
 * Threads: from any, except opening and closing. Errors: as stated.
 */
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

typedef void solo_give_block(void *context, solo_block *block);

typedef struct solo_mapping_table {
  solo_index *index; /* first: tools/solo-gdb.py finds that of a shard there */
  /* way is read by every look-up: hints, the table's own, or where there are shards none (shard.h) */
  _Atomic solo_hints way, hints;
  solo_give_block *give; /* takes blocks of evicted mappings, under the lock, and of what is left */
  void *context;         /* ... its first argument */
  solo_shards_word shards;   /* of the first table; NULL: threads have not met yet */
  _Atomic solo_hints *shown; /* where look-ups find its hints */
  uint32_t number;           /* of a shard, from 1 on; the first table: 0 */
  /* of the first table: no mapping of it or of a shard begins farther behind its base. A look-up for a pointer to
   * nothing that is mapped looks no farther than that for a mapping whose base lies before the pointer */
  _Atomic uintptr_t reach;
  /* the rest is written under the lock, but for trials and earned */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock; /* guards writes to the index, free lists, shadows; no driver call under it */
  _Atomic uint32_t trials, earned; /* places given so far to mappings that became DORMANT */
  solo_mapping_nodes nodes;
  solo_shadows shadows; /* attached pointers */
  solo_names names;
  solo_table_memory memory;
  size_t removals;   /* so far */
  uint32_t inserter; /* the mark (base/lock.h) of the thread that inserted last */
  uint32_t changes;  /* how often it was another than the one before */
} solo_mapping_table;

solo_mapping_table *solo_mapping_home_shard(const solo_mapping_table *table,
                                            const solo_mapping *mapping) SOLO_COLD;
/* The table, first or shard, that the mapping is in. */
SOLO_INLINE solo_mapping_table *solo_mapping_home(solo_mapping_table *table,
                                                  const solo_mapping *mapping) {
  if (SOLO_LIKELY(mapping->flags < SOLO_MAPPING_SHARD)) return table;
  return solo_mapping_home_shard(table, mapping);
}

/* The table's first hints, or more of them; the lock is held, or nobody knows the table. Look-ups find them
 * where shown says. 0: no memory. */
int solo_mapping_table_grow_hints(solo_mapping_table *table);

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_give_block *give,
                                    void *context) SOLO_MUST_CHECK;
/* Gives the block of every mapping left that has one, then frees the mappings. */
void solo_mapping_table_close(solo_mapping_table *table);

/* Validates the whole table: index, mappings, free list, attached pointers, shards. No other thread uses
 * it. NULL, or a text that says what is wrong. */
const char *solo_mapping_table_check(const solo_mapping_table *table);
/* The same without shards: the lock is held. */
const char *solo_mapping_table_check_one(const solo_mapping_table *table);
/* All that are in use or dormant. */
size_t solo_mapping_table_count(const solo_mapping_table *table);

/* The ranges of the table, then of each shard, each under its lock. */
void solo_mapping_table_each(solo_mapping_table *table,
                             void (*visit)(void *context, solo_index_range range), void *context);

/* Does a hint name what begins at the address? Relaxed: that alone can hold the address; who gets it
 * looks again. */
SOLO_INLINE int solo_mapping_begins_at(const solo_mapping *m, uintptr_t address) {
  return m && solo_load_relaxed(&m->begin) == address;
}

/* As solo_mapping_find: by the hints of the address' shard, by those of the first table, else by the indexes. */
solo_mapping *solo_mapping_find_in_shards(const solo_mapping_table *table,
                                          const solo_shards *shards, uintptr_t address);

/* The table's lock, where code is to be small: its taking in line is fifty bytes. */
void solo_mapping_table_lock(solo_mapping_table *table);
void solo_mapping_table_unlock(solo_mapping_table *table);

/* For fork(2), over all shards, after all tables' locks of the first kind. */
void solo_mapping_lock_shards(const solo_mapping_table *table);
void solo_mapping_unlock_shards(const solo_mapping_table *table);

#endif
