/* Mappings that fall asleep and are revived, without a lock (claim.h). */
#include "runtime/table/claim.h"

#include "runtime/base/generation.h"

/* table: the first; hints: what a look-up begins with, or its own, or those of one of its shards. */
SOLO_INLINE solo_mapping *revive(solo_mapping_table *table, const _Atomic solo_hints *hints,
                                 const solo_mapping_new *what) {
  solo_mapping *m = solo_hint_find(hints, what->begin);
  /* relaxed, all: if it is dormant now they are what they were when it fell asleep, and if it is
   * another one by the time it is claimed, the tag differs */
  uint64_t count = m ? solo_load_acquire(&m->count) : 0; /* pairs with solo_mapping_sleep */
  if ((count & SOLO_COUNT_STATE) != SOLO_COUNT_DORMANT) return NULL;
  if (solo_load_relaxed(&m->begin) != what->begin || solo_load_relaxed(&m->end) != what->end ||
      solo_load_relaxed(&m->base) != what->base)
    return NULL;
  /* acquire: pairs with solo_mapping_sleep */
  if (!solo_cas_acquire(&m->count, &count, count + (SOLO_COUNT_CLAIMED - SOLO_COUNT_DORMANT)))
    return NULL;
  /* Needs no fence as in put_in: what readers without a reference look at stays as it was. */
  solo_mapping_fill(m, what);
  if (SOLO_UNLIKELY(solo_load_relaxed(&m->place) < SOLO_PLACES_TRIAL)) /* own */
    solo_store_relaxed(&m->place, SOLO_PLACE_EARNED);
  if (SOLO_LIKELY(m->flags % SOLO_MAPPING_SHARD == what->flags && m->name_at == what->name) &&
      /* relaxed: as in solo_names_copy */
      (!what->name || m->name_generation == (uint32_t)solo_load_relaxed(&solo_registry_generation)))
    return m;
  solo_mapping_abandon(table, m); /* another variable: flags and names change under the lock */
  return NULL;
}

solo_mapping *solo_mapping_revive(solo_mapping_table *table, const solo_mapping_new *what) {
  const _Atomic solo_hints *hints = &table->way;
  for (;;) { /* once; where there are shards twice or three times: one copy of a long function */
    solo_mapping *m = revive(table, hints, what);
    if (SOLO_LIKELY(m != NULL)) return m;
    const solo_shards *shards = solo_load_acquire(&table->shards); /* as in solo_shard_at */
    if (SOLO_LIKELY(!shards) || hints == &table->hints) return NULL;
    hints = hints == &table->way ? solo_shard_way(shards, what->begin) : &table->hints;
  }
}

/* The order matters. Whoever drives a mapping from its place looks at its word afterwards: so it is
 * dormant first and stands at its place then. One that is driven out while it is in use, or at the
 * moment between the look below and the store, is dormant without a place: so are those whose places
 * were replaced (make_room in claim.c). They are evicted when the table grows or memory is wanted, or
 * their next sleep gives them another. */
int solo_mapping_sleep(solo_mapping_table *table, solo_mapping *m) {
  /* relaxed: attached pointers come and go with its references, of which there are none */
  if (!m->keep_bytes || solo_load_relaxed(&m->shadow_count)) return 0;
  solo_mapping_wait_in_flight(m);
  table = solo_mapping_home(table, m);
  solo_hints hints = solo_load_acquire(&table->hints); /* pairs with solo_hints_grow */
  uint32_t place = solo_load_relaxed(&m->place);       /* who claimed it last wrote it */
  int stands = solo_mapping_stands(hints, m, place);
  if (SOLO_UNLIKELY(!stands)) {
    place = solo_mapping_choose_place(table, hints, m);
    solo_store_relaxed(&m->place, place); /* published by the word */
  }
  solo_store_relaxed(&m->creator, 0);            /* after fork nobody's (solo_mapping_forked) */
  uint64_t count = solo_load_relaxed(&m->count); /* own: CLOSING, nothing in flight */
  /* release: pairs with solo_mapping_revive and claim_dormant */
  solo_store_release(&m->count, count + SOLO_COUNT_DORMANT);
  if (SOLO_UNLIKELY(!stands)) solo_mapping_take_place(table, hints, m, place);
  return 1;
}
