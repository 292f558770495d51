#include "runtime/table/claim.h"

#include "runtime/base/generation.h"
#include "runtime/table/sharding.h"

static int claim_cached(solo_mapping *m) {
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: the CAS decides */
  if ((count & SOLO_COUNT_STATE) != SOLO_COUNT_CACHED) return 0;
  /* pairs with solo_mapping_cache() */
  return solo_cas_acquire(&m->count, &count, count + (SOLO_COUNT_CLAIMED - SOLO_COUNT_CACHED));
}

static void free_claimed(solo_mapping_table *table, solo_mapping *m) {
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was claimed */
  solo_block *block = m->block;
  solo_mapping_unlink_and_free(table, m);
  table->free_block(table->context, block);
}

static int evictable(solo_mapping *m, uint32_t place) {
  /* relaxed: with a stale value, one mapping too few or too many is evicted */
  return solo_load_relaxed(&m->place) == place && claim_cached(m);
}

static int evict(solo_mapping_table *table, solo_mapping *m) {
  if (!claim_cached(m)) return 0;
  free_claimed(table, m);
  return 1;
}

static void collect_cached(void *context, solo_index_range range) {
  solo_mapping **first = context, *m = range.value;
  if (!claim_cached(m)) return;
  m->next = *first;
  *first = m;
}

static void evict_all(solo_mapping_table *table) {
  solo_mapping *first = NULL;
  solo_index_each(table->index, collect_cached, &first);
  while (first) {
    solo_mapping *m = first;
    first = m->next;
    free_claimed(table, m);
  }
}

void solo_mapping_evict_all(solo_mapping_table *table) {
  if (!table->index) return;
  solo_mapping_table_lock(table);
  evict_all(table);
  solo_mapping_table_unlock(table);
  solo_mapping_table *shard;
  for (unsigned i = 0; (shard = solo_shard_next(table, 0, SOLO_SHARDS, &i));)
    solo_mapping_evict_all(shard);
}

static void describe(solo_mapping_table *table, solo_mapping *m, const solo_mapping_new *what) {
  m->flags = what->flags + table->number * SOLO_MAPPING_SHARD;
  m->name_at = what->name;
  /* relaxed: as in solo_names_copy */
  m->name_generation = (uint32_t)solo_load_relaxed(&solo_registry_generation);
  m->name = SOLO_UNLIKELY(what->name != NULL)
                ? solo_names_copy(&table->names, &table->memory, what->name)
                : NULL;
}

/* The first mappings receive the slots in turn, later mappings random slots. With turns only, a
 * program that cycles through more ranges than slots would evict each range before its next use. */
static uint32_t some_place(uint32_t given, uint32_t places) {
  uint64_t hash = solo_hint_hash(given);
  if (given < places) return given;
  return (uint32_t)((solo_hint_hash(hash ^ hash >> 29) >> 32) * places >> 32);
}

/* Removes from the index a cached, never reused mapping, and returns it with its block. Returns
 * NULL if there are free slots, the mapping is in use, or its block does not fit. */
static solo_mapping *recycle_cached(solo_mapping_table *table, uint64_t bytes) {
  uint32_t given = solo_load_relaxed(&table->trials);
  if (given < SOLO_CACHE_SLOT_TRIAL) return NULL;
  solo_store_relaxed(&table->trials, given + 1);
  uint32_t place = some_place(given, SOLO_CACHE_SLOT_TRIAL);
  solo_hints hints = solo_load_relaxed(&table->hints); /* relaxed: written under the lock */
  /* pairs with solo_mapping_enter_cache_slot() */
  solo_mapping *m = (solo_mapping *)solo_load_acquire(solo_cache_slot_at(hints, place));
  if (!m || m->keep_bytes < bytes || m->keep_bytes / 2 > bytes || !evictable(m, place)) return NULL;
  solo_mapping_unlink(table, m);
  return m;
}

/* Doubles hints and cache slots if they are too few for the index. First evicts all cached
 * mappings, also those without a slot. */
static void make_space(solo_mapping_table *table) {
  solo_hints hints = solo_load_relaxed(&table->hints);
  if (SOLO_LIKELY(2 * solo_index_count(table->index) < solo_hint_count(hints))) return;
  evict_all(table);
  (void)solo_mapping_table_grow_hints(table);
}

static solo_status put_in(solo_mapping_table *table, const solo_mapping_new *what, solo_mapping *m,
                          solo_index_range *out_clash) {
  solo_status status;
  uint64_t tag = solo_load_relaxed(&m->count) & ~(SOLO_COUNT_TAG_ONE - 1);
  SOLO_ASSERT(tag & SOLO_COUNT_OUT, "claim of a mapping that is in use");
  /* relaxed: a reader with an old hint to this mapping sees a word that is out of use */
  solo_store_relaxed(&m->count, tag + (SOLO_COUNT_CLAIMED - SOLO_COUNT_OUT));
  /* Invariant: a reader that has loaded a value stored below then loads CLAIMED or a later state word.
   * Ordering:  this release fence pairs with the acquire fences in try_acquire(),
   *            solo_mapping_acquire_present() and solo_mapping_holds().
   * Otherwise: a delayed reader could accept the new range together with the old state word.
   */
  solo_fence_release();
  solo_store_relaxed(&m->begin, what->begin);
  solo_store_relaxed(&m->end, what->end);
  solo_store_relaxed(&m->base, what->base);
  solo_mapping_fill(m, what);
  describe(table, m, what);
  solo_hints hints = solo_load_relaxed(&table->hints); /* relaxed: lock held */
  if (SOLO_UNLIKELY(solo_hints_have_distances(hints)))
    solo_hint_prefetch_distance(hints, what->begin);
  do status = solo_index_insert(table->index, what->begin, what->end, m, out_clash);
  while (status == SOLO_OVERLAP && evict(table, out_clash->value));
  if (status == SOLO_OK) solo_hint_put(hints, what->begin, m);
  return status;
}

static solo_index_range overlapping(const solo_mapping_table *table, const solo_mapping_new *what) {
  solo_index_neighbours place;
  solo_index_locate(table->index, what->begin, &place);
  if (place.floor.end > what->begin) return place.floor;
  if (place.ceiling.begin >= what->end) place.ceiling.value = NULL;
  return place.ceiling;
}

/* Evicts the cached mappings of shards that overlap a new range of the first table; SOLO_OVERLAP if
 * one is in use. The caller holds the first table's lock. */
static SOLO_COLD solo_status clear_shards(solo_mapping_table *table, const solo_mapping_new *what,
                                          solo_index_range *out_clash) {
  solo_status status = SOLO_OK;
  unsigned n = solo_shards_touched(what->begin, what->end), i = 0;
  solo_mapping_table *shard;
  while (status == SOLO_OK && (shard = solo_shard_next(table, what->begin, n, &i))) {
    solo_mapping_table_lock(shard);
    while ((*out_clash = overlapping(shard, what)).value && evict(shard, out_clash->value)) {
    }
    if (out_clash->value) status = SOLO_OVERLAP;
    solo_mapping_table_unlock(shard);
  }
  return status;
}

static solo_status claim_in(solo_mapping_table *table, const solo_mapping_new *what, uint64_t bytes,
                            solo_mapping **out_mapping, solo_index_range *out_clash) {
  make_space(table);
  solo_mapping *m;
  solo_status status = SOLO_OK;
  if (!what->block && bytes) {
    m = recycle_cached(table, bytes);
    if (!m) status = SOLO_NOT_FOUND;
  } else {
    m = solo_mapping_node_allocate(&table->nodes, &table->memory);
    if (!m) {
      status = SOLO_NOMEM;
    } else {
      m->block = what->block;
      m->keep_bytes = what->keep_bytes;
      solo_store_relaxed(&m->place, SOLO_CACHE_SLOT_NONE); /* relaxed: owned */
    }
  }
  if (SOLO_LIKELY(m != NULL)) {
    status = put_in(table, what, m, out_clash);
    /* relaxed: only compared with NULL */
    if (SOLO_UNLIKELY(solo_load_relaxed(&table->shards) != NULL) && status == SOLO_OK) {
      status = clear_shards(table, what, out_clash);
      if (status != SOLO_OK) solo_mapping_unlink(table, m);
    }
    if (SOLO_UNLIKELY(status != SOLO_OK)) {
      if (!what->block && m->block) table->free_block(table->context, m->block);
      solo_mapping_node_free(&table->nodes, m);
    }
  }
  *out_mapping = m;
  return status;
}

static SOLO_COLD solo_status claim_home(solo_mapping_table *table, const solo_mapping_new *what,
                                        uint64_t bytes, solo_mapping **out_mapping,
                                        solo_index_range *out_clash) {
  for (;;) {
    solo_mapping_table *home = solo_shard_for(table, what);
    solo_mapping *asleep = NULL;
    solo_status status = SOLO_OVERLAP;
    solo_mapping_table_lock(home);
    if (home != table) asleep = (*out_clash = overlapping(table, what)).value;
    if (!asleep)
      status = claim_in(home, what, bytes, out_mapping, out_clash);
    else if (!claim_cached(asleep))
      asleep = NULL;
    solo_mapping_table_unlock(home);
    if (!asleep) return status;
    /* after the unlock: the lock of the first table must be acquired before a shard's lock */
    solo_mapping_abandon(table, asleep);
  }
}

/* relaxed: `reach` only grows; the publication of a mapping makes the value visible to threads that
 * use the mapping */
static void note_reach(solo_mapping_table *table, const solo_mapping_new *what) {
  uintptr_t reach = what->base < what->begin ? what->begin - what->base : 0;
  uintptr_t most = solo_load_relaxed(&table->reach);
  while (SOLO_UNLIKELY(reach > most) && !solo_cas_relaxed(&table->reach, &most, reach)) {
  }
}

solo_status solo_mapping_claim(solo_mapping_table *table, const solo_mapping_new *what,
                               uint64_t bytes, solo_mapping **out_mapping,
                               solo_index_range *out_clash) {
  solo_status status;
  note_reach(table, what);
  /* relaxed: NULL selects the first table, which is always correct */
  if (SOLO_UNLIKELY(solo_load_relaxed(&table->shards) != NULL)) {
    status = claim_home(table, what, bytes, out_mapping, out_clash);
  } else {
    solo_lock_acquire(&table->lock);
    if (SOLO_UNLIKELY(table->inserter != solo_lock_mark)) solo_shards_note_change(table);
    status = claim_in(table, what, bytes, out_mapping, out_clash);
    solo_lock_release(&table->lock);
  }
  return status == SOLO_NOMEM ? solo_fail(SOLO_NOMEM, "no host memory for a mapping") : status;
}

solo_status solo_mapping_insert(solo_mapping_table *table, const solo_mapping_new *what,
                                solo_mapping **out_mapping, uint64_t *out_version,
                                solo_index_range *out_clash) {
  SOLO_TRY(solo_mapping_claim(table, what, 0, out_mapping, out_clash));
  /* relaxed: published by the next line */
  solo_store_relaxed(&(*out_mapping)->device, what->device);
  *out_version = solo_mapping_publish(*out_mapping, what->counts);
  return SOLO_OK;
}

void solo_mapping_abandon(solo_mapping_table *table, solo_mapping *m) {
  table = solo_mapping_table_of(table, m);
  solo_mapping_table_lock(table);
  free_claimed(table, m);
  solo_mapping_table_unlock(table);
}

void solo_mapping_note_device(solo_mapping_table *table, const solo_mapping *m) {
  table = solo_mapping_table_of(table, m);
  /* pairs with solo_mapping_table_grow_hints() */
  solo_hint_note_device(solo_load_acquire(&table->hints), m);
}

uint32_t solo_mapping_choose_cache_slot(solo_mapping_table *table, solo_hints hints,
                                        const solo_mapping *m) {
  /* relaxed, all: the values only select a slot */
  if (solo_load_relaxed(&m->place) == SOLO_CACHE_SLOT_NONE)
    return some_place(solo_add_relaxed(&table->trials, 1), SOLO_CACHE_SLOT_TRIAL);
  uint32_t rest = (uint32_t)solo_cache_slot_count(hints) - SOLO_CACHE_SLOT_TRIAL;
  uint32_t most = SOLO_CACHE_SLOT_BYTES / m->keep_bytes;
  if (rest > most) rest = most;
  return SOLO_CACHE_SLOT_TRIAL + some_place(solo_add_relaxed(&table->earned, 1), rest);
}

void solo_mapping_enter_cache_slot(solo_mapping_table *table, solo_hints hints, solo_mapping *m,
                                   uint32_t place) {
  /* Ordering:  this exchange pairs with the acquire load in recycle_cached().
   * Otherwise: a thread could read uninitialised members of m. */
  uintptr_t old = solo_exchange_acq_rel(solo_cache_slot_at(hints, place), (uintptr_t)m);
  if (!old || old == (uintptr_t)m) return;
  solo_mapping_table_lock(table);
  if (evictable((solo_mapping *)old, place)) free_claimed(table, (solo_mapping *)old);
  solo_mapping_table_unlock(table);
}
