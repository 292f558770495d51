#include "runtime/table/hints.h"

#include "runtime/table/mapping_word.h"

struct solo_mapping *solo_hint_find_overflow(solo_hint_place place) {
  /* both acquire loads pair with the release store in solo_hint_put() */
  if (!solo_load_acquire(&place.pair[1])) return NULL;
  for (unsigned i = 2; i < SOLO_HINT_LINE; i++) {
    uintptr_t found = solo_load_acquire(solo_hint_overflow_slot(place.pair, i)) ^ place.mark;
    if (!(found & SOLO_HINT_MARK)) return (struct solo_mapping *)found;
  }
  return NULL;
}

/* Writes the hint to the first slot that is free or has this mark; if none exists, to the last slot
 * of the line. */
void solo_hint_put(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping) {
  solo_hint_place place = solo_hint_place_of(hints, begin);
  solo_hint_slot *slot;
  uintptr_t word;
  unsigned i = 0;
  do {
    slot = solo_hint_overflow_slot(place.pair, i);
    word = solo_load_relaxed(slot); /* relaxed: under the lock */
  } while (word > SOLO_HINT_MARK && (word ^ place.mark) & SOLO_HINT_MARK && ++i < SOLO_HINT_LINE);
  /* pairs with the acquire loads in solo_hint_in_pair() */
  solo_store_release(slot, (uintptr_t)mapping | place.mark);
}

/* Replaces the hint by a free word (below 64). A look-up ends at the first slot with the mark that
 * it searches. Therefore the free word has a mark that no slot of the line has. */
void solo_hint_drop(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping) {
  solo_hint_place place = solo_hint_place_of(hints, begin);
  solo_hint_slot *own = NULL;
  uint64_t marks = 1;
  for (unsigned i = 0; i < SOLO_HINT_LINE; i++) {
    solo_hint_slot *slot = solo_hint_overflow_slot(place.pair, i);
    uintptr_t word = solo_load_relaxed(slot); /* relaxed: under the lock */
    if (word == ((uintptr_t)mapping | place.mark)) own = slot;
    marks |= UINT64_C(1) << (word & SOLO_HINT_MARK);
  }
  /* relaxed: a reader validates the state word */
  if (own) solo_store_relaxed(own, (uintptr_t)__builtin_ctzll(~marks));
}

void solo_hint_note_device(solo_hints hints, const solo_mapping *m) {
  if (!solo_hints_have_distances(hints)) return;
  /* relaxed, all: advisory */
  uintptr_t begin = solo_load_relaxed(&m->begin);
  solo_hint_place place = solo_hint_place_of(hints, begin);
  solo_hint_slot *slot = place.pair;
  uintptr_t word = (uintptr_t)m | place.mark;
  if (solo_load_relaxed(slot) != word && solo_load_relaxed(++slot) != word) return;
  solo_store_relaxed(solo_hint_distance(hints, slot),
                     (uintptr_t)solo_load_relaxed(&m->device) - begin);
}

void solo_hint_prefetch_distance(solo_hints hints, uintptr_t begin) {
  __builtin_prefetch(solo_hint_distance(hints, solo_hint_place_of(hints, begin).pair), 1);
}

static void put_range(void *hints, solo_index_range range) {
  solo_hint_put(*(const solo_hints *)hints, range.begin, range.value);
  solo_hint_note_device(*(const solo_hints *)hints, range.value);
}

int solo_hints_grow(_Atomic solo_hints *at, const solo_index *index, solo_table_memory *memory) {
  /* relaxed: under the lock */
  solo_hints old = solo_load_relaxed(at);
  uintptr_t shift = old ? (old & SOLO_HINT_MARK) - 1 : SOLO_HINTS_FIRST_SHIFT;
  size_t slots = solo_hint_count(shift) + solo_cache_slot_count(shift);
  if (solo_hints_have_distances(shift)) slots += solo_hint_count(shift);
  char *block = solo_table_memory_allocate(memory, slots * sizeof(solo_hint_slot));
  if (!block) return 0;
  solo_hints hints = (uintptr_t)block + shift;
  solo_index_each(index, put_range, &hints);
  /* pairs with solo_hint_find() */
  solo_store_release(at, hints);
  return 1;
}
