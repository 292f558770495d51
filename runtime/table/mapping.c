#define _GNU_SOURCE
#include "runtime/table/mapping.h"

#include <sched.h>

enum { SPINS = 64, IN_FLIGHT_POLL_NS = 50000, CHECKED_REMOVALS = 1024 };

typedef enum { ACQUIRED, AGAIN, MISS, OUT_OF_USE, NOT_ACQUIRED } attempt;

static SOLO_COLD attempt acquire_large(solo_mapping *m, uint64_t count, solo_ref ref,
                                       solo_presence *out_presence, uint64_t *out_version) {
  if (solo_large_acquire(m, count, ref, out_version)) return ACQUIRED;
  uint64_t now = solo_load_relaxed(&m->count); /* relaxed: advisory */
  if (!solo_version_fits(count, now) || !(now & SOLO_COUNT_LIVE)) return AGAIN;
  *out_presence = SOLO_FULL;
  return NOT_ACQUIRED;
}

/* Acquires a reference on m if the range of m matches the request. */
static attempt try_acquire(solo_mapping *m, const solo_request *r, solo_presence *out_presence,
                           uint64_t *out_version) {
  const uintptr_t begin = r->begin;
  const uint64_t size = r->size;
  const solo_ref ref = r->ref;
  static const uint64_t ones[] = {[SOLO_REF_NONE] = 0,
                                  [SOLO_REF_DYNAMIC] = SOLO_COUNT_DYNAMIC_ONE,
                                  [SOLO_REF_HOLD] = SOLO_COUNT_HOLD_ONE,
                                  [SOLO_REF_IN_FLIGHT] = SOLO_COUNT_IN_FLIGHT_ONE};
  static const uint64_t masks[] = {[SOLO_REF_NONE] = 0,
                                   [SOLO_REF_DYNAMIC] = SOLO_COUNT_DYNAMIC,
                                   [SOLO_REF_HOLD] = SOLO_COUNT_HOLD,
                                   [SOLO_REF_IN_FLIGHT] = SOLO_COUNT_IN_FLIGHT};
  static const uint64_t fulls[] = {
      [SOLO_REF_DYNAMIC] = SOLO_COUNT_DYNAMIC_LARGE - SOLO_COUNT_DYNAMIC_ONE,
      [SOLO_REF_HOLD] = SOLO_COUNT_HOLD_LARGE - SOLO_COUNT_HOLD_ONE,
      [SOLO_REF_IN_FLIGHT] = SOLO_COUNT_IN_FLIGHT_LARGE - SOLO_COUNT_IN_FLIGHT_ONE};
  /* pairs with solo_mapping_publish() */
  uint64_t count = solo_load_acquire(&m->count);
  if (count & SOLO_COUNT_OUT) return OUT_OF_USE;
  /* relaxed: valid only if the tag is unchanged below */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  uintptr_t base = solo_load_relaxed(&m->base);
  if (size == 0 ? !(begin >= first && begin < end) && !(begin >= base && begin < first)
                : !(begin < end && begin + size > first))
    return MISS;
  *out_presence = size && (begin < first || begin + size > end) ? SOLO_PARTIAL : SOLO_CONTAINED;
  if (!(count & SOLO_COUNT_LIVE)) {
    /* relaxed: only this construct writes this value */
    if (r->construct && solo_load_relaxed(&m->creator) == solo_closer(r->construct)) return MISS;
    *out_presence = SOLO_LEAVING;
    return NOT_ACQUIRED;
  }
  *out_version = count;
  int infinite = ref == SOLO_REF_DYNAMIC && (count & SOLO_COUNT_DYNAMIC) == SOLO_COUNT_DYNAMIC;
  if (ref == SOLO_REF_NONE || infinite) {
    solo_fence_acquire(); /* pairs with the release fence in put_in() */
    return solo_load_relaxed(&m->count) / SOLO_COUNT_TAG_ONE == count / SOLO_COUNT_TAG_ONE
               ? ACQUIRED
               : AGAIN;
  }
  if (SOLO_UNLIKELY((count & masks[ref]) >= fulls[ref]))
    return acquire_large(m, count, ref, out_presence, out_version);
  /* pairs with solo_mapping_publish() and release() */
  return solo_cas_acquire(&m->count, &count, count + ones[ref]) ? ACQUIRED : AGAIN;
}

static attempt try_place(const solo_index_neighbours *place, const solo_request *request,
                         solo_mapping **out_mapping, solo_presence *out_presence,
                         uint64_t *out_version) {
  solo_mapping *candidates[2] = {place->floor.value, place->ceiling.value};
  attempt outcome = MISS;
  for (int i = 0; i < 2 && (outcome == MISS || outcome == OUT_OF_USE); i++) {
    outcome = MISS;
    if (!candidates[i]) continue;
    *out_mapping = candidates[i];
    outcome = try_acquire(candidates[i], request, out_presence, out_version);
  }
  return outcome;
}

/* a separate function, so that solo_mapping_find needs no stack frame */
static SOLO_NOINLINE solo_mapping *find_farther(const solo_mapping_table *table, uintptr_t address,
                                                solo_hint_place place) {
  /* as in solo_shard_at() */
  const solo_shards *shards = solo_load_acquire(&table->shards);
  if (SOLO_UNLIKELY(shards != NULL)) return solo_mapping_find_in_shards(table, shards, address);
  solo_mapping *m = solo_hint_find_overflow(place);
  return solo_mapping_begins_at(m, address) ? m : solo_index_find(table->index, address);
}

solo_mapping *solo_mapping_find(solo_mapping_table *table, uintptr_t address) {
  /* pairs with solo_mapping_table_grow_hints() and solo_shards_note_change() */
  solo_hint_place place = solo_hint_place_of(solo_load_acquire(&table->way), address);
  uintptr_t found = solo_hint_in_pair(place);
  if (SOLO_LIKELY(!(found & SOLO_HINT_MARK) &&
                  solo_mapping_begins_at((solo_mapping *)found, address)))
    return (solo_mapping *)found;
  return find_farther(table, address, place);
}

/* Replaces the neighbours in *place by nearer ranges of the shards that [address, last] touches. */
static SOLO_NOINLINE SOLO_COLD void locate_in_shards(const solo_mapping_table *table,
                                                     uintptr_t address, uintptr_t last,
                                                     solo_index_neighbours *place) {
  unsigned n = solo_shards_touched(address, last + 1), i = 0;
  const solo_mapping_table *shard;
  while ((shard = solo_shard_next(table, address, n, &i))) {
    solo_index_neighbours there;
    solo_index_locate(shard->index, address, &there);
    if (there.floor.value && there.floor.begin >= place->floor.begin) place->floor = there.floor;
    if (there.ceiling.value && there.ceiling.begin - 1 < place->ceiling.begin - 1)
      place->ceiling = there.ceiling; /* no ceiling: begin is 0, and 0 - 1 is the greatest value */
  }
}

solo_presence solo_mapping_try(solo_mapping_table *table, const solo_request *request,
                               solo_mapping **out_mapping, uint64_t *out_version) {
  solo_presence presence = SOLO_ABSENT;
  solo_mapping *m = solo_mapping_find(table, request->begin);
  if (m) {
    attempt outcome = try_acquire(m, request, &presence, out_version);
    *out_mapping = m;
    if (outcome == ACQUIRED || outcome == NOT_ACQUIRED) return presence;
  }
  /* maximum distance from the request to the begin of a matching range. relaxed: a thread writes
   * `reach` before it publishes a mapping */
  uint64_t farthest = request->size ? request->size - 1 : solo_load_relaxed(&table->reach);
  for (uintptr_t address = request->begin;;) {
    solo_index_neighbours place;
    solo_index_locate(table->index, address, &place);
    if (SOLO_UNLIKELY(solo_load_relaxed(&table->shards) != NULL))
      locate_in_shards(table, address, request->begin + farthest, &place);
    attempt outcome = try_place(&place, request, out_mapping, &presence, out_version);
    if (outcome == ACQUIRED || outcome == NOT_ACQUIRED) return presence;
    /* no neighbour has the range, so it was absent at one moment of the search */
    if (outcome == MISS) return SOLO_ABSENT;
    if (outcome == OUT_OF_USE) {
      if (place.ceiling.begin - request->begin > farthest) return SOLO_ABSENT;
      address = place.ceiling.begin;
    }
  }
}

solo_mapping *solo_mapping_containing(solo_mapping_table *table, uintptr_t begin, uint64_t size) {
  solo_mapping *m = solo_mapping_find(table, begin);
  if (SOLO_LIKELY(m != NULL) && SOLO_LIKELY(solo_mapping_holds(m, begin, size))) return m;
  solo_request request = {begin, size, SOLO_REF_NONE, 0};
  uint64_t version;
  return solo_mapping_try(table, &request, &m, &version) == SOLO_CONTAINED ? m : NULL;
}

void solo_mapping_data_ready(solo_mapping *m) {
  /* release: the device has the data; pairs with solo_mapping_wait_data() */
  if (solo_exchange_release(&m->data_state, SOLO_DATA_READY) == SOLO_DATA_AWAITED)
    solo_futex_wake(&m->data_state, INT32_MAX);
}

void solo_mapping_data_enqueued(solo_mapping *m) {
  if (solo_load_relaxed(&m->data_state) == SOLO_DATA_ENQUEUED)
    return; /* relaxed: only the creating thread writes it */
  /* release: the event is recorded; pairs with solo_mapping_wait_data() */
  if (solo_exchange_release(&m->data_state, SOLO_DATA_ENQUEUED) == SOLO_DATA_AWAITED)
    solo_futex_wake(&m->data_state, INT32_MAX);
}

void solo_mapping_wait_data(solo_mapping *m) {
  for (;;) {
    uint32_t data_state =
        solo_load_acquire(&m->data_state); /* pairs with solo_mapping_data_ready() */
    if (data_state == SOLO_DATA_READY || data_state == SOLO_DATA_ENQUEUED) return;
    /* relaxed: AWAITED only requests a wake-up */
    if (data_state == SOLO_DATA_PENDING &&
        !solo_cas_relaxed(&m->data_state, &data_state, SOLO_DATA_AWAITED))
      continue;
    solo_futex_wait(&m->data_state, SOLO_DATA_AWAITED, 0);
  }
}

/* use: 0, or SOLO_COUNT_IN_FLIGHT_ONE, which the same CAS adds unless the reference is the last or
 * the count is infinite. */
SOLO_INLINE solo_released release(solo_mapping *m, uint64_t version, solo_ref ref, solo_release how,
                                  uint64_t use) {
  const uint64_t mask = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD : SOLO_COUNT_DYNAMIC;
  const uint64_t large = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_LARGE : SOLO_COUNT_DYNAMIC_LARGE;
  const uint64_t one = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_DYNAMIC_ONE;
  uint64_t count = solo_load_relaxed(&m->count);
  for (;;) {
    uint64_t own = count & mask;
    uint64_t next = how == SOLO_RELEASE_ALL ? count & ~mask : count - one;
    if (!solo_version_fits(version, count) || !(count & SOLO_COUNT_LIVE)) return SOLO_RELEASED_GONE;
    if (SOLO_UNLIKELY(own >= large)) {
      if (own > large) return SOLO_RELEASED; /* infinite */
      return solo_large_release(m, version, ref, how, use ? SOLO_REF_IN_FLIGHT : SOLO_REF_NONE);
    }
    if (own == 0) next = count; /* only references of the other kind (dynamic or hold) exist */
    if (next & SOLO_COUNT_LIVE) {
      if (use && (count & SOLO_COUNT_IN_FLIGHT) >= SOLO_COUNT_IN_FLIGHT_LARGE - use)
        return solo_large_release(m, version, ref, how, SOLO_REF_IN_FLIGHT);
      next += use;
    }
    /* Invariant: exactly one CAS brings both counts to zero.
     * Ordering:  this CAS pairs with itself in release() of other threads, and with the CAS in
     *            try_acquire().
     * Otherwise: two threads could close the mapping, or one could close it before another thread's
     *            last access.
     */
    if (!solo_cas_acq_rel(&m->count, &count, next)) continue;
    return !(next & SOLO_COUNT_LIVE) ? SOLO_RELEASED_LAST
           : use                     ? SOLO_RELEASED_IN_FLIGHT
                                     : SOLO_RELEASED;
  }
}

solo_released solo_mapping_release(solo_mapping *m, uint64_t version, solo_ref ref,
                                   solo_release how) {
  return release(m, version, ref, how, 0);
}

solo_released solo_mapping_release_in_flight(solo_mapping *m, uint64_t version, solo_ref ref,
                                             solo_release how) {
  return release(m, version, ref, how, SOLO_COUNT_IN_FLIGHT_ONE);
}

void solo_mapping_drop_in_flight(solo_mapping *m) {
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: the CAS decides */
  do {
    SOLO_ASSERT(count & SOLO_COUNT_IN_FLIGHT,
                "the count of uses in flight of a mapping falls below zero");
    if (SOLO_UNLIKELY((count & SOLO_COUNT_IN_FLIGHT) == SOLO_COUNT_IN_FLIGHT_LARGE)) {
      solo_large_drop_in_flight(m);
      return;
    }
    /* release: the work has completed; pairs with solo_mapping_wait_in_flight() */
  } while (!solo_cas_release(&m->count, &count, count - SOLO_COUNT_IN_FLIGHT_ONE));
}

void solo_mapping_unlink(solo_mapping_table *table, solo_mapping *m) {
  /* relaxed: owned, or written under the lock */
  uintptr_t begin = solo_load_relaxed(&m->begin);
  table->removals++;
  solo_hint_drop(solo_load_relaxed(&table->hints), begin, m);
  solo_index_remove(table->index, begin);
  if (solo_load_relaxed(&m->shadow_count)) solo_shadow_drop(&table->shadows, m);
}

void solo_mapping_unlink_and_free(solo_mapping_table *table, solo_mapping *m) {
  /* relaxed: a CLOSING mapping never becomes LIVE again */
  SOLO_ASSERT(!(solo_load_relaxed(&m->count) & SOLO_COUNT_LIVE),
              "removal of a mapping that has references");
  solo_mapping_unlink(table, m);
  m->block = NULL;
  solo_mapping_node_free(&table->nodes, m);
}

/* In builds with SOLO_CHECK: validates the table after some removals. */
static void check_sometimes(const solo_mapping_table *table) {
  SOLO_ASSERT_SOUND(table->removals % (CHECKED_REMOVALS + solo_index_count(table->index))
                        ? NULL
                        : solo_mapping_table_check_one(table));
  (void)table;
}

void solo_mapping_wait_in_flight(const solo_mapping *m) {
  /* pairs with solo_mapping_drop_in_flight(); polls, because no thread signals the end of a use */
  for (unsigned turns = 0; solo_load_acquire(&m->count) & SOLO_COUNT_IN_FLIGHT; turns++) {
    if (turns < SPINS)
      solo_cpu_relax();
    else if (turns < 2 * SPINS)
      sched_yield();
    else
      solo_futex_wait(&m->data_state, solo_load_relaxed(&m->data_state), IN_FLIGHT_POLL_NS);
  }
}

solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *m) {
  solo_mapping_wait_in_flight(m);
  solo_block *block = m->block;
  table = solo_mapping_table_of(table, m);
  solo_lock_acquire(&table->lock);
  solo_mapping_unlink_and_free(table, m);
  check_sometimes(table);
  solo_lock_release(&table->lock);
  return block;
}
