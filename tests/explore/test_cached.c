/* Description: explores cached mappings that are revived and evicted without a common lock
 * (runtime/table/claim.h). Each thread that owns a mapping observes the writes of the previous
 * owner, and a reader never confuses two uses of one mapping. */
#include "runtime/table/claim.h"
#include "tests/explore/explore.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, BLOCKS = 2 };
#define LOW  0x1000
#define HERE 0x2000
static solo_mapping_table table;
static int is_open, ended;
static solo_mapping *mapping[BLOCKS];
static uint64_t version[BLOCKS];
static uint64_t data[BLOCKS];
static int given[BLOCKS];
static const uintptr_t begins[BLOCKS] = {HERE, LOW};

/* The table stores these addresses of blocks and does not dereference them. */
static solo_block *block_of(int i) {
  return (solo_block *)&data[i];
}

static solo_mapping_new wanted(int i) {
  return (solo_mapping_new){.begin = begins[i],
                            .end = begins[i] + SIZE,
                            .base = begins[i],
                            .block = block_of(i),
                            .counts = SOLO_COUNT_DYNAMIC_ONE,
                            .keep_bytes = SIZE};
}

/* Frees the block of an evicted mapping, which the evicting thread owns. */
static void give(void *context, solo_block *block) {
  (void)context;
  int i = (int)((uint64_t *)block - data);
  given[i]++;
  if (explore_self() < 0) return;
  explore_check(given[i] == 1, "a block is freed twice");
  explore_write(&data[i], explore_read(&data[i]) + 1);
}

static void map(int i) {
  solo_mapping_new what = wanted(i);
  solo_index_range clash;
  if (solo_mapping_insert(&table, &what, &mapping[i], &version[i], &clash) != SOLO_OK) abort();
}

/* Releases the last reference and caches the mapping. */
static void unmap(int i) {
  explore_check(solo_mapping_release(mapping[i], version[i], SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
                    SOLO_RELEASED_LAST,
                "the release is not the last");
  explore_check(solo_mapping_cache(&table, mapping[i]), "the mapping is not cached");
}

static void begin(void) {
  if (is_open) {
    solo_lock_init(&table.lock, SOLO_RANK_MAPPING); /* an abandoned run may hold the lock */
    solo_mapping_table_close(&table);
  }
  if (solo_mapping_table_open(&table, give, NULL) != SOLO_OK) abort();
  is_open = 1;
  memset(data, 0, sizeof data);
  memset(given, 0, sizeof given);
  ended = 0;
  map(0);
}

static void begin_cached(void) {
  begin();
  unmap(0);
}

/* A read and a write of plain data. The search reports concurrent owners and missed writes of the
 * previous owner. */
static void use(int i) {
  explore_write(&data[i], explore_read(&data[i]) + 1);
}

static void sleeper(void) {
  use(0);
  unmap(0);
  ended++;
}

static void reviver(void) {
  solo_mapping_new what = wanted(0);
  solo_mapping *m = solo_mapping_reuse(&table, &what);
  if (m) {
    explore_check(m == mapping[0], "another mapping is revived");
    use(0);
    version[0] = solo_mapping_publish(m, what.counts);
    unmap(0);
  }
  ended++;
}

static void evictor(void) {
  solo_mapping_evict_all(&table);
  ended++;
}

static void end_of(int threads, int blocks) {
  if (ended != threads) return;
  solo_mapping_evict_all(&table);
  for (int i = 0; i < blocks; i++) explore_finished(given[i] == 1, "a block is lost");
}

static void end_of_two(void) {
  end_of(2, 1);
}

static void end_of_three(void) {
  end_of(3, 1);
}

/* HERE is cached in its cache slot, and LOW is in use. When LOW is released,
 * solo_mapping_choose_cache_slot() returns the slot of HERE, and HERE is evicted. */
static void begin_places(void) {
  begin_cached();
  map(1);
  solo_hints hints = solo_load_relaxed(&table.hints);
  uint32_t place = solo_load_relaxed(&mapping[0]->place);
  uint32_t turn = SOLO_CACHE_SLOT_TRIAL;
  for (;; turn++) {
    solo_store_relaxed(&table.trials, turn);
    if (solo_mapping_choose_cache_slot(&table, hints, mapping[1]) == place) break;
  }
  solo_store_relaxed(&table.trials, turn);
}

static void sleeper_at_its_place(void) {
  use(1);
  unmap(1);
  ended++;
}

static void end_of_places(void) {
  end_of(2, 2);
}

static void begin_in_flight(void) {
  begin();
  solo_add_relaxed(&mapping[0]->count, SOLO_COUNT_IN_FLIGHT_ONE);
}

static void worker(void) {
  use(0);
  solo_mapping_drop_in_flight(mapping[0]);
  ended++;
}

static void closer(void) {
  unmap(0);
  use(0);
  ended++;
}

static uint64_t first_version;

/* HERE is mapped again with another base. The cached mapping must be replaced, not revived. */
static void remap_with_other_base(void) {
  unmap(0);
  solo_mapping_new what = wanted(0);
  what.base -= SIZE;
  what.block = block_of(1);
  explore_check(!solo_mapping_reuse(&table, &what), "a mapping is revived with another base");
  solo_mapping *m;
  solo_index_range clash;
  if (solo_mapping_claim(&table, &what, 0, &m, &clash) != SOLO_OK) abort();
  explore_check(given[0] == 1, "the cached mapping was not evicted");
  solo_mapping_publish(m, what.counts);
}

static void begin_looks(void) {
  begin();
  first_version = version[0];
}

static void look(uintptr_t address, uint64_t size) {
  solo_request request = {.begin = address, .size = size, .ref = SOLO_REF_NONE};
  solo_mapping *found;
  uint64_t seen;
  if (solo_mapping_try(&table, &request, &found, &seen) == SOLO_CONTAINED)
    explore_check(found != mapping[0] || !solo_version_fits(first_version, seen),
                  "a range and a version of different uses of a node are combined");
}

static void looks_before(void) {
  look(HERE - SIZE / 2, 0);
}

/* The node is reused for a longer range that begins at the same address. A lookup by the hint must
 * find the old or the new mapping. */
static void moves(void) {
  explore_check(solo_mapping_release(mapping[0], version[0], SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
                    SOLO_RELEASED_LAST,
                "the release is not the last");
  (void)solo_mapping_remove(&table, mapping[0]);
  solo_mapping_new what = wanted(0);
  what.end += SIZE;
  solo_mapping *m;
  solo_index_range clash;
  if (solo_mapping_claim(&table, &what, 0, &m, &clash) != SOLO_OK) abort();
  explore_check(m == mapping[0], "the node was not reused");
  solo_mapping_publish(m, what.counts);
}

static void looks_long(void) {
  look(HERE, 2 * SIZE);
}

/* A free node and a hint that refers to the node: a reader may have loaded the hint before the node
 * was freed. */
static void begin_stale_hint(void) {
  begin();
  unmap(0);
  solo_mapping_evict_all(&table);
  solo_hint_put(solo_load_relaxed(&table.hints), HERE, mapping[0]);
}

/* The node is reused for an associated range elsewhere, and then for the first range again. The
 * last mapping is claimed and not published. */
static void comes_back(void) {
  solo_mapping_new infinite = wanted(1), again = wanted(0);
  infinite.counts = SOLO_COUNT_DYNAMIC;
  infinite.flags = SOLO_MAPPING_ASSOCIATED;
  solo_mapping *m;
  solo_index_range clash;
  if (solo_mapping_insert(&table, &infinite, &m, &version[1], &clash) != SOLO_OK) abort();
  explore_check(m == mapping[0], "the node was not reused");
  if (solo_mapping_disassociate(&table, LOW) != SOLO_OK) abort();
  if (solo_mapping_claim(&table, &again, 0, &m, &clash) != SOLO_OK) abort();
  explore_check(m == mapping[0], "the node was not reused");
}

static void takes(void) {
  uint64_t seen;
  explore_check(!solo_mapping_acquire_present(&table, HERE, SIZE, SOLO_COUNT_DYNAMIC_ONE, &seen),
                "an unpublished mapping is acquired");
}

static void begin_empty(void) {
  begin();
  unmap(0);
  solo_mapping_evict_all(&table);
}

static void mapper(void) {
  solo_mapping_new what = wanted(0);
  solo_index_range clash;
  if (solo_mapping_claim(&table, &what, 0, &mapping[0], &clash) != SOLO_OK) abort();
  use(0);
  solo_mapping_publish(mapping[0], 2 * what.counts);
}

static void finder(void) {
  uint64_t seen;
  if (solo_mapping_acquire_present(&table, HERE, SIZE, SOLO_COUNT_DYNAMIC_ONE, &seen))
    explore_check(explore_read(&data[0]) == 1, "a mapping is found before its data is written");
}

int main(int count, char **arguments) {
  static const explore_scenario hand_over = {
      "one caches, one revives", begin, {sleeper, reviver}, end_of_two, 3, 5};
  static const explore_scenario evicted = {
      "one caches, one evicts", begin, {sleeper, evictor}, end_of_two, 2, 3};
  static const explore_scenario two = {
      "two revive", begin_cached, {reviver, reviver}, end_of_two, 3, 4};
  static const explore_scenario three = {
      "two revive, one evicts", begin_cached, {reviver, reviver, evictor}, end_of_three, 1, 2};
  static const explore_scenario places = {"two mappings, one place",
                                          begin_places,
                                          {reviver, sleeper_at_its_place},
                                          end_of_places,
                                          2,
                                          3};
  static const explore_scenario in_flight = {
      "uses in flight", begin_in_flight, {worker, closer}, end_of_two, 3, 8};
  static const explore_scenario revived = {"a lookup while the base changes",
                                           begin_looks,
                                           {looks_before, remap_with_other_base},
                                           NULL,
                                           1,
                                           2};
  static const explore_scenario reused = {
      "a lookup while a node is reused", begin_looks, {looks_long, moves}, NULL, 1, 2};
  static const explore_scenario reused_more = {
      "a lookup while a node is reused", begin_looks, {looks_long, moves}, NULL, 2, 2};
  static const explore_scenario back = {
      "an acquire while a node is reused", begin_stale_hint, {takes, comes_back}, NULL, 1, 1};
  static const explore_scenario back_more = {
      "an acquire while a node is reused", begin_stale_hint, {takes, comes_back}, NULL, 2, 2};
  static const explore_scenario found = {
      "one maps, one finds", begin_empty, {mapper, finder}, NULL, 2, 3};
  static const char *const hand_over_bugs[] = {"solo_mapping_cache/store", "revive/load", NULL};
  static const char *const evicted_bugs[] = {"solo_mapping_cache/store", "claim_cached", NULL};
  static const char *const in_flight_bugs[] = {"solo_mapping_drop_in_flight",
                                               "solo_mapping_wait_in_flight", NULL};
  static const char *const found_bugs[] = {"solo_mapping_publish", "solo_mapping_acquire_present",
                                           NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  return explore_all(&hand_over, hand_over_bugs) + explore_all(&evicted, evicted_bugs) +
         explore_all(&two, none) + explore_all(&three, none) + explore_all(&places, none) +
         explore_all(&in_flight, in_flight_bugs) + explore_all(&revived, none) +
         explore_all(&reused, none) + explore(&reused_more, "put_in/fence") +
         explore(&reused_more, "try_acquire/fence") + explore_all(&back, none) +
         explore(&back_more, "solo_mapping_acquire_present/fence") +
         explore_all(&found, found_bugs);
}
