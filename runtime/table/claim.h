/* Claims a range, publishes or abandons its mapping, and caches the mapping after its last release
 * (DORMANT). Sequence: solo_mapping_revive, else solo_mapping_claim; fill; solo_mapping_publish or
 * solo_mapping_abandon; after the last release solo_mapping_sleep, else solo_mapping_remove.
 *
 * Ownership: a claimed mapping belongs to the claiming thread, which must not wait for another
 * thread before it publishes or abandons, because other threads wait for that. Threads: any. */
#ifndef SOLO_TABLE_CLAIM_H
#define SOLO_TABLE_CLAIM_H

#include "runtime/table/mapping.h"

/* Claims the cached mapping of exactly this range, with its memory. NULL: none exists. No lock. */
solo_mapping *solo_mapping_revive(solo_mapping_table *table, const solo_mapping_new *what);

/* Claims a new mapping with what->block. If that is NULL and bytes is not 0, the mapping reuses a
 * cached mapping's memory that fits, or the result is SOLO_NOT_FOUND (no text). Evicts cached
 * mappings that overlap. SOLO_OVERLAP (no text; *out_clash is the other range), SOLO_NOMEM. */
solo_status solo_mapping_claim(solo_mapping_table *table, const solo_mapping_new *what,
                               uint64_t bytes, solo_mapping **out_mapping,
                               solo_index_range *out_clash) SOLO_MUST_CHECK;

/* Makes a claimed mapping LIVE. Returns the version of the first reference. */
SOLO_INLINE uint64_t solo_mapping_publish(solo_mapping *mapping, uint64_t counts) {
  /* relaxed: owned while claimed */
  uint64_t tag = solo_load_relaxed(&mapping->count) & ~(SOLO_COUNT_TAG_ONE - 1);
  uint64_t version = tag + SOLO_COUNT_TAG_ONE + counts;
  solo_store_release(&mapping->count,
                     /* Invariant: the tag is even only if range, device address and data state are
                      *            written.
                      * Ordering:  pairs with the acquire loads in try_take(),
                      *            solo_mapping_acquire_present() and solo_mapping_holds().
                      * Otherwise: a reader could use the address of an earlier mapping.
                      */
                     version);
  return version;
}

/* Frees a claimed mapping and its block. */
void solo_mapping_abandon(solo_mapping_table *table, solo_mapping *mapping);

/* Caches a CLOSING mapping. 0: it cannot be cached; nothing was done. */
int solo_mapping_sleep(solo_mapping_table *table, solo_mapping *mapping);

/* Evicts all cached mappings, to free their memory. */
void solo_mapping_evict_all(solo_mapping_table *table);

/* --- internal: dormant.c and claim.c ------------------------------------------------------------ */

/* relaxed: published with the mapping */
SOLO_INLINE void solo_mapping_fill(solo_mapping *m, const solo_mapping_new *what) {
  solo_store_relaxed(&m->creator, what->creator);
  solo_store_relaxed(&m->data_state, what->data_state);
}

/* Does m own this cache slot? relaxed: only compared */
SOLO_INLINE int solo_mapping_stands(solo_hints hints, const solo_mapping *m, uint32_t place) {
  return place < solo_place_count(hints) &&
         solo_load_relaxed(solo_place_at(hints, place)) == (uintptr_t)m;
}

/* Chooses a cache slot for a CLOSING mapping without one. */
uint32_t solo_mapping_choose_place(solo_mapping_table *table, solo_hints hints,
                                   const solo_mapping *m) SOLO_COLD;
/* Called after m became DORMANT, when another thread may own it again. Stores m in the slot and
 * evicts the mapping that was there. */
void solo_mapping_take_place(solo_mapping_table *table, solo_hints hints, solo_mapping *m,
                             uint32_t place) SOLO_COLD;

#endif
