/* The mapping table of mapping.h. */
#define _GNU_SOURCE
#include "runtime/table/mapping.h"

#include "runtime/base/early.h"
#include "runtime/base/log.h"
#include "runtime/table/shadow.h"
#include <sched.h>
#include <stdio.h>

enum {
  FIRST_MAPPINGS = 3,
  MOST_MAPPINGS = (2 << 20) / (int)sizeof(solo_mapping) - 1,
  SPINS = 64,
  IN_FLIGHT_POLL_NS = 50000,
  CHECKED_REMOVALS = 1024
};

/* Mappings, shadows and names are cut from these and go back to their free lists only. */
typedef struct solo_mapping_chunk {
  struct solo_mapping_chunk *next;
} solo_mapping_chunk;

solo_status solo_mapping_table_open(solo_mapping_table *table) {
  *table = (solo_mapping_table){.lock = SOLO_LOCK_INIT(SOLO_RANK_MAPPING)};
  return solo_index_create(&table->index);
}

typedef struct block_visit {
  void (*each)(void *context, solo_block *block);
  void *context;
} block_visit;

static void visit_block(void *context, solo_index_range range) {
  const block_visit *visit = context;
  const solo_mapping *m = range.value;
  if (m->block) visit->each(visit->context, m->block);
}

void solo_mapping_table_close(solo_mapping_table *table, void (*each)(void *context, solo_block *),
                              void *context) {
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
  block_visit visit = {each, context};
  if (table->index) {
    solo_index_each(table->index, visit_block, &visit);
    solo_index_destroy(table->index);
  }
  if (table->shadows) solo_index_destroy(table->shadows);
  while (table->chunks) {
    solo_mapping_chunk *next = table->chunks->next;
    solo_early_free(table->chunks);
    table->chunks = next;
  }
  *table = (solo_mapping_table){0};
}

/* With a cache line for the chunk's link. */
void *solo_mapping_table_memory(solo_mapping_table *table, size_t bytes) {
  char *memory = solo_early_alloc(SOLO_CACHE_LINE + bytes);
  if (!memory) return NULL;
  solo_mapping_chunk *chunk = (solo_mapping_chunk *)memory;
  chunk->next = table->chunks;
  table->chunks = chunk;
  return memory + SOLO_CACHE_LINE;
}

static solo_mapping *take_mapping(solo_mapping_table *table) {
  if (!table->free_mappings) {
    size_t n = table->chunk_mappings ? table->chunk_mappings : FIRST_MAPPINGS;
    solo_mapping *block = solo_mapping_table_memory(table, n * sizeof *block);
    if (!block) return NULL;
    table->chunk_mappings = 2 * n < MOST_MAPPINGS ? 2 * n : MOST_MAPPINGS;
    table->mappings_made += n;
    while (n-- > 0) {
      block[n].next = table->free_mappings;
      table->free_mappings = &block[n];
    }
  }
  solo_mapping *m = table->free_mappings;
  table->free_mappings = m->next;
  return m;
}

static void put_mapping(solo_mapping_table *table, solo_mapping *m) {
  m->next = table->free_mappings;
  table->free_mappings = m;
}

typedef enum { TAKEN, AGAIN, MISS, NOT_TAKEN } attempt;

/* Tries to take a reference to m as the mapping that overlaps [begin, begin + size). */
static attempt try_take(solo_mapping *m, const solo_request *r, solo_presence *out_presence,
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
  uint64_t count = solo_load_acquire(&m->count); /* pairs with solo_mapping_insert */
  /* relaxed: valid if the tag is still the same at the CAS or the second look below */
  uintptr_t first = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  uintptr_t base = solo_load_relaxed(&m->base);
  if (size == 0 ? !(begin >= first && begin < end) && !(begin >= base && begin < first)
                : !(begin < end && begin + size > first))
    return MISS;
  *out_presence = size && (begin < first || begin + size > end) ? SOLO_PARTIAL : SOLO_CONTAINED;
  if (!(count & SOLO_COUNT_LIVE)) {
    /* relaxed: equal only if this very construct wrote it */
    if (r->construct && solo_load_relaxed(&m->creator) == r->construct) return MISS;
    *out_presence = SOLO_LEAVING;
    return NOT_TAKEN;
  }
  *out_version = count;
  int infinite = ref == SOLO_REF_DYNAMIC && (count & SOLO_COUNT_DYNAMIC) == SOLO_COUNT_DYNAMIC;
  if (ref == SOLO_REF_NONE || infinite) {
    solo_fence_acquire(); /* orders the reads above before the second look; pairs with remove */
    return solo_load_relaxed(&m->count) / SOLO_COUNT_TAG_ONE == count / SOLO_COUNT_TAG_ONE ? TAKEN
                                                                                           : AGAIN;
  }
  /* a full counter (one below infinite for dynamic) cannot take one more */
  uint64_t full = ref == SOLO_REF_DYNAMIC ? SOLO_COUNT_DYNAMIC - 1 : masks[ref];
  if ((count & masks[ref]) >= full) {
    *out_presence = SOLO_FULL;
    return NOT_TAKEN;
  }
  /* pairs with insert and release */
  return solo_cas_acquire(&m->count, &count, count + ones[ref]) ? TAKEN : AGAIN;
}

solo_presence solo_mapping_try(solo_mapping_table *table, const solo_request *request,
                               solo_mapping **out_mapping, uint64_t *out_version) {
  for (;;) {
    solo_index_neighbours place;
    solo_index_locate(table->index, request->begin, &place);
    solo_mapping *candidates[2] = {place.floor.value, place.ceiling.value};
    attempt outcome = MISS;
    for (int i = 0; i < 2 && outcome == MISS; i++) {
      if (!candidates[i]) continue;
      solo_presence presence = SOLO_ABSENT;
      outcome = try_take(candidates[i], request, &presence, out_version);
      if (outcome != TAKEN && outcome != NOT_TAKEN) continue;
      *out_mapping = candidates[i];
      return presence;
    }
    /* A candidate that no longer overlaps was removed since the index named it: then there was an
     * instant without it, and absent is a right answer. */
    if (outcome == MISS) return SOLO_ABSENT;
  }
}

/* Has a mapping that overlaps been removed since its data was copied, or may one have? The lock is
 * held. */
static int was_there(const solo_mapping_table *table, const solo_mapping_new *what,
                     solo_index_range *out_clash) {
  uint64_t now = solo_load_relaxed(&table->removals); /* the lock orders it */
  uint64_t before = what->since - 1;
  if (now - before > SOLO_REMOVED_KEPT) return 1;
  for (uint64_t k = before; k < now; k++) {
    out_clash->begin = table->removed[k % SOLO_REMOVED_KEPT].begin;
    out_clash->end = table->removed[k % SOLO_REMOVED_KEPT].end;
    if (out_clash->begin < what->end && what->begin < out_clash->end) return 1;
  }
  return 0;
}

solo_status solo_mapping_insert(solo_mapping_table *table, const solo_mapping_new *what,
                                solo_mapping **out_mapping, uint64_t *out_version,
                                solo_index_range *out_clash) {
  solo_lock_acquire(&table->lock);
  /* relaxed: the lock orders it */
  if (what->since && SOLO_UNLIKELY(what->since != solo_load_relaxed(&table->removals) + 1) &&
      was_there(table, what, out_clash)) {
    solo_lock_release(&table->lock);
    return SOLO_OVERLAP;
  }
  solo_mapping *m = take_mapping(table);
  if (!m) {
    solo_lock_release(&table->lock);
    return solo_fail(SOLO_NOMEM, "no host memory for a mapping");
  }
  /* relaxed: published by the release store of count and by the index */
  solo_store_relaxed(&m->begin, what->begin);
  solo_store_relaxed(&m->end, what->end);
  solo_store_relaxed(&m->base, what->base);
  solo_store_relaxed(&m->device, what->device);
  solo_store_relaxed(&m->creator, what->creator);
  solo_store_relaxed(&m->data_state, what->data_state);
  m->block = what->block;
  m->name = SOLO_UNLIKELY(what->name != NULL) ? solo_names_copy(table, what->name) : NULL;
  m->flags = what->flags;
  solo_status status = solo_index_insert(table->index, what->begin, what->end, m, out_clash);
  SOLO_ASSERT(!(solo_load_relaxed(&m->count) & (SOLO_COUNT_TAG_ONE - 1)), /* nobody else's yet */
              "a free mapping has references");
  if (status == SOLO_OK) {
    uint64_t tag = solo_load_relaxed(&m->count) & ~(SOLO_COUNT_TAG_ONE - 1); /* lock held */
    *out_version = tag | what->counts;
    solo_store_release(&m->count, *out_version); /* pairs with acquire_present, try_take */
  } else {
    put_mapping(table, m);
  }
  solo_lock_release(&table->lock);
  *out_mapping = m;
  return status;
}

void solo_mapping_data_ready(solo_mapping *m) {
  /* release: the data is on the device; pairs with solo_mapping_wait_data */
  if (solo_exchange_release(&m->data_state, SOLO_DATA_READY) == SOLO_DATA_AWAITED)
    solo_futex_wake(&m->data_state, INT32_MAX);
}

void solo_mapping_data_enqueued(solo_mapping *m) {
  if (solo_load_relaxed(&m->data_state) == SOLO_DATA_ENQUEUED)
    return; /* its maker alone writes that */
  /* release: the event to wait for is recorded; pairs with solo_mapping_wait_data */
  if (solo_exchange_release(&m->data_state, SOLO_DATA_ENQUEUED) == SOLO_DATA_AWAITED)
    solo_futex_wake(&m->data_state, INT32_MAX);
}

void solo_mapping_wait_data(solo_mapping *m) {
  for (;;) {
    uint32_t data_state = solo_load_acquire(
        &m->data_state); /* pairs with solo_mapping_data_ready and solo_mapping_data_enqueued */
    if (data_state == SOLO_DATA_READY || data_state == SOLO_DATA_ENQUEUED) return;
    /* relaxed: only announces a sleeper; the word is re-read before every sleep */
    if (data_state == SOLO_DATA_PENDING &&
        !solo_cas_relaxed(&m->data_state, &data_state, SOLO_DATA_AWAITED))
      continue;
    solo_futex_wait(&m->data_state, SOLO_DATA_AWAITED, 0);
  }
}

/* Infinite mappings are never in flight: they leave with their library only. */
SOLO_INLINE solo_released release(solo_mapping *m, uint64_t version, solo_ref ref, solo_release how,
                                  uint64_t use) {
  const uint64_t mask = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD : SOLO_COUNT_DYNAMIC;
  const uint64_t one = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_DYNAMIC_ONE;
  uint64_t count = solo_load_relaxed(&m->count); /* the CAS decides */
  for (;;) {
    uint64_t mine = count & mask;
    uint64_t next = how == SOLO_RELEASE_ALL ? count & ~mask : count - one;
    if (!solo_version_fits(version, count) || !(count & SOLO_COUNT_LIVE)) return SOLO_RELEASED_GONE;
    if (ref != SOLO_REF_HOLD && mine == SOLO_COUNT_DYNAMIC) return SOLO_RELEASED;
    if (mine == 0) next = count; /* nothing is ours, but the other kind keeps it */
    if (next & SOLO_COUNT_LIVE) {
      if (use && (count & SOLO_COUNT_IN_FLIGHT) == SOLO_COUNT_IN_FLIGHT) return SOLO_RELEASED_NOT;
      next += use;
    }
    /* acq_rel: releases this thread's use of the mapping, acquires the others' to close it; pairs
     * with itself in other threads and with the acquires of a later incarnation */
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
  /* release: the work is done; pairs with the acquire in solo_mapping_remove */
  uint64_t count = solo_sub_release(&m->count, SOLO_COUNT_IN_FLIGHT_ONE);
  SOLO_ASSERT(count & SOLO_COUNT_IN_FLIGHT, "work in flight ends that was never counted");
  (void)count;
}

/* The lock is held; the mapping is CLOSING and no work in flight uses it. */
static void take_out(solo_mapping_table *table, solo_mapping *m) {
  SOLO_ASSERT(!(solo_load_relaxed(&m->count) & SOLO_COUNT_LIVE), /* own: CLOSING is for good */
              "a mapping that somebody holds is removed");
  uintptr_t begin = solo_load_relaxed(&m->begin);          /* own: constant until below */
  uint64_t removals = solo_load_relaxed(&table->removals); /* the lock orders it */
  table->removed[removals % SOLO_REMOVED_KEPT].begin = begin;
  table->removed[removals % SOLO_REMOVED_KEPT].end = solo_load_relaxed(&m->end); /* own */
  solo_store_release(&table->removals, removals + 1); /* pairs with solo_mapping_removals */
  solo_index_remove(table->index, begin);
  if (solo_load_relaxed(&m->shadow_count)) solo_shadow_drop(table, m); /* the lock orders it */
  m->block = NULL;
  uint64_t count = solo_load_relaxed(&m->count); /* own: both counts are zero */
  /* release: readers of the old incarnation see the new tag; pairs with try_take's second look */
  solo_store_release(&m->count, (count | (SOLO_COUNT_TAG_ONE - 1)) + 1);
  put_mapping(table, m);
}

/* The check variants look at the whole table every so often; the lock is held. */
static void check_sometimes(const solo_mapping_table *table) {
  SOLO_ASSERT_SOUND(solo_load_relaxed(&table->removals) %
                            CHECKED_REMOVALS /* written under the lock */
                        ? NULL
                        : solo_mapping_table_check(table));
  (void)table;
}

solo_block *solo_mapping_remove(solo_mapping_table *table, solo_mapping *m) {
  /* acquire: pairs with solo_mapping_drop_in_flight. Others' enqueued work may take as long as a kernel. */
  for (unsigned turns = 0; solo_load_acquire(&m->count) & SOLO_COUNT_IN_FLIGHT; turns++) {
    if (turns < SPINS)
      solo_cpu_relax();
    else if (turns < 2 * SPINS)
      sched_yield();
    else
      solo_futex_wait(&m->data_state, solo_load_relaxed(&m->data_state),
                      IN_FLIGHT_POLL_NS); /* a timed sleep */
  }
  solo_block *block = m->block;
  solo_lock_acquire(&table->lock);
  take_out(table, m);
  check_sometimes(table);
  solo_lock_release(&table->lock);
  return block;
}

/* The infinite mapping of this kind that begins at begin; the lock is held. */
static solo_mapping *find_infinite(solo_mapping_table *table, uintptr_t begin, uint32_t flag) {
  solo_mapping *m = solo_index_find(table->index, begin);
  return m && solo_load_relaxed(&m->begin) == begin && (m->flags & flag) ? m : NULL; /* lock held */
}

solo_status solo_mapping_disassociate(solo_mapping_table *table, uintptr_t begin) {
  solo_lock_acquire(&table->lock);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_ASSOCIATED);
  if (!m) {
    m = solo_index_find(table->index, begin);
    /* relaxed: what the count is at some time during the call */
    int held = m && (solo_load_relaxed(&m->count) & SOLO_COUNT_HOLD);
    solo_lock_release(&table->lock);
    return held ? SOLO_INVALID : SOLO_NOT_FOUND;
  }
  uint64_t count = solo_load_relaxed(&m->count); /* the CAS decides */
  for (;;) {
    if ((count & SOLO_COUNT_HOLD) || (count & SOLO_COUNT_IN_FLIGHT)) {
      solo_lock_release(&table->lock);
      return SOLO_INVALID;
    }
    /* acq_rel: as in solo_mapping_release */
    if (solo_cas_acq_rel(&m->count, &count, count & ~SOLO_COUNT_LIVE)) break;
  }
  take_out(table, m);
  solo_lock_release(&table->lock);
  return SOLO_OK;
}

int solo_mapping_remove_global(solo_mapping_table *table, uintptr_t begin, solo_devptr device) {
  solo_lock_acquire(&table->lock);
  solo_mapping *m = find_infinite(table, begin, SOLO_MAPPING_GLOBAL);
  if (m && solo_load_relaxed(&m->device) != device) m = NULL; /* lock held: constant */
  if (m) solo_and_acq_rel(&m->count, ~SOLO_COUNT_LIVE); /* closing; as in solo_mapping_release */
  solo_lock_release(&table->lock);
  if (!m) return 0;
  solo_block *none = solo_mapping_remove(table, m);
  (void)none; /* its memory is the image's */
  return 1;
}

typedef struct orphans {
  int (*mine)(uint64_t creator);
  solo_mapping *first;
} orphans;

static void find_orphan(void *context, solo_index_range range) {
  orphans *o = context;
  solo_mapping *m = range.value;
  /* relaxed: the child has one thread */
  uint64_t count = solo_load_relaxed(&m->count) & ~SOLO_COUNT_IN_FLIGHT;
  solo_store_relaxed(&m->count, count);
  if ((count & SOLO_COUNT_LIVE) && solo_load_relaxed(&m->data_state) == SOLO_DATA_READY) return;
  if (o->mine(solo_load_relaxed(&m->creator))) return;
  m->next = o->first;
  o->first = m;
}

void solo_mapping_forked(solo_mapping_table *table, int (*mine)(uint64_t creator),
                         void (*each)(void *context, solo_block *), void *context) {
  orphans o = {mine, NULL};
  if (!table->index) return;
  solo_index_each(table->index, find_orphan, &o);
  while (o.first) {
    solo_mapping *m = o.first;
    solo_block *block = m->block;
    o.first = m->next;
    solo_lock_acquire(&table->lock);
    take_out(table, m);
    solo_lock_release(&table->lock);
    if (block) each(context, block);
  }
  SOLO_ASSERT_SOUND(solo_mapping_table_check(table));
}

typedef struct dump {
  int device;
  solo_declaration *declaration;
} dump;

static void dump_one(void *context, solo_index_range range) {
  const solo_mapping *m = range.value;
  const dump *d = context;
  uint64_t count = solo_load_relaxed(&m->count); /* a snapshot for people */
  char dynamic[24];
  if ((count & SOLO_COUNT_DYNAMIC) == SOLO_COUNT_DYNAMIC)
    snprintf(dynamic, sizeof dynamic, "INF");
  else
    snprintf(dynamic, sizeof dynamic, "%u", (unsigned)(count & SOLO_COUNT_DYNAMIC));
  solo_print_line("omptarget device %d info: 0x%016lx 0x%016llx %-8zu %-11s %-12u %s", d->device,
                  (unsigned long)range.begin,
                  (unsigned long long)solo_load_relaxed(&m->device), /* likewise */
                  (size_t)(range.end - range.begin), dynamic,
                  (unsigned)((count & SOLO_COUNT_HOLD) / SOLO_COUNT_HOLD_ONE),
                  d->declaration ? d->declaration(m->name)
                  : m->name      ? m->name
                                 : "unknown");
}

void solo_mapping_dump(solo_mapping_table *table, int device, const char *at,
                       solo_declaration *declaration) {
  dump d = {device, declaration};
  solo_print_line("omptarget device %d info: OpenMP Host-Device pointer mappings%s%s%s", device,
                  at ? " after block at " : "", at ? at : "", at ? ":" : "");
  solo_print_line("omptarget device %d info: %-18s %-18s %-8s %-11s %-12s %s", device, "Host Ptr",
                  "Target Ptr", "Size (B)", "DynRefCount", "HoldRefCount", "Declaration");
  solo_lock_acquire(&table->lock);
  solo_index_each(table->index, dump_one, &d);
  solo_lock_release(&table->lock);
}
