/* References on mappings: look-up, acquire, insert, release, removal. A version is the value of the
 * state word when a reference was acquired. If the state word later has another tag than the
 * version, another thread has closed the mapping with map(delete:).
 *
 * Ownership: the table owns mappings, callers own references. Threads: any. Units: bytes. */
#ifndef SOLO_MAPPING_H
#define SOLO_MAPPING_H

#include "runtime/table/large_counts.h"
#include "runtime/table/table.h"

typedef enum solo_presence {
  SOLO_ABSENT,
  SOLO_CONTAINED,
  SOLO_PARTIAL,
  SOLO_LEAVING, /* another thread closes the mapping; retry */
  SOLO_FULL,    /* no memory for a larger count (large_counts.h) */
} solo_presence;

typedef struct solo_request {
  uintptr_t begin;
  uint64_t size;
  solo_ref ref;
  uint64_t construct; /* a mapping that this construct closes counts as absent */
} solo_request;

/* Looks up [begin, begin + size). Acquires a reference if the result is CONTAINED or PARTIAL. Size
 * 0 matches an address in a mapping's range, or between its base and its begin. Lock-free.
 * Sets *out_mapping unless the result is ABSENT. */
solo_presence solo_mapping_try(solo_mapping_table *table, const solo_request *request,
                               solo_mapping **out_mapping, uint64_t *out_version);

/* Searches hints and index for the range that contains address. Returns its mapping, in any state,
 * or NULL. */
solo_mapping *solo_mapping_find(solo_mapping_table *table, uintptr_t address);

/* The common case: acquires a reference if a LIVE mapping contains the range, else returns
 * NULL. one: SOLO_COUNT_DYNAMIC_ONE or SOLO_COUNT_HOLD_ONE. */
SOLO_INLINE solo_mapping *solo_mapping_acquire_present(solo_mapping_table *table, uintptr_t begin,
                                                       uint64_t size, uint64_t one,
                                                       uint64_t *out_version) {
  solo_mapping *m = solo_mapping_find(table, begin);
  if (!m) return NULL;
  /* pairs with solo_mapping_publish() */
  uint64_t count = solo_load_acquire(&m->count);
  /* relaxed: valid only if the tag is unchanged below */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  if (begin < first || begin >= end || size > end - begin) return NULL;
  uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
  /* 0: a hold reference; if this function returns NULL, solo_mapping_try() acquires it */
  int counted = one == SOLO_COUNT_DYNAMIC_ONE;
  if (SOLO_UNLIKELY(dynamic - 1 >= SOLO_COUNT_DYNAMIC_LARGE - 2)) {
    if (!dynamic || !counted) return NULL;
    if (dynamic != SOLO_COUNT_DYNAMIC)
      return solo_large_acquire(m, count, SOLO_REF_DYNAMIC, out_version);
    solo_fence_acquire(); /* pairs with the release fence in put_in() */
    if ((solo_load_relaxed(&m->count) ^ count) >= SOLO_COUNT_TAG_ONE) return NULL;
    /* not equal to the state word; solo_large_acquire() has the reason */
    *out_version = count ^ SOLO_COUNT_DYNAMIC_ONE;
    return m;
  }
  if (!counted && (count & SOLO_COUNT_HOLD) >= SOLO_COUNT_HOLD_LARGE - SOLO_COUNT_HOLD_ONE)
    return solo_large_acquire(m, count, SOLO_REF_HOLD, out_version);
  *out_version = count + one;
  /* pairs with solo_mapping_publish() and, for the data, release() */
  return solo_cas_acquire(&m->count, &count, count + one) ? m : NULL;
}

/* Returns whether m is LIVE and contains [begin, begin + size). */
SOLO_INLINE int solo_mapping_holds(const solo_mapping *m, uintptr_t begin, uint64_t size) {
  /* pairs with solo_mapping_publish() */
  uint64_t count = solo_load_acquire(&m->count);
  /* relaxed: valid only if the tag is unchanged below */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  /* Ordering:  this acquire fence pairs with the release fence in put_in().
   * Otherwise: this function could accept a begin and an end that belong to different ranges. */
  solo_fence_acquire();
  if ((solo_load_relaxed(&m->count) ^ count) >= SOLO_COUNT_TAG_ONE) return 0;
  if (begin < first || begin >= end || size > end - begin) return 0;
  return (count & SOLO_COUNT_LIVE) != 0;
}

SOLO_INLINE solo_mapping *solo_mapping_find_in_hints(solo_hints hints, uintptr_t begin,
                                                     uint64_t size) {
  solo_hint_place place = solo_hint_place_of(hints, begin);
  uintptr_t found = solo_hint_in_pair(place);
  if (SOLO_UNLIKELY(found & SOLO_HINT_MARK) || SOLO_UNLIKELY(!found)) return NULL;
  solo_mapping *m = (solo_mapping *)found;
  return SOLO_LIKELY(solo_mapping_holds(m, begin, size)) ? m : NULL;
}

/* Returns the mapping that begins at `begin`. Searches only one pair of hints, because this code is
 * inlined. NULL: the caller calls solo_mapping_containing(). */
SOLO_INLINE solo_mapping *solo_mapping_find_by_hint(const solo_mapping_table *table,
                                                    uintptr_t begin, uint64_t size) {
  /* pairs with solo_mapping_table_grow_hints() */
  return solo_mapping_find_in_hints(solo_load_acquire(&table->way), begin, size);
}

SOLO_INLINE int solo_mapping_has_shards(const solo_mapping_table *table) {
  /* relaxed: a caller that uses the shards loads the pointer again, with acquire */
  return solo_load_relaxed(&table->shards) != NULL;
}

SOLO_INLINE solo_mapping *solo_mapping_find_in_shard_hints(const solo_mapping_table *table,
                                                           uintptr_t begin, uint64_t size) {
  /* the two loads pair with solo_shards_note_change() and solo_mapping_table_grow_hints() */
  const solo_shards *shards = solo_load_acquire(&table->shards);
  return solo_mapping_find_in_hints(solo_load_acquire(solo_shard_hints(shards, begin)), begin,
                                    size);
}

/* Returns the LIVE mapping that contains the range, without acquiring a reference; NULL: none. */
solo_mapping *solo_mapping_containing(solo_mapping_table *table, uintptr_t begin, uint64_t size);

typedef struct solo_mapping_new {
  uintptr_t begin, end, base;
  solo_devptr device;
  solo_block *block;
  uint64_t counts; /* SOLO_COUNT_DYNAMIC: infinite */
  uint64_t creator;
  const char *name;
  uint32_t flags;
  uint32_t data_state;
  uint32_t keep_bytes;
} solo_mapping_new;

/* Claims and publishes a mapping. SOLO_OVERLAP has no text; *out_clash is the overlapping range. */
solo_status solo_mapping_insert(solo_mapping_table *table, const solo_mapping_new *what,
                                solo_mapping **out_mapping, uint64_t *out_version,
                                solo_index_range *out_clash) SOLO_MUST_CHECK;

void solo_mapping_data_ready(solo_mapping *mapping);
void solo_mapping_data_enqueued(solo_mapping *mapping);
void solo_mapping_wait_data(solo_mapping *mapping);

solo_released solo_mapping_release(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                   solo_release how);

/* The common case: releases one dynamic reference. Returns 0 if solo_mapping_release() must
 * release it, for example the last reference. */
SOLO_INLINE int solo_mapping_release_shared(solo_mapping *m, uint64_t version) {
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: the CAS decides */
  for (;;) {
    uint64_t next = count - SOLO_COUNT_DYNAMIC_ONE;
    if (SOLO_UNLIKELY(count != version)) {
      uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
      if (!solo_version_fits(version, count) || !dynamic) return 0;
      if (dynamic >= SOLO_COUNT_DYNAMIC_LARGE) return dynamic == SOLO_COUNT_DYNAMIC;
    }
    if (SOLO_UNLIKELY(!(next & SOLO_COUNT_LIVE))) return 0;
    /* as in release() of mapping.c */
    if (SOLO_LIKELY(solo_cas_acq_rel(&m->count, &count, next))) return 1;
  }
}

/* For a caller with enqueued work: one CAS replaces the reference by a use in flight, unless the
 * reference is the last. Two steps would permit another thread to free the memory that the work
 * uses. */
solo_released solo_mapping_release_in_flight(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                             solo_release how);

SOLO_INLINE int solo_mapping_is_out_of_use(const solo_mapping *mapping) {
  return (solo_load_relaxed(&mapping->count) & SOLO_COUNT_OUT) !=
         0; /* relaxed: advisory, or under the lock */
}

SOLO_INLINE int solo_mapping_is_closing(const solo_mapping *mapping) {
  /* relaxed: advisory, or the calling thread has closed the mapping */
  return !(solo_load_relaxed(&mapping->count) & SOLO_COUNT_LIVE);
}

void solo_mapping_drop_in_flight(solo_mapping *mapping);

SOLO_INLINE unsigned solo_mapping_in_flight(const solo_mapping *mapping) {
  /* pairs with solo_mapping_drop_in_flight() */
  uint64_t count = solo_load_acquire(&mapping->count);
  unsigned uses = (unsigned)((count & SOLO_COUNT_IN_FLIGHT) / SOLO_COUNT_IN_FLIGHT_ONE);
  if (SOLO_LIKELY(uses < SOLO_COUNT_IN_FLIGHT_LARGE / SOLO_COUNT_IN_FLIGHT_ONE)) return uses;
  return (unsigned)solo_large_count(mapping, count, SOLO_REF_IN_FLIGHT);
}

/* Waits for the uses in flight of a CLOSING mapping, removes it and returns its block or NULL. */
solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *mapping);

/* Removes an associated mapping. SOLO_INVALID: the mapping has a hold reference or a use in flight. */
solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) SOLO_MUST_CHECK;

/* Removes a declare target variable, even if it is referenced. `device` distinguishes variables of
 * several libraries at the same host address. Returns nonzero if it removed the variable. */
int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device);

solo_status solo_mapping_attach(solo_mapping_table *table, solo_mapping *mapping,
                                const solo_shadow *what, int *out_known) SOLO_MUST_CHECK;

void solo_mapping_wait_in_flight(const solo_mapping *mapping);
/* Removes m from index and hints; the second function also frees the mapping. The caller holds the
 * lock. */
void solo_mapping_unlink(solo_mapping_table *table, solo_mapping *mapping);
void solo_mapping_unlink_and_free(solo_mapping_table *table, solo_mapping *mapping);
/* For the child of fork(2): removes mappings that other threads were creating or closing, and sets
 * the counts of uses in flight to 0. is_of_thread: see runtime/device/fork.h. */
void solo_mapping_forked(solo_mapping_table *table, int (*is_of_thread)(uint64_t creator));

#endif
