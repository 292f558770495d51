/* Claims a range, publishes its mapping, and caches it after its last release. Sequence:
 * solo_mapping_reuse or _claim, _publish or _abandon; after the last release _cache or _remove.
 *
 * Ownership: the claiming thread owns the mapping until it publishes or abandons the mapping. Until
 * then this thread must not wait for others, because they can be waiting for the range. */
#ifndef SOLO_TABLE_CLAIM_H
#define SOLO_TABLE_CLAIM_H

#include "runtime/table/mapping.h"

/* Claims the cached mapping of exactly this range, without a lock. Returns NULL if there is none. */
solo_mapping *solo_mapping_reuse(solo_mapping_table *table, const solo_mapping_new *what);

/* Claims a new mapping with what->block. If what->block is NULL and bytes is not 0, uses the block
 * of a cached mapping; SOLO_NOT_FOUND: no such block fits. Evicts cached mappings that overlap.
 * SOLO_OVERLAP: a mapping in use overlaps; *out_clash is its range. Both errors have no text. */
solo_status solo_mapping_claim(solo_mapping_table *table, const solo_mapping_new *what,
                               uint64_t bytes, solo_mapping **out_mapping,
                               solo_index_range *out_clash) SOLO_MUST_CHECK;

/* Makes a claimed mapping LIVE. Returns its new state word. */
SOLO_INLINE uint64_t solo_mapping_publish(solo_mapping *mapping, uint64_t counts) {
  uint64_t tag = solo_load_relaxed(&mapping->count) & ~(SOLO_COUNT_TAG_ONE - 1);
  uint64_t version = tag + SOLO_COUNT_TAG_ONE + counts;
  /* Invariant: a LIVE mapping has its range, device address and data state.
   * Ordering:  this release store pairs with the acquire loads in try_acquire(),
   *            solo_mapping_acquire_present() and solo_mapping_holds().
   * Otherwise: a reader could use the address of an earlier mapping.
   */
  solo_store_release(&mapping->count, version);
  return version;
}

/* Frees a claimed mapping and its block. */
void solo_mapping_abandon(solo_mapping_table *table, solo_mapping *mapping);
/* solo_hint_note_device in the mapping's table or shard. */
void solo_mapping_note_device(solo_mapping_table *table, const solo_mapping *mapping) SOLO_COLD;

/* Caches a CLOSING mapping. Returns 0 if it cannot be cached; the caller then removes it. */
int solo_mapping_cache(solo_mapping_table *table, solo_mapping *mapping);

void solo_mapping_evict_all(solo_mapping_table *table);

/* relaxed: published with the mapping */
SOLO_INLINE void solo_mapping_fill(solo_mapping *m, const solo_mapping_new *what) {
  solo_store_relaxed(&m->creator, what->creator);
  solo_store_relaxed(&m->data_state, what->data_state);
}

/* relaxed: only compared */
SOLO_INLINE int solo_mapping_owns_cache_slot(solo_hints hints, const solo_mapping *m,
                                             uint32_t place) {
  return place < solo_cache_slot_count(hints) &&
         solo_load_relaxed(solo_cache_slot_at(hints, place)) == (uintptr_t)m;
}

uint32_t solo_mapping_choose_cache_slot(solo_mapping_table *table, solo_hints hints,
                                        const solo_mapping *m) SOLO_COLD;
/* Stores m, which is CACHED, in the slot and evicts the slot's previous mapping. Does not access
 * *m, because another thread may already have claimed it. */
void solo_mapping_enter_cache_slot(solo_mapping_table *table, solo_hints hints, solo_mapping *m,
                                   uint32_t place) SOLO_COLD;

#endif
