/* Shards: additional tables, created when several threads insert new ranges. From then on, a new
 * range within one granule (64 KiB of the address space) is inserted into the shard of the granule.
 * Ranges that cross granules, infinite mappings and earlier ranges stay in the first table.
 *
 * Invariant: no two ranges of the first table and all shards overlap.
 *            docs/design/mapping-table.md explains the checks.
 *
 * Threads: shards are created under the first table's lock. Without memory for a shard, the first
 * table is used.
 */
#ifndef SOLO_TABLE_SHARD_H
#define SOLO_TABLE_SHARD_H

#include "runtime/table/hints.h"

struct solo_mapping_table;

enum { SOLO_SHARDS = 256, SOLO_GRANULE_BITS = 16 };

typedef struct solo_shards {
  struct solo_mapping_table *_Atomic at[SOLO_SHARDS];
  _Atomic solo_hints ways[SOLO_SHARDS]; /* hints of each shard, or no_hint */
  SOLO_ALIGNED(SOLO_CACHE_LINE) solo_hint_slot no_hint[2];
} solo_shards;

typedef struct solo_shards *_Atomic solo_shards_word;

SOLO_INLINE unsigned solo_shard_number(uintptr_t address) {
  return (unsigned)((address >> SOLO_GRANULE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

SOLO_INLINE struct solo_mapping_table *solo_shard_at(const solo_shards_word *word,
                                                     unsigned number) {
  /* the first load pairs with solo_shards_note_change(), the second with make() */
  const solo_shards *shards = solo_load_acquire(word);
  return SOLO_LIKELY(!shards) ? NULL : solo_load_acquire(&shards->at[number]);
}

SOLO_INLINE const _Atomic solo_hints *solo_shard_hints(const solo_shards *shards,
                                                       uintptr_t address) {
  return &shards->ways[solo_shard_number(address)];
}

/* Returns the number of granules that [begin, end) touches, at most SOLO_SHARDS. */
SOLO_INLINE unsigned solo_shards_touched(uintptr_t begin, uintptr_t end) {
  uintptr_t more = ((end - 1) >> SOLO_GRANULE_BITS) - (begin >> SOLO_GRANULE_BITS);
  return more < SOLO_SHARDS ? (unsigned)more + 1 : SOLO_SHARDS;
}

/* Returns the next shard of the `granules` granules from begin on (SOLO_SHARDS: of all granules), or
 * NULL. The caller sets *at to 0 before the first call. */
struct solo_mapping_table *solo_shard_next(const struct solo_mapping_table *table, uintptr_t begin,
                                           unsigned granules, unsigned *at);

#endif
