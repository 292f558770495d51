/* Hints: a hash table from the begin of a range to its mapping. A reader validates a hint with the
 * mapping's state word. The hash selects a pair of slots; the other slots of the pair's cache line
 * are the overflow. A slot holds the address of a mapping and, in the low bits, six hash bits (the
 * mark). A slot with a value below 64 is free. If the second slot of a pair is 0, the overflow has
 * no hint of this pair. In the same block, the cache slots follow. In the largest tables, the
 * distance of each hint follows: its device address minus its host address, for prefetching. Old
 * blocks are freed when the table closes, because readers can still use them.
 *
 * Threads: any thread may call solo_hint_find; the other functions need the table's lock. Errors:
 * without memory the old hints stay in use. */
#ifndef SOLO_TABLE_HINTS_H
#define SOLO_TABLE_HINTS_H

#include "runtime/base/atomic.h"
#include "runtime/table/index.h"
#include "runtime/table/memory.h"

struct solo_mapping;

enum {
  SOLO_HINT_MARK = SOLO_CACHE_LINE - 1,
  SOLO_HINT_LINE = SOLO_CACHE_LINE / sizeof(uintptr_t),
  SOLO_HINTS_FIRST_SHIFT = 59,
  SOLO_HINTS_DISTANCES_SHIFT = 48, /* 2^16 slots */
  SOLO_HINTS_NONE_SHIFT = 63,      /* one pair that stays empty (shard.h) */
  SOLO_CACHE_SLOT_MAX = 256,
  /* maximum bytes that cached mappings of one size retain */
  SOLO_CACHE_SLOT_BYTES = 16 << 20,
};

/* Values of solo_mapping.place without a cache slot. NONE: the mapping was never cached. REUSED: the
 * mapping had one of the first SOLO_CACHE_SLOT_TRIAL slots and was reused. */
#define SOLO_CACHE_SLOT_NONE   UINT32_MAX
#define SOLO_CACHE_SLOT_REUSED (UINT32_MAX - 1)

typedef uintptr_t solo_hints;
typedef _Atomic uintptr_t solo_hint_slot;

SOLO_INLINE solo_hint_slot *solo_hint_slots(solo_hints hints) {
  return (solo_hint_slot *)(hints & ~(uintptr_t)SOLO_HINT_MARK);
}

SOLO_INLINE size_t solo_hint_count(solo_hints hints) {
  return (size_t)1 << (64 - (hints & SOLO_HINT_MARK));
}

SOLO_INLINE int solo_hints_have_distances(solo_hints hints) {
  return (hints & SOLO_HINT_MARK) <= SOLO_HINTS_DISTANCES_SHIFT;
}

/* A wrong distance only prefetches useless data. */
SOLO_INLINE solo_hint_slot *solo_hint_distance(solo_hints hints, solo_hint_slot *slot) {
  return slot + solo_hint_count(hints) + SOLO_CACHE_SLOT_MAX;
}

/* Returns whether the hints and their mappings exceed the first-level cache. Also true for
 * SOLO_HINTS_NONE_SHIFT. */
SOLO_INLINE int solo_hints_are_large(solo_hints hints) {
  const uintptr_t small = 64 - 11;
  return ((hints - small) & SOLO_HINT_MARK) > SOLO_HINTS_FIRST_SHIFT - small;
}

SOLO_INLINE uint64_t solo_hint_hash(uintptr_t begin) {
  return begin * UINT64_C(0x9e3779b97f4a7c15);
}

typedef struct solo_hint_place {
  solo_hint_slot *pair;
  uintptr_t mark;
} solo_hint_place;

SOLO_INLINE solo_hint_place solo_hint_place_of(solo_hints hints, uintptr_t begin) {
  uint64_t hash = solo_hint_hash(begin);
  return (solo_hint_place){solo_hint_slots(hints) +
                               (hash >> (hints & SOLO_HINT_MARK) & ~(uint64_t)1),
                           (uintptr_t)(hash >> 32) & SOLO_HINT_MARK};
}

/* Returns slot i in the order in which solo_hint_put() fills the line. Slots 0 and 1 are the pair. */
SOLO_INLINE solo_hint_slot *solo_hint_overflow_slot(const solo_hint_slot *pair, unsigned i) {
  return (solo_hint_slot *)((uintptr_t)pair ^ i * sizeof(solo_hint_slot));
}

/* Returns the mapping that the pair has for place.mark; nonzero low bits: the pair has none. Has no
 * branch, so that the cache misses of several look-ups overlap. */
SOLO_INLINE uintptr_t solo_hint_in_pair(solo_hint_place place) {
  /* both pair with the release store in solo_hint_put() */
  uintptr_t first = solo_load_acquire(&place.pair[0]) ^ place.mark;
  uintptr_t second = solo_load_acquire(&place.pair[1]) ^ place.mark;
  uintptr_t found = (first & SOLO_HINT_MARK) ? second : first;
  /* prevents the compiler from merging this selection with the caller's test into a branch */
  __asm__("" : "+r"(found));
  return found;
}

struct solo_mapping *solo_hint_find_overflow(solo_hint_place place);

/* Returns a mapping that probably begins at `begin`; the caller validates it. NULL: none found. */
SOLO_INLINE struct solo_mapping *solo_hint_find(const _Atomic uintptr_t *hints, uintptr_t begin) {
  /* pairs with solo_hints_grow() */
  solo_hint_place place = solo_hint_place_of(solo_load_acquire(hints), begin);
  uintptr_t found = solo_hint_in_pair(place);
  if (SOLO_UNLIKELY(found & SOLO_HINT_MARK)) return solo_hint_find_overflow(place);
  return (struct solo_mapping *)found;
}

void solo_hint_put(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping);
void solo_hint_drop(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping);

/* Stores the distance. Needs no lock. */
void solo_hint_note_device(solo_hints hints, const struct solo_mapping *mapping) SOLO_COLD;
/* Prefetches the line for solo_hint_note_device. */
void solo_hint_prefetch_distance(solo_hints hints, uintptr_t begin) SOLO_COLD;

/* Allocates or doubles the hints. Returns 0 without memory. */
int solo_hints_grow(_Atomic solo_hints *hints, const solo_index *index, solo_table_memory *memory);

/* The first SOLO_CACHE_SLOT_TRIAL cache slots are for mappings that were never reused. Thus
 * ranges that are used only once do not evict reused mappings. */

enum { SOLO_CACHE_SLOT_TRIAL = 8 };

SOLO_INLINE size_t solo_cache_slot_count(solo_hints hints) {
  size_t slots = solo_hint_count(hints);
  return slots < SOLO_CACHE_SLOT_MAX ? slots : SOLO_CACHE_SLOT_MAX;
}

SOLO_INLINE solo_hint_slot *solo_cache_slot_at(solo_hints hints, uint32_t place) {
  return solo_hint_slots(hints) + solo_hint_count(hints) + place;
}

#endif
