/* How a range gets its mapping, and how it stays when nobody has it mapped: CLAIMED and DORMANT of
 * mapping_word.h.
 *
 *   solo_mapping_revive      the very range is dormant: claimed, with its memory and without a lock
 *   solo_mapping_claim       any other: put into the index
 *     ... the claimer fills it: device address, data ...
 *   solo_mapping_publish     others see it          or      solo_mapping_abandon
 *     ... in use until its last reference is given back and its closer has fetched ...
 *   solo_mapping_sleep       DORMANT                or      solo_mapping_remove
 *
 * Ownership: a claimed mapping is the claiming thread's. Threads: any. Who has claimed a mapping waits
 * for nothing until it has published or abandoned it, since others may wait for that.
 */
#ifndef SOLO_TABLE_CLAIM_H
#define SOLO_TABLE_CLAIM_H

#include "runtime/table/mapping.h"

/* The dormant mapping of exactly this range, claimed; the memory is that which it had. NULL: there
 * is none. */
solo_mapping *solo_mapping_revive(solo_mapping_table *table, const solo_mapping_new *what);

/* A new mapping of the range, claimed, with what->block. Where that is NULL and bytes is not 0 it
 * gets the memory of a mapping that is dormant and never was revived, if the places for those
 * mappings are full and that memory fits; else SOLO_NOT_FOUND (no text). Dormant mappings that
 * overlap the range are evicted. SOLO_OVERLAP (no text; *out_clash says with what), SOLO_NOMEM. */
solo_status solo_mapping_claim(solo_mapping_table *table, const solo_mapping_new *what,
                               uint64_t bytes, solo_mapping **out_mapping,
                               solo_index_range *out_clash) SOLO_MUST_CHECK;

/* The claimed mapping is there for everybody. Returns the version of the first reference. */
SOLO_INLINE uint64_t solo_mapping_publish(solo_mapping *mapping, uint64_t counts) {
  /* relaxed: own while it is claimed */
  uint64_t tag = solo_load_relaxed(&mapping->count) & ~(SOLO_COUNT_TAG_ONE - 1);
  uint64_t version = tag + SOLO_COUNT_TAG_ONE + counts;
  solo_store_release(&mapping->count,
                     version); /* pairs with solo_mapping_acquire_present, try_take */
  return version;
}

/* The claimed mapping is nobody's again, and its block given back. */
void solo_mapping_abandon(solo_mapping_table *table, solo_mapping *mapping);

/* Ends a CLOSING mapping as solo_mapping_remove does, but keeps it DORMANT. 0: it may not be kept,
 * nothing was done. */
int solo_mapping_sleep(solo_mapping_table *table, solo_mapping *mapping);

/* Evicts all dormant mappings: their memory is wanted. */
void solo_mapping_evict_all(solo_mapping_table *table);

/* --- parts of dormant.c and claim.c ----------------------------------------------------------- */

/* What a claimed mapping has besides range, base, memory and name. relaxed: published with it. */
SOLO_INLINE void solo_mapping_fill(solo_mapping *m, const solo_mapping_new *what) {
  solo_store_relaxed(&m->creator, what->creator);
  solo_store_relaxed(&m->data_state, what->data_state);
}

/* Does m stand at this place among the dormant? relaxed: compared only. */
SOLO_INLINE int solo_mapping_stands(solo_hints hints, const solo_mapping *m, uint32_t place) {
  return place < solo_place_count(hints) &&
         solo_load_relaxed(solo_place_at(hints, place)) == (uintptr_t)m;
}

/* The place for a CLOSING mapping that has none. */
uint32_t solo_mapping_choose_place(solo_mapping_table *table, solo_hints hints,
                                   const solo_mapping *m) SOLO_COLD;
/* Called after m went DORMANT, when another thread may own m again: stores m in that slot and evicts the mapping that
 * was there. */
void solo_mapping_take_place(solo_mapping_table *table, solo_hints hints, solo_mapping *m,
                             uint32_t place) SOLO_COLD;

#endif
