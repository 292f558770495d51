/* A mapping table: members, creation, destruction, iteration. */
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
  solo_index *index; /* first member: tools/solo-gdb.py reads it */
  /* Every look-up loads `way`. It equals `hints`; if the table has shards, it is an empty pair,
   * so that look-ups continue in the shards. */
  _Atomic solo_hints way, hints;
  solo_free_block *free_block; /* frees a block; called under the lock */
  void *context;
  solo_shards_word shards;   /* only in the first table */
  _Atomic solo_hints *shown; /* the variable from which look-ups load these hints */
  uint32_t number;           /* number of the shard, from 1; 0: the first table */
  /* first table only: maximum distance from a mapping's base to its begin */
  _Atomic uintptr_t reach;
  /* members from here on need the lock, except trials and earned */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock; /* its owner makes no driver call */
  /* number of assigned cache slots: of never reused mappings; of others */
  _Atomic uint32_t trials, earned;
  solo_mapping_nodes nodes;
  solo_shadows shadows;
  solo_names names;
  solo_table_memory memory;
  size_t removals;
  uint32_t inserter; /* lock mark of the thread that inserted last */
  uint32_t changes;  /* number of times that `inserter` changed */
} solo_mapping_table;

solo_mapping_table *solo_mapping_shard_of(const solo_mapping_table *table,
                                          const solo_mapping *mapping) SOLO_COLD;
SOLO_INLINE solo_mapping_table *solo_mapping_table_of(solo_mapping_table *table,
                                                      const solo_mapping *mapping) {
  if (SOLO_LIKELY(mapping->flags < SOLO_MAPPING_SHARD)) return table;
  return solo_mapping_shard_of(table, mapping);
}

/* The caller holds the lock. Returns 0 if no memory is left. */
int solo_mapping_table_grow_hints(solo_mapping_table *table);

solo_status solo_mapping_table_open(solo_mapping_table *table, solo_free_block *free_block,
                                    void *context) SOLO_MUST_CHECK;
void solo_mapping_table_close(solo_mapping_table *table);

/* Validates table and shards, which no other thread uses. Returns NULL or an error text. */
const char *solo_mapping_table_check(const solo_mapping_table *table);
/* Validates the table without its shards; the caller holds the lock. */
const char *solo_mapping_table_check_one(const solo_mapping_table *table);
size_t solo_mapping_table_count(const solo_mapping_table *table);

void solo_mapping_table_each(solo_mapping_table *table,
                             void (*visit)(void *context, solo_index_range range), void *context);

/* relaxed: the caller validates */
SOLO_INLINE int solo_mapping_begins_at(const solo_mapping *m, uintptr_t address) {
  return m && solo_load_relaxed(&m->begin) == address;
}

solo_mapping *solo_mapping_find_in_shards(const solo_mapping_table *table,
                                          const solo_shards *shards, uintptr_t address);

void solo_mapping_table_lock(solo_mapping_table *table);
void solo_mapping_table_unlock(solo_mapping_table *table);

/* For fork(2): called after the locks of all first tables are locked. */
void solo_mapping_lock_shards(const solo_mapping_table *table);
void solo_mapping_unlock_shards(const solo_mapping_table *table);

#endif
