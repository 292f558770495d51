#include "runtime/table/claim.h"

#include "runtime/base/generation.h"

SOLO_INLINE solo_mapping *revive(solo_mapping_table *table, const _Atomic solo_hints *hints,
                                 const solo_mapping_new *what) {
  solo_mapping *m = solo_hint_find(hints, what->begin);
  uint64_t count = m ? solo_load_acquire(&m->count) : 0; /* pairs with solo_mapping_cache() */
  if ((count & SOLO_COUNT_STATE) != SOLO_COUNT_CACHED) return NULL;
  /* relaxed, all: constant while CACHED; the CAS below fails if the mapping has changed */
  if (solo_load_relaxed(&m->begin) != what->begin || solo_load_relaxed(&m->end) != what->end ||
      solo_load_relaxed(&m->base) != what->base)
    return NULL;
  /* pairs with solo_mapping_cache() */
  if (!solo_cas_acquire(&m->count, &count, count + (SOLO_COUNT_CLAIMED - SOLO_COUNT_CACHED)))
    return NULL;
  /* a release fence as in put_in() is not needed, because the range stays the same */
  solo_mapping_fill(m, what);
  if (SOLO_UNLIKELY(solo_load_relaxed(&m->place) < SOLO_CACHE_SLOT_TRIAL))
    solo_store_relaxed(&m->place, SOLO_CACHE_SLOT_REUSED);
  if (SOLO_LIKELY(m->flags % SOLO_MAPPING_SHARD == what->flags && m->name_at == what->name) &&
      /* relaxed: as in solo_names_copy */
      (!what->name || m->name_generation == (uint32_t)solo_load_relaxed(&solo_registry_generation)))
    return m;
  /* the name or the flags differ; only claim.c may change them, under the lock */
  solo_mapping_abandon(table, m);
  return NULL;
}

solo_mapping *solo_mapping_reuse(solo_mapping_table *table, const solo_mapping_new *what) {
  const _Atomic solo_hints *hints = &table->way;
  for (;;) { /* a loop over the three hint tables needs less code than three calls */
    solo_mapping *m = revive(table, hints, what);
    if (SOLO_LIKELY(m != NULL)) return m;
    /* as in solo_shard_at() */
    const solo_shards *shards = solo_load_acquire(&table->shards);
    if (SOLO_LIKELY(!shards) || hints == &table->hints) return NULL;
    hints = hints == &table->way ? solo_shard_hints(shards, what->begin) : &table->hints;
  }
}

/* Stores CACHED before it writes the cache slot: a thread that replaces a slot evicts only CACHED
 * mappings. A mapping that loses its slot before it becomes CACHED stays cached without a slot,
 * until the table grows, memory is needed, or the mapping is cached again. */
int solo_mapping_cache(solo_mapping_table *table, solo_mapping *m) {
  /* relaxed: attachments need a reference, and this mapping has none */
  if (!m->keep_bytes || solo_load_relaxed(&m->shadow_count)) return 0;
  solo_mapping_wait_in_flight(m);
  table = solo_mapping_table_of(table, m);
  /* pairs with solo_hints_grow() */
  solo_hints hints = solo_load_acquire(&table->hints);
  uint32_t place = solo_load_relaxed(&m->place); /* relaxed: written by the last claiming thread */
  int stands = solo_mapping_owns_cache_slot(hints, m, place);
  if (SOLO_UNLIKELY(!stands)) {
    place = solo_mapping_choose_cache_slot(table, hints, m);
    solo_store_relaxed(&m->place, place);
  }
  /* relaxed: published with CACHED below */
  solo_store_relaxed(&m->creator, 0);
  /* relaxed: the word of an owned CLOSING mapping does not change */
  uint64_t count = solo_load_relaxed(&m->count);
  /* Invariant: a CACHED mapping has its range, its block and no use in flight.
   * Ordering:  pairs with the CAS in claim_cached() and in revive().
   * Otherwise: the next owner could write the block before the last copy from the block has
   *            completed.
   */
  solo_store_release(&m->count, count + SOLO_COUNT_CACHED);
  if (SOLO_UNLIKELY(!stands)) solo_mapping_enter_cache_slot(table, hints, m, place);
  return 1;
}
