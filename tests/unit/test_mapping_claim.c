/* Description: checks cached mappings: lookups ignore them, only the same range revives them, and
 * overlapping ranges evict them. Threads with overlapping ranges use a table with fewer cache slots
 * than ranges, without and with shards. */
#include "runtime/table/claim.h"
#include "runtime/table/sharding.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { KEEP = 256, BASE = 1 << 20, GRANULE = 1 << SOLO_GRANULE_BITS };
/* bytes of each block, which count against the limit of cached memory */
static uint32_t keep = KEEP;
static size_t tables = 1; /* mapping tables in use; each caches up to the limit */

/* The address of a block is an address in this array. out[] is 1 while the block is allocated. */
static char blocks[1 << 16];
static _Atomic int out[1 << 16];
static _Atomic int next_block, blocks_out;
static solo_mapping_table table;

static _Atomic int wrong; /* CHECK is not thread-safe */
#define SHOULD(x)                                                                                  \
  ((x) ? 0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), solo_add_relaxed(&wrong, 1)))

static solo_block *take(void) {
  int i = solo_add_relaxed(&next_block, 1) & ((1 << 16) - 1);
  SHOULD(!solo_exchange_relaxed(&out[i], 1));
  solo_add_relaxed(&blocks_out, 1);
  return (solo_block *)&blocks[i];
}

static void give(void *context, solo_block *block) {
  SHOULD(context == &table && block);
  if (!block) return;
  SHOULD(solo_exchange_relaxed(&out[(char *)block - blocks], 0) == 1);
  solo_sub_relaxed(&blocks_out, 1);
}

static solo_mapping_new range(uintptr_t begin, uintptr_t bytes) {
  return (solo_mapping_new){
      .begin = begin, .end = begin + bytes, .base = begin, .creator = 1, .keep_bytes = keep};
}

/* Maps the range with one reference, as map/begin.c does. Returns NULL if it overlaps a mapping in
 * use. */
static solo_mapping *enter(uintptr_t begin, uintptr_t bytes, uint64_t *out_version,
                           int *out_revived) {
  solo_mapping_new what = range(begin, bytes);
  solo_index_range clash;
  solo_mapping *m = solo_mapping_reuse(&table, &what);
  *out_revived = m != NULL;
  if (!m) {
    solo_status status = solo_mapping_claim(&table, &what, bytes, &m, &clash);
    if (status == SOLO_NOT_FOUND) {
      what.block = take();
      status = solo_mapping_claim(&table, &what, 0, &m, &clash);
      if (status != SOLO_OK) give(&table, what.block);
    }
    if (status != SOLO_OK) return NULL;
  }
  SHOULD(m->block && solo_load_relaxed(&m->begin) == begin);
  *out_version = solo_mapping_publish(m, SOLO_COUNT_DYNAMIC_ONE);
  return m;
}

static void leave(solo_mapping *m, uint64_t version, int keep) {
  if (solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) != SOLO_RELEASED_LAST)
    return;
  if (keep && solo_mapping_cache(&table, m)) return;
  give(&table, solo_mapping_remove(&table, m));
}

static solo_presence look(uintptr_t begin, uintptr_t bytes) {
  const solo_request request = {begin, bytes, SOLO_REF_NONE, 0};
  solo_mapping *m;
  uint64_t version;
  return solo_mapping_try(&table, &request, &m, &version);
}

/* Checks the lookups of omp_get_mapped_ptr. Returns whether the lookups find these bytes in m. If
 * the bytes begin where m begins, the hint alone must find m. */
static int holds(const solo_mapping *m, uintptr_t begin, uintptr_t bytes) {
  const solo_mapping *at_once = solo_mapping_find_by_hint(&table, begin, bytes);
  const solo_mapping *found = solo_mapping_containing(&table, begin, bytes);
  if (solo_mapping_has_shards(&table)) {
    SHOULD(!at_once);
    at_once = solo_mapping_find_in_shard_hints(&table, begin, bytes);
  }
  SHOULD(!at_once || at_once == found);
  if (found && begin == solo_load_relaxed(&found->begin))
    SHOULD(at_once || (tables > 1 && found->flags < SOLO_MAPPING_SHARD));
  return m && found == m;
}

static void check_whole(size_t mappings) {
  CHECK(solo_mapping_table_check(&table) == NULL);
  CHECK_INT(solo_mapping_table_count(&table), mappings);
  CHECK_INT(solo_load_relaxed(&blocks_out), mappings);
}

/* Maps and unmaps the range, which is then cached. Returns whether the map revived a cached
 * mapping. */
static int map_and_unmap(uintptr_t begin, uintptr_t bytes) {
  uint64_t version;
  int revived;
  solo_mapping *m = enter(begin, bytes, &version, &revived);
  CHECK(m != NULL);
  if (m) leave(m, version, 1);
  return revived;
}

static void test_caching(void) {
  uint64_t version, other_version;
  int revived;
  solo_mapping *m = enter(BASE, 64, &version, &revived);
  CHECK(m && !revived && look(BASE + 8, 8) == SOLO_CONTAINED);
  CHECK(holds(m, BASE, 64) && holds(m, BASE + 63, 1) && !holds(m, BASE, 65));
  CHECK(!holds(m, BASE - 1, 1) && !holds(m, BASE + 64, 1) && !holds(m, 0, 1));
  leave(m, version, 1);
  check_whole(1);
  CHECK(look(BASE, 64) == SOLO_ABSENT && look(BASE + 8, 0) == SOLO_ABSENT);
  CHECK(!solo_mapping_find_by_hint(&table, BASE, 1) && !solo_mapping_containing(&table, BASE, 1));
  CHECK(!solo_mapping_acquire_present(&table, BASE, 64, SOLO_COUNT_DYNAMIC_ONE, &other_version));
  CHECK(enter(BASE, 64, &version, &revived) == m && revived); /* the cached mapping is revived */
  CHECK(look(BASE, 64) == SOLO_CONTAINED && look(BASE, 65) == SOLO_PARTIAL);
  CHECK(!enter(BASE + 32, 64, &other_version, &revived)); /* overlaps m, which is in use */
  leave(m, version, 1);
  m = enter(BASE, 32, &version, &revived);
  /* another size does not revive m */
  CHECK(m && !revived && solo_load_relaxed(&m->end) == BASE + 32);
  leave(m, version, 1);
  solo_mapping *wider = enter(BASE + 16, 64, &version, &revived);
  CHECK(wider && !revived); /* the overlapping cached mapping was evicted */
  check_whole(1);
  leave(wider, version, 0);
  check_whole(0);
}

/* The hint of an address may refer to a mapping at another address with the same hash. */
static void test_hint_of_another(void) {
  uint64_t version;
  int revived, below = 0, above = 0;
  enum { FAR = BASE / 2 };
  solo_mapping *m = enter(BASE, 64, &version, &revived);
  solo_hints hints = solo_load_relaxed(&table.hints);
  solo_hint_place own = solo_hint_place_of(hints, BASE);
  for (uintptr_t other = BASE - FAR; other < BASE + FAR; other += 8) {
    solo_hint_place place = solo_hint_place_of(hints, other);
    if (other == BASE || place.pair != own.pair || place.mark != own.mark) continue;
    CHECK(!solo_mapping_find_by_hint(&table, other, 1) &&
          !solo_mapping_containing(&table, other, 1));
    *(other < BASE ? &below : &above) += 1;
  }
  CHECK(m && below && above);
  leave(m, version, 0);
  check_whole(0);
}

/* A search finds the mapping in use after any number of cached mappings. */
static void test_hidden(void) {
  uint64_t last_version;
  int revived;
  for (uintptr_t i = 0; i < 4; i++) (void)map_and_unmap(BASE + 100 * i, 50);
  solo_mapping *last = enter(BASE + 400, 50, &last_version, &revived);
  CHECK(look(BASE + 10, 380) == SOLO_ABSENT && look(BASE + 10, 391) == SOLO_PARTIAL);
  leave(last, last_version, 0);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* Maps more ranges than there are cache slots, each range once. New mappings reuse the memory of
 * cached mappings. */
static void test_fresh(void) {
  int before = solo_load_relaxed(&next_block);
  for (uintptr_t i = 0; i < 1000; i++) CHECK(!map_and_unmap(BASE + 128 * i, 128));
  /* blocks are allocated until all slots are occupied */
  size_t taken = (size_t)(solo_load_relaxed(&next_block) - before);
  CHECK(taken <= 8 * SOLO_CACHE_SLOT_TRIAL * tables);
  size_t stayed = solo_mapping_table_count(&table);
  CHECK(stayed > 0 && stayed <= SOLO_CACHE_SLOT_TRIAL * tables);
  check_whole(stayed);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* Maps many ranges repeatedly. As many mappings stay cached as there are slots. */
static void test_many(void) {
  int again = 0;
  for (int round = 0; round < 4; round++)
    for (uintptr_t i = 0; i < 2000; i++)
      for (int thrice = 0; thrice < 3; thrice++) again += map_and_unmap(BASE + 128 * i, 64);
  CHECK(again >= 4 * 2000 * 2);
  CHECK(solo_mapping_table_check(&table) == NULL);
  CHECK(solo_mapping_table_count(&table) <= SOLO_CACHE_SLOT_MAX * tables);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* If blocks are large, fewer mappings stay cached, because their memory is limited. */
static void test_large(void) {
  keep = 1 << 20;
  for (uintptr_t i = 0; i < 200; i++)
    for (int thrice = 0; thrice < 3; thrice++) (void)map_and_unmap(BASE + 128 * i, 64);
  size_t stayed = solo_mapping_table_count(&table);
  CHECK(stayed > SOLO_CACHE_SLOT_TRIAL &&
        stayed <= (SOLO_CACHE_SLOT_TRIAL + SOLO_CACHE_SLOT_BYTES / keep) * tables);
  keep = KEEP;
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* Maps a list with more ranges than there are trial slots, repeatedly. Eventually every range is
 * revived. */
static void test_lists(void) {
  enum { RANGES = 3 * SOLO_CACHE_SLOT_TRIAL / 2, ROUNDS = 400 };
  solo_mapping *m[RANGES];
  uint64_t version[RANGES];
  int again = 0;
  for (int round = 0; round < ROUNDS; round++) {
    again = 0;
    for (uintptr_t i = 0; i < RANGES; i++) {
      int revived;
      m[i] = enter(BASE + 128 * i, 64, &version[i], &revived);
      CHECK(m[i] != NULL);
      again += revived;
    }
    for (int i = 0; i < RANGES; i++) leave(m[i], version[i], 1);
  }
  CHECK_INT(again, RANGES);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

static void make_shards(void) {
  while (!solo_load_relaxed(&table.shards)) solo_shards_note_change(&table);
  tables = 6;
}

/* Mappings within a shard and across its border exclude each other, in either order. */
static void test_borders(void) {
  uint64_t version, other;
  int revived;
  const uintptr_t border = BASE + GRANULE;
  solo_mapping *in = enter(border + 64, 64, &version, &revived);
  CHECK(in && in->flags / SOLO_MAPPING_SHARD != 0);
  CHECK(!enter(border - 64, 192, &other, &revived)); /* overlaps a mapping in use in a shard */
  CHECK(look(border - 64, 192) == SOLO_PARTIAL && look(border - 64, 128) == SOLO_ABSENT);
  CHECK(look(border - 8 * GRANULE, 400 * GRANULE) == SOLO_PARTIAL);
  leave(in, version, 1);
  /* evicts the cached mapping of the shard */
  solo_mapping *across = enter(border - 64, 192, &version, &revived);
  CHECK(across && !revived && across->flags / SOLO_MAPPING_SHARD == 0);
  check_whole(1);
  /* overlaps a mapping in use in the first table */
  CHECK(!enter(border + 64, 64, &other, &revived));
  CHECK(look(border + 64, 64) == SOLO_CONTAINED && look(border + 100, 64) == SOLO_PARTIAL);
  leave(across, version, 1);
  in = enter(border + 64, 64, &version, &revived);
  CHECK(in && !revived);
  check_whole(1);
  leave(in, version, 1);
  CHECK(map_and_unmap(border + 64, 64));
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* Replaces the indices by empty indices. Hints alone must find each begin address, in the first
 * table and in a shard with enlarged hints. */
static void test_hints_alone(void) {
  enum { RANGES = 200 };
  solo_mapping *m[RANGES];
  uint64_t version[RANGES];
  int revived, by_hint = 0;
  for (uintptr_t i = 0; i < RANGES; i++) {
    m[i] = enter(BASE + 64 * i, 64, &version[i], &revived);
    CHECK(m[i] && m[i]->flags >= SOLO_MAPPING_SHARD);
  }
  uint64_t across_version;
  const uintptr_t across_at = BASE + GRANULE - 64;
  solo_mapping *across = enter(across_at, 128, &across_version, &revived);
  CHECK(across && across->flags < SOLO_MAPPING_SHARD);
  solo_mapping_table *shard = solo_mapping_table_of(&table, m[0]);
  solo_index *index = table.index, *shard_index = shard->index, *none = NULL;
  CHECK(shard != &table && solo_index_create(&none) == SOLO_OK);
  CHECK(solo_hint_count(solo_load_relaxed(&shard->hints)) >= 2 * RANGES);
  table.index = shard->index = none;
  for (uintptr_t i = 0; i < RANGES; i++)
    by_hint += solo_mapping_find(&table, BASE + 64 * i) == m[i] && holds(m[i], BASE + 64 * i, 64);
  /* a few ranges have no hint, because a set of hints is full (hints.h) */
  CHECK(by_hint >= RANGES - RANGES / 50);
  CHECK(solo_mapping_find(&table, across_at) == across);
  table.index = index;
  shard->index = shard_index;
  solo_index_destroy(none);
  for (int i = 0; i < RANGES; i++) leave(m[i], version[i], 0);
  leave(across, across_version, 0);
  check_whole(0);
}

/* A lookup without a size finds the next mapping in use after the address, if the base of the
 * mapping is not above the address. A cached mapping is not revived with another base. */
static void test_base(void) {
  for (uintptr_t i = 0; i < 9; i++) map_and_unmap(BASE + 2 * GRANULE + 64 * i, 64);
  map_and_unmap(BASE + 5 * GRANULE, 64);
  CHECK(look(BASE + GRANULE, 0) == SOLO_ABSENT);
  solo_mapping_new what = range(BASE + 5 * GRANULE, 64);
  solo_index_range clash;
  solo_mapping *m;
  uint64_t version;
  what.base = BASE + GRANULE;
  what.counts = SOLO_COUNT_DYNAMIC_ONE;
  CHECK(!solo_mapping_reuse(&table, &what));
  what.block = take();
  CHECK(solo_mapping_insert(&table, &what, &m, &version, &clash) == SOLO_OK);
  CHECK(look(BASE + GRANULE, 0) == SOLO_CONTAINED && look(BASE + 4 * GRANULE, 0) == SOLO_CONTAINED);
  CHECK(look(BASE + GRANULE - 1, 0) == SOLO_ABSENT && look(BASE + GRANULE, 1) == SOLO_ABSENT);
  leave(m, version, 0);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

/* Mappings with an infinite count are in the first table. */
static void test_infinite(void) {
  solo_mapping_new what = range(BASE, 64);
  solo_index_range clash;
  solo_mapping *m;
  uint64_t version;
  int revived;
  what.counts = SOLO_COUNT_DYNAMIC;
  what.flags = SOLO_MAPPING_ASSOCIATED;
  CHECK(solo_mapping_insert(&table, &what, &m, &version, &clash) == SOLO_OK);
  CHECK(solo_mapping_disassociate(&table, BASE) == SOLO_OK);
  m = enter(BASE, 64, &version, &revived);
  CHECK(solo_mapping_disassociate(&table, BASE) == SOLO_NOT_FOUND);
  leave(m, version, 0);
  check_whole(0);
}

static int is_construct_1(uint64_t id) {
  return id == 1;
}

/* Simulates a fork in a thread of construct 1, which created a mapping. At the fork, another thread
 * is closing the mapping, this thread is closing the mapping, or this thread is filling it. */
static void test_forked(void) {
  uint64_t version;
  int revived;
  static const struct {
    uint64_t closer; /* construct that closes the mapping; 0: not yet recorded */
    int stays;
  } cases[] = {{0, 0}, {2, 0}, {1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    solo_mapping *m = enter(BASE, 64, &version, &revived);
    CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
          SOLO_RELEASED_LAST);
    if (cases[i].closer) solo_store_relaxed(&m->creator, solo_closer(cases[i].closer));
    solo_mapping_forked(&table, is_construct_1);
    CHECK(look(BASE, 64) == (cases[i].stays ? SOLO_LEAVING : SOLO_ABSENT));
    if (cases[i].stays) give(&table, solo_mapping_remove(&table, m));
    check_whole(0);
  }
  solo_mapping_new what = range(BASE, 64);
  solo_index_range clash;
  solo_mapping *m;
  what.block = take();
  CHECK(solo_mapping_claim(&table, &what, 0, &m, &clash) == SOLO_OK);
  solo_mapping_forked(&table, is_construct_1);
  leave(m, solo_mapping_publish(m, SOLO_COUNT_DYNAMIC_ONE), 0);
  check_whole(0);
}

enum { THREADS = 4, TURNS = 10000, CELLS = 96, CELL = 64 };
/* on both sides of the border between two shards */
enum { CELLS_AT = BASE + GRANULE - CELLS / 2 * CELL };
/* Not atomic, so that ThreadSanitizer checks whether the state word orders the accesses. */
static solo_mapping *mapped_by[CELLS];

static void hold(solo_mapping *m, uintptr_t first, uintptr_t cells) {
  for (uintptr_t i = first; i < first + cells; i++) {
    SHOULD(!mapped_by[i]);
    mapped_by[i] = m;
  }
  if (first % 3 == 0) sched_yield();
  for (uintptr_t i = first; i < first + cells; i++) {
    SHOULD(mapped_by[i] == m);
    mapped_by[i] = NULL;
  }
}

static void *work(void *which) {
  uint64_t state = 88172645463325252u + (uintptr_t)which * 977;
  for (int i = 0; i < TURNS; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uintptr_t first = state % CELLS, cells = 1 + (state >> 20) % 3, begin = CELLS_AT + CELL * first;
    if (first + cells > CELLS) cells = 1;
    uint64_t version;
    int revived;
    solo_mapping *m;
    switch ((state >> 40) % 8) {
    case 0:
      m = solo_mapping_acquire_present(&table, begin, CELL, SOLO_COUNT_DYNAMIC_ONE, &version);
      if (!m) break;
      SHOULD(solo_load_relaxed(&m->begin) <= begin && begin + CELL <= solo_load_relaxed(&m->end));
      leave(m, version, 1);
      break;
    case 1:
      (void)look(begin + 1, CELL * cells);
      break;
    case 2:
      if (i % 64 == 0) solo_mapping_evict_all(&table);
      break;
    default:
      m = enter(begin, CELL * cells, &version, &revived);
      if (!m) break;
      hold(m, first, cells);
      leave(m, version, (state >> 50) % 16 != 0);
    }
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t t[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  CHECK(solo_mapping_table_check(&table) == NULL);
  solo_mapping_evict_all(&table);
  check_whole(0);
}

static void test_all(void) {
  test_caching();
  test_hint_of_another();
  test_hidden();
  test_fresh();
  test_lists();
  test_many();
  test_large();
  test_base();
  test_infinite();
  test_forked();
  test_threads();
}

int main(void) {
  CHECK(solo_mapping_table_open(&table, give, &table) == SOLO_OK);
  test_all(); /* the last part of test_all() creates shards, so the next call runs with shards */
  make_shards();
  test_all();
  test_borders();
  test_hints_alone();
  solo_mapping_table_close(&table);
  CHECK_INT(solo_load_relaxed(&blocks_out), 0);
  CHECK_INT(solo_load_relaxed(&wrong), 0);
  return TEST_RESULT();
}
