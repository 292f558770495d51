/* Changing the hints of hints.h. */
#include "runtime/table/hints.h"

void solo_hint_put(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping) {
  uint64_t hash = solo_hint_hash(begin);
  solo_hint_slot *pair = solo_hint_pair(hints, hash);
  /* relaxed: slots change under the lock only */
  size_t which = solo_load_relaxed(&pair[0]) != 0;
  /* release: what the mapping is is written; pairs with solo_hint_find */
  solo_store_release(&pair[which], (uintptr_t)mapping | solo_hint_mark(hash));
}

void solo_hint_drop(solo_hints hints, uintptr_t begin, const struct solo_mapping *mapping) {
  uint64_t hash = solo_hint_hash(begin);
  solo_hint_slot *pair = solo_hint_pair(hints, hash);
  uintptr_t word = (uintptr_t)mapping | solo_hint_mark(hash);
  for (int i = 0; i < 2; i++)
    /* relaxed, both: under the lock; a reader that is late finds what the mapping's word tells */
    if (solo_load_relaxed(&pair[i]) == word) solo_store_relaxed(&pair[i], 0);
}

static void put_range(void *hints, solo_index_range range) {
  solo_hint_put(*(const solo_hints *)hints, range.begin, range.value);
}

int solo_hints_grow(_Atomic solo_hints *at, const solo_index *index, solo_table_memory *memory) {
  /* relaxed: written under the lock only */
  solo_hints old = solo_load_relaxed(at);
  uintptr_t shift = old ? (old & SOLO_HINT_MARK) - 1 : SOLO_HINTS_FIRST_SHIFT;
  size_t slots = solo_hint_count(shift) + solo_place_count(shift);
  char *block = solo_table_memory_take(memory, slots * sizeof(solo_hint_slot));
  if (!block) return 0;
  solo_hints hints = (uintptr_t)block + shift;
  solo_index_each(index, put_range, &hints);
  solo_store_release(at, hints); /* pairs with solo_hint_find */
  return 1;
}
