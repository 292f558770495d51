/* Hints: from the address at which a range begins to its mapping, in one step instead of a descent.
 *
 * A table of cache lines of eight slots: the hash of a begin address names a pair of slots, and when
 * that is full the line's other slots serve. A slot is the address of a mapping, whose low six bits
 * are bits of the hash, so that a mapping of another address is seldom looked at. A hint proves
 * nothing: who follows it asks the mapping's own word (mapping.h), as for what the index says. One
 * that is lost (to a ninth of a line, or one with the same bits: one or two of a hundred) costs a descent.
 * A slot that was used is never 0 again, which tells that nothing was put beside its pair: below 64 it
 * is free.
 *
 * Behind the slots, in the same block, stand the places of dormant mappings (mapping.h).
 *
 * The table doubles when the index holds more than half as many ranges as it has slots. The old one
 * stays until the mapping table is closed: readers may be in it. Together the old ones are as large
 * as the last.
 *
 * Ownership: the mapping table's. Threads: solo_hint_find in any, without a lock and writing nothing;
 * the rest under the mapping table's lock. Errors: without memory for a larger table the old one
 * serves on.
 */
#ifndef SOLO_TABLE_HINTS_H
#define SOLO_TABLE_HINTS_H

#include "runtime/base/atomic.h"
#include "runtime/table/index.h"
#include "runtime/table/memory.h"

struct solo_mapping;

enum {
  SOLO_HINT_MARK = SOLO_CACHE_LINE - 1, /* mappings are aligned to cache lines */
  SOLO_HINT_LINE = SOLO_CACHE_LINE / sizeof(uintptr_t),
  SOLO_HINTS_FIRST_SHIFT = 59, /* 32 slots: half a kilobyte with the places */
  SOLO_HINTS_NONE_SHIFT = 63,  /* a pair that stays empty: look elsewhere (shard.h) */
  SOLO_PLACES_MAX = 256,
  SOLO_PLACES_BYTES =
      16 << 20, /* mappings of one size take no more places than that has; of all sizes 60 MiB */
};

/* A mapping that has no place among the dormant: it was never dormant, or has been revived. */
#define SOLO_PLACE_NEVER  UINT32_MAX
#define SOLO_PLACE_EARNED (UINT32_MAX - 1)

/* The address of the slots, and in its low bits 64 less the logarithm of their number. */
typedef uintptr_t solo_hints;
typedef _Atomic uintptr_t solo_hint_slot;

SOLO_INLINE solo_hint_slot *solo_hint_slots(solo_hints hints) {
  return (solo_hint_slot *)(hints & ~(uintptr_t)SOLO_HINT_MARK);
}

SOLO_INLINE size_t solo_hint_count(solo_hints hints) {
  return (size_t)1 << (64 - (hints & SOLO_HINT_MARK));
}

/* So many that they and their mappings are not in the nearest cache, or elsewhere? One comparison. */
SOLO_INLINE int solo_hints_are_large(solo_hints hints) {
  const uintptr_t small = 64 - 11;
  return ((hints - small) & SOLO_HINT_MARK) > SOLO_HINTS_FIRST_SHIFT - small;
}

SOLO_INLINE uint64_t solo_hint_hash(uintptr_t begin) {
  return begin * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 divided by the golden ratio */
}

/* Where an address' hint is: in this pair, or beside it, and its mark. */
typedef struct solo_hint_place {
  solo_hint_slot *pair;
  uintptr_t mark; /* above 2^26 slots it shares bits with the pair, which only makes it weaker */
} solo_hint_place;

SOLO_INLINE solo_hint_place solo_hint_place_of(solo_hints hints, uintptr_t begin) {
  uint64_t hash = solo_hint_hash(begin);
  return (solo_hint_place){solo_hint_slots(hints) +
                               (hash >> (hints & SOLO_HINT_MARK) & ~(uint64_t)1),
                           (uintptr_t)(hash >> 32) & SOLO_HINT_MARK};
}

/* The slots of a pair's line in the order in which they are used: 0 and 1 are the pair itself. */
SOLO_INLINE solo_hint_slot *solo_hint_beside(const solo_hint_slot *pair, unsigned i) {
  return (solo_hint_slot *)((uintptr_t)pair ^ i * sizeof(solo_hint_slot));
}

/* The mapping that the pair has for the mark; with low bits: none. Which of the two slots it is
 * cannot be foretold: chosen without a jump, so that the cache misses of one look-up and the next
 * overlap. */
SOLO_INLINE uintptr_t solo_hint_in_pair(solo_hint_place place) {
  /* acquire, twice: the mapping's memory is one; pairs with solo_hint_put */
  uintptr_t first = solo_load_acquire(&place.pair[0]) ^ place.mark;
  uintptr_t second = solo_load_acquire(&place.pair[1]) ^ place.mark;
  uintptr_t found = (first & SOLO_HINT_MARK) ? second : first;
  __asm__("" : "+r"(found)); /* else a compiler joins this test with the next, by a jump */
  return found;
}

/* What the pair does not have: among the other slots of its line. NULL: no hint. */
struct solo_mapping *solo_hint_find_beside(solo_hint_place place);

/* A mapping that begins, or once began, at begin (or, seldom, elsewhere). NULL: no hint. */
SOLO_INLINE struct solo_mapping *solo_hint_find(const _Atomic uintptr_t *hints, uintptr_t begin) {
  /* acquire: the table is filled; pairs with solo_hints_grow */
  solo_hint_place place = solo_hint_place_of(solo_load_acquire(hints), begin);
  uintptr_t found = solo_hint_in_pair(place);
  if (SOLO_UNLIKELY(found & SOLO_HINT_MARK)) return solo_hint_find_beside(place);
  return (struct solo_mapping *)found;
}

void solo_hint_put(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping);
void solo_hint_drop(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping);

/* Makes a table's first hints, or twice as many as it has, for the ranges of the index. 0: no memory,
 * nothing changed. */
int solo_hints_grow(_Atomic solo_hints *hints, const solo_index *index, solo_table_memory *memory);

/* --- places of dormant mappings -----------------------------------------------------------------
 * The first few are for mappings that have never been revived, so that ranges which do not come
 * again fill neither the index nor the cache; the rest is for those that have. */

enum { SOLO_PLACES_TRIAL = 8 };

SOLO_INLINE size_t solo_place_count(solo_hints hints) {
  size_t slots = solo_hint_count(hints);
  return slots < SOLO_PLACES_MAX ? slots : SOLO_PLACES_MAX;
}

SOLO_INLINE solo_hint_slot *solo_place_at(solo_hints hints, uint32_t place) {
  return solo_hint_slots(hints) + solo_hint_count(hints) + place;
}

#endif
