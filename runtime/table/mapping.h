/* The mapping table of a device: host range <-> device range, with two reference counts.
 *
 * mapping_word.h is one mapping: the word that racing threads decide on, and its states.
 *
 * A new mapping is PENDING until its data is on the device (data_state). Others that acquire it wait
 * for that after their own new mappings are READY (map/begin.c), so no two constructs wait for each
 * other. Where the creating construct ends later (construct/nowait.h) it is ENQUEUED in between: others
 * order their work after the data.
 *
 * A use in flight keeps a mapping from being removed while it is used without a reference (update,
 * copies).
 *
 * Who takes a reference is given a version, the count word at that time. Its tag tells at the release
 * whether the mapping is still the one: map(delete:) on another thread may have ended it meanwhile,
 * and its memory may be another mapping by now.
 *
 * Ownership: the table owns mappings; a caller owns the references it acquired. Threads: all
 * functions from any thread. Errors: as stated. Units: bytes.
 */
#ifndef SOLO_MAPPING_H
#define SOLO_MAPPING_H

#include "runtime/table/table.h"

typedef enum solo_ref {
  SOLO_REF_NONE,
  SOLO_REF_DYNAMIC,
  SOLO_REF_HOLD,
  SOLO_REF_IN_FLIGHT
} solo_ref;

typedef enum solo_presence {
  SOLO_ABSENT,
  SOLO_CONTAINED, /* the range lies within the mapping */
  SOLO_PARTIAL,   /* they overlap, but the range sticks out */
  SOLO_LEAVING,   /* another construct is ending it, ask again */
  SOLO_FULL,      /* it has as many references of this kind as can be counted: none was taken */
} solo_presence;

typedef struct solo_request {
  uintptr_t begin;
  uint64_t size;
  solo_ref ref;
  uint64_t
      construct; /* who asks: what this construct itself is closing is absent to it; 0: nobody */
} solo_request;

/* Looks [begin, begin + size) up (size 0: contained in a mapping, or between a mapping's base and
 * its begin) and takes a reference of the asked kind when CONTAINED (PARTIAL: too, so that implicit
 * maps may use it). Lock-free, never waits: LEAVING tells that another construct is ending the mapping.
 * *out_mapping is set unless ABSENT. With SOLO_REF_NONE the mapping may go at any time unless the
 * caller holds a reference already. *out_version: for the release of what was taken, now or
 * (SOLO_REF_NONE) by whoever the caller acts for. */
solo_presence solo_mapping_try(solo_mapping_table *table, const solo_request *request,
                               solo_mapping **out_mapping, uint64_t *out_version);

/* The mapping that begins at or before address and ends behind it, whatever state it is in, as a hint
 * or the index says; NULL: none. */
solo_mapping *solo_mapping_find(solo_mapping_table *table, uintptr_t address);

/* The common case of it, small enough to be inlined: present, contained, not closing. NULL: ask
 * solo_mapping_try. one: SOLO_COUNT_DYNAMIC_ONE or SOLO_COUNT_HOLD_ONE. */
SOLO_INLINE solo_mapping *solo_mapping_acquire_present(solo_mapping_table *table, uintptr_t begin,
                                                       uint64_t size, uint64_t one,
                                                       uint64_t *out_version) {
  solo_mapping *m = solo_mapping_find(table, begin);
  if (!m) return NULL;
  uint64_t count = solo_load_acquire(&m->count); /* pairs with solo_mapping_publish */
  /* relaxed: valid if the CAS, or the second look, below finds the same tag */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  if (begin < first || begin >= end || size > end - begin) return NULL;
  uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
  int counted = one == SOLO_COUNT_DYNAMIC_ONE;                /* a hold is counted at all of them */
  if (SOLO_UNLIKELY(dynamic - 1 >= SOLO_COUNT_DYNAMIC - 2)) { /* none, full or infinite */
    if (dynamic != SOLO_COUNT_DYNAMIC || !counted) return NULL;
    solo_fence_acquire(); /* as in solo_mapping_holds; pairs with put_in */
    if ((solo_load_relaxed(&m->count) ^ count) >= SOLO_COUNT_TAG_ONE) return NULL;
    *out_version = count ^ SOLO_COUNT_DYNAMIC_ONE; /* no reference, a version that never fits */
    return m;
  }
  if (!counted && (count & SOLO_COUNT_HOLD) == SOLO_COUNT_HOLD) return NULL;
  *out_version = count + one;
  /* pairs with solo_mapping_publish and, for the data, with solo_mapping_release */
  return solo_cas_acquire(&m->count, &count, count + one) ? m : NULL;
}

/* Is [begin, begin + size) in m, and nobody ends it? m: any mapping, in whatever state. */
SOLO_INLINE int solo_mapping_holds(const solo_mapping *m, uintptr_t begin, uint64_t size) {
  uint64_t count = solo_load_acquire(&m->count); /* pairs with solo_mapping_publish */
  /* relaxed: valid if the tag is still the same at the second look */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  solo_fence_acquire(); /* orders the reads above before the second look; pairs with put_in */
  if ((solo_load_relaxed(&m->count) ^ count) >= SOLO_COUNT_TAG_ONE) return 0;
  if (begin < first || begin >= end || size > end - begin) return 0;
  return (count & SOLO_COUNT_LIVE) != 0; /* out of use: it has none */
}

SOLO_INLINE solo_mapping *solo_mapping_look_in(solo_hints hints, uintptr_t begin, uint64_t size) {
  solo_hint_place place = solo_hint_place_of(hints, begin);
  uintptr_t found = solo_hint_in_pair(place);
  if (SOLO_UNLIKELY(found & SOLO_HINT_MARK) || SOLO_UNLIKELY(!found)) return NULL;
  solo_mapping *m = (solo_mapping *)found;
  return SOLO_LIKELY(solo_mapping_holds(m, begin, size)) ? m : NULL;
}

/* The mapping that begins at begin and holds size bytes from there on, without a reference, by the pair of
 * its hint and in as few instructions as it takes (abi/omp_present.c says why). NULL: ask the next. */
SOLO_INLINE solo_mapping *solo_mapping_look(const solo_mapping_table *table, uintptr_t begin,
                                            uint64_t size) {
  /* acquire: the hints are filled; pairs with solo_mapping_table_grow_hints */
  return solo_mapping_look_in(solo_load_acquire(&table->way), begin, size);
}

/* Are there shards, where solo_mapping_look finds nothing? For good, and if so for who has seen it. */
SOLO_INLINE int solo_mapping_has_shards(const solo_mapping_table *table) {
  return solo_load_relaxed(&table->shards) != NULL; /* loaded again */
}

/* Likewise where there are shards. NULL: ask solo_mapping_containing. */
SOLO_INLINE solo_mapping *solo_mapping_look_in_shards(const solo_mapping_table *table,
                                                      uintptr_t begin, uint64_t size) {
  /* acquire, twice: what is there is filled; pairs with solo_shards_note_change, and with
   * solo_mapping_table_grow_hints */
  const solo_shards *shards = solo_load_acquire(&table->shards);
  return solo_mapping_look_in(solo_load_acquire(solo_shard_way(shards, begin)), begin, size);
}

/* The mapping that holds [begin, begin + size), without a reference. NULL: it is absent or leaving. */
solo_mapping *solo_mapping_containing(solo_mapping_table *table, uintptr_t begin, uint64_t size);

/* What a new mapping is to be. */
typedef struct solo_mapping_new {
  uintptr_t begin, end, base;
  solo_devptr device;
  solo_block *block;
  uint64_t counts; /* SOLO_COUNT_DYNAMIC_ONE, SOLO_COUNT_HOLD_ONE or SOLO_COUNT_DYNAMIC: infinite */
  uint64_t creator;
  const char *name; /* is copied */
  uint32_t flags;
  uint32_t data_state; /* SOLO_DATA_PENDING until solo_mapping_data_ready, or SOLO_DATA_READY */
  uint32_t keep_bytes; /* of block, if it may stay with the mapping while that is DORMANT; else 0 */
} solo_mapping_new;

/* Claims and publishes. SOLO_OVERLAP (no text; *out_clash says with what) when something is in the
 * way. */
solo_status solo_mapping_insert(solo_mapping_table *table, const solo_mapping_new *what,
                                solo_mapping **out_mapping, uint64_t *out_version,
                                solo_index_range *out_clash) SOLO_MUST_CHECK;

void solo_mapping_data_ready(solo_mapping *mapping);
/* PENDING to ENQUEUED, if it is not yet. */
void solo_mapping_data_enqueued(solo_mapping *mapping);
/* Until it is READY or ENQUEUED. */
void solo_mapping_wait_data(solo_mapping *mapping);

typedef enum solo_release {
  SOLO_RELEASE_ONE, /* one reference */
  SOLO_RELEASE_ALL, /* all of its kind (map type delete) */
} solo_release;

typedef enum solo_released {
  SOLO_RELEASED,           /* others hold it, or it is infinite */
  SOLO_RELEASED_IN_FLIGHT, /* others hold it, and it is in flight for the caller now */
  SOLO_RELEASED_LAST,      /* it is CLOSING: the caller must call solo_mapping_remove */
  SOLO_RELEASED_NOT,       /* it is in flight too often: wait for the work, then release plainly */
  SOLO_RELEASED_GONE,      /* another thread has deleted it: it must not be looked at any more */
} solo_released;

/* Gives references back, taken with this version. Infinite counts stay. */
solo_released solo_mapping_release(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                   solo_release how);

/* Is the mapping whose count word is now count still the one that the version was given for? */
SOLO_INLINE int solo_version_fits(uint64_t version, uint64_t count) {
  return (version ^ count) < SOLO_COUNT_TAG_ONE;
}

/* The common case of it, small enough to be inlined: one dynamic reference, not the last. 0: it is
 * the last, or gone, and nothing was done. version: as solo_mapping_acquire_present gave it, the
 * whole count word: if that is unchanged, nothing else need be looked at. */
SOLO_INLINE int solo_mapping_release_shared(solo_mapping *m, uint64_t version) {
  uint64_t count = solo_load_relaxed(&m->count); /* the CAS decides */
  for (;;) {
    uint64_t next = count - SOLO_COUNT_DYNAMIC_ONE;
    if (SOLO_UNLIKELY(count != version)) { /* else: dynamic, finite and ours */
      uint64_t dynamic = count & SOLO_COUNT_DYNAMIC;
      if (!solo_version_fits(version, count) || !dynamic) return 0;
      if (dynamic == SOLO_COUNT_DYNAMIC) return 1; /* infinite */
    }
    if (SOLO_UNLIKELY(!(next & SOLO_COUNT_LIVE))) return 0;
    /* acq_rel: as in solo_mapping_release */
    if (SOLO_LIKELY(solo_cas_acq_rel(&m->count, &count, next))) return 1;
  }
}

/* The same while work of the caller still uses the mapping's memory: unless it was the last, the
 * reference becomes a use in flight in the same step, to be dropped when the work is done. Without it
 * another thread could release last, and the memory be reused, under enqueued work. */
solo_released solo_mapping_release_in_flight(solo_mapping *mapping, uint64_t version, solo_ref ref,
                                             solo_release how);

/* Is what the index or a hint named absent: dormant, claimed, or no mapping at all? */
SOLO_INLINE int solo_mapping_is_out(const solo_mapping *mapping) {
  return (solo_load_relaxed(&mapping->count) & SOLO_COUNT_OUT) !=
         0; /* a hint, or the lock is held */
}

/* Has its last reference been released? For looks without a reference of one's own. */
SOLO_INLINE int solo_mapping_is_closing(const solo_mapping *mapping) {
  return !(solo_load_relaxed(&mapping->count) & SOLO_COUNT_LIVE); /* own decision, or a hint */
}

void solo_mapping_drop_in_flight(solo_mapping *mapping);

/* How many uses are in flight. Once it is CLOSING they only become fewer. */
SOLO_INLINE unsigned solo_mapping_in_flight(const solo_mapping *mapping) {
  /* acquire: pairs with solo_mapping_drop_in_flight */
  return (unsigned)((solo_load_acquire(&mapping->count) & SOLO_COUNT_IN_FLIGHT) /
                    SOLO_COUNT_IN_FLIGHT_ONE);
}

/* Ends a CLOSING mapping: waits until nothing of it is in flight, takes it out of the table. Its block
 * is returned for the
 * pool (NULL: not ours). */
solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *mapping);

/* Removes the association that begins at begin: NOT_FOUND, or INVALID when it has other references
 * (hold, or an update under way). */
solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) SOLO_MUST_CHECK;

/* Removes the mapping of a declare target variable whose memory on the device is leaving, whatever
 * holds it; not that of another library's copy of the same variable. Nonzero: removed. */
int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device);

/* Notes an attached pointer (shadow.h). */
solo_status solo_mapping_attach(solo_mapping_table *table, solo_mapping *mapping,
                                const solo_shadow *what, int *out_known) SOLO_MUST_CHECK;

/* --- parts, for claim.c; the lock is held but for the first --------------------------------- */

/* Until nothing uses a CLOSING mapping any more. */
void solo_mapping_wait_in_flight(const solo_mapping *mapping);
/* Takes a mapping whose counts are zero out of the index, and makes it FREE. */
void solo_mapping_unlink(solo_mapping_table *table, solo_mapping *mapping);
void solo_mapping_take_out(solo_mapping_table *table, solo_mapping *mapping);
/* In the child of fork(2), which has one thread: takes out what threads of the parent's were making
 * or ending (mine(id): not this thread's own construct), with each's block, and drops all uses in flight. What
 * other threads had references to stays mapped. */
void solo_mapping_forked(solo_mapping_table *table, int (*mine)(uint64_t creator));

#endif
