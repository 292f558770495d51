/* Shards: tables of their own for parts of the address space, where threads meet.
 *
 * A mapping table begins as one, with one lock. When threads have taken turns at inserting new
 * ranges some times it gets shards: from then on a new range that lies within one granule of the
 * address space goes to the table that the granule's number is hashed to, whose lock, index, hints
 * and dormant mappings only ranges of such granules share. Threads that map data of their own meet no
 * more: C libraries give each thread memory of its own, and arrays larger than a granule take longer to
 * copy than to insert. What crosses a border of granules, and what counts without end, stays in the first
 * table; so does what was in it before. A range is therefore in one of two places.
 *
 * A look-up begins with the hints of the first table, or where there are shards with an empty pair, which
 * sends it here: then the address tells the table before any hint is read, and without shards it costs nothing.
 *
 * No two ranges of all the tables overlap: who inserts into a shard looks at the first table while
 * it holds the shard's lock; who inserts into the first takes, with its range in the index, the lock of
 * each shard that the range touches, one after the other, and looks there.
 *
 * A program in which one thread maps new ranges has no shard and pays a load for the look. Measured against
 * one lock, and a lock for each leaf of the index: bench/results/mapping_threads.txt.
 *
 * Ownership: the first table's, until it closes. Threads: shards are made under the first table's lock and
 * found by any thread. Errors: without memory for a shard the first table serves.
 */
#ifndef SOLO_TABLE_SHARD_H
#define SOLO_TABLE_SHARD_H

#include "runtime/table/hints.h"

struct solo_mapping_table;

enum { SOLO_SHARDS = 256, SOLO_GRANULE_BITS = 16 };

typedef struct solo_shards {
  struct solo_mapping_table *_Atomic at[SOLO_SHARDS]; /* NULL: not yet */
  _Atomic solo_hints
      ways[SOLO_SHARDS]; /* the hints of each, side by side for look-ups; or no_hint */
  SOLO_ALIGNED(SOLO_CACHE_LINE) solo_hint_slot no_hint[2]; /* stays so */
} solo_shards;

typedef struct solo_shards *_Atomic solo_shards_word; /* NULL: none */

/* Which of them the address's granule belongs to. */
SOLO_INLINE unsigned solo_shard_number(uintptr_t address) {
  return (unsigned)((address >> SOLO_GRANULE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* NULL: there is none of that number. */
SOLO_INLINE struct solo_mapping_table *solo_shard_at(const solo_shards_word *word,
                                                     unsigned number) {
  /* acquire, twice: what is there is complete; pairs with solo_shards_note_change and make */
  const solo_shards *shards = solo_load_acquire(word);
  return SOLO_LIKELY(!shards) ? NULL : solo_load_acquire(&shards->at[number]);
}

/* Where the hints stand that name what begins at the address, if its shard has it. */
SOLO_INLINE const _Atomic solo_hints *solo_shard_way(const solo_shards *shards, uintptr_t address) {
  return &shards->ways[solo_shard_number(address)];
}

/* How many granules [begin, end) touches; SOLO_SHARDS: so many or more. */
SOLO_INLINE unsigned solo_shards_touched(uintptr_t begin, uintptr_t end) {
  uintptr_t more = ((end - 1) >> SOLO_GRANULE_BITS) - (begin >> SOLO_GRANULE_BITS);
  return more < SOLO_SHARDS ? (unsigned)more + 1 : SOLO_SHARDS;
}

/* The shards that so many granules from begin on belong to, or for SOLO_SHARDS all there are, one at each
 * call: *at counts from 0 on. NULL: no more. */
struct solo_mapping_table *solo_shard_next(const struct solo_mapping_table *table, uintptr_t begin,
                                           unsigned granules, unsigned *at);

#endif
