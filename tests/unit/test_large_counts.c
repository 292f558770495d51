/* Description: checks reference counts, hold counts and uses in flight beyond the fields of a state
 * word (runtime/table/large_counts.h): around the maximum in both directions, with deletion,
 * disassociation, fork, close, without memory, and with several threads. */
#define _GNU_SOURCE
#include "runtime/table/mapping.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <sched.h>

enum { BASE = 1 << 20, BYTES = 64, AROUND = 40, THREADS = 4, ROUNDS = 20000, RECORDS = 64 };

static solo_mapping_table table;
static char block;
static _Atomic int wrong; /* CHECK is not thread-safe */
#define SHOULD(x)                                                                                  \
  ((x) ? 0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), solo_add_relaxed(&wrong, 1)))

static void *_Atomic records[RECORDS];
static _Atomic int is_exhausted;

void *__real_calloc(size_t n, size_t bytes);
void __real_free(void *memory);
void *__wrap_calloc(size_t n, size_t bytes);
void __wrap_free(void *memory);

void *__wrap_calloc(size_t n, size_t bytes) {
  void *memory = solo_load_relaxed(&is_exhausted) ? NULL : __real_calloc(n, bytes);
  for (int i = 0; memory && i < RECORDS; i++) {
    void *none = NULL;
    if (solo_cas_relaxed(&records[i], &none, memory)) break;
  }
  return memory;
}

void __wrap_free(void *memory) {
  for (int i = 0; memory && i < RECORDS; i++) {
    void *found = memory;
    if (solo_cas_relaxed(&records[i], &found, NULL)) break;
  }
  __real_free(memory);
}

static int record_count(void) {
  int count = 0;
  for (int i = 0; i < RECORDS; i++) count += solo_load_relaxed(&records[i]) != NULL;
  return count;
}

static void give(void *context, solo_block *of) {
  (void)context, (void)of;
}

/* counts: the count fields of the new mapping's state word */
static solo_mapping *insert(uint64_t counts, uint32_t flags, uint64_t *out_version) {
  const solo_mapping_new what = {.begin = BASE,
                                 .end = BASE + BYTES,
                                 .base = BASE,
                                 .block = (solo_block *)&block,
                                 .counts = counts,
                                 .creator = 1,
                                 .flags = flags};
  solo_mapping *m = NULL;
  solo_index_range clash;
  CHECK(solo_mapping_insert(&table, &what, &m, out_version, &clash) == SOLO_OK);
  return m;
}

static uint64_t count_of(const solo_mapping *m, solo_ref ref) {
  return solo_large_count(m, solo_load_relaxed(&m->count), ref);
}

static uint64_t most_of(solo_ref ref) {
  return ref == SOLO_REF_DYNAMIC ? SOLO_COUNT_DYNAMIC_LARGE - 1
         : ref == SOLO_REF_HOLD  ? SOLO_COUNT_HOLD / SOLO_COUNT_HOLD_ONE - 1
                                 : SOLO_COUNT_IN_FLIGHT / SOLO_COUNT_IN_FLIGHT_ONE - 1;
}

static solo_presence acquire(solo_ref ref, uint64_t *out_version) {
  const solo_request request = {BASE, BYTES, ref, 0};
  solo_mapping *m;
  return solo_mapping_try(&table, &request, &m, out_version);
}

static solo_released drop(solo_mapping *m, uint64_t version, solo_ref ref) {
  if (ref != SOLO_REF_IN_FLIGHT) return solo_mapping_release(m, version, ref, SOLO_RELEASE_ONE);
  solo_mapping_drop_in_flight(m);
  return SOLO_RELEASED;
}

static void remove_last(solo_mapping *m) {
  CHECK(solo_mapping_remove(&table, m) == (solo_block *)&block);
  CHECK_INT(solo_mapping_table_count(&table), 0);
  CHECK_INT(record_count(), 0);
}

static uint64_t near_maximum(solo_ref ref) {
  if (ref == SOLO_REF_DYNAMIC) return most_of(ref) - AROUND / 2;
  return SOLO_COUNT_DYNAMIC_ONE +
         (ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_IN_FLIGHT_ONE) *
             (most_of(ref) - AROUND / 2);
}

static void test_both_directions(solo_ref ref, int in_flight_too) {
  uint64_t version, seen = 0, versions[2 * AROUND];
  solo_mapping *m = insert(near_maximum(ref), 0, &version);
  uint64_t first = most_of(ref) - AROUND / 2;
  if (in_flight_too)
    for (uint64_t i = 0; i < AROUND + most_of(SOLO_REF_IN_FLIGHT); i++)
      CHECK_INT(acquire(SOLO_REF_IN_FLIGHT, &seen), SOLO_CONTAINED);
  CHECK_INT(count_of(m, ref), first);
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < 2 * AROUND; i++) {
      CHECK_INT(acquire(ref, &versions[i]), SOLO_CONTAINED);
      CHECK_INT(count_of(m, ref), first + i + 1);
    }
    CHECK_INT(record_count(), 1);
    for (int i = 2 * AROUND; i-- > 0;) {
      CHECK_INT(drop(m, versions[i], ref), SOLO_RELEASED);
      CHECK_INT(count_of(m, ref), first + i);
    }
    CHECK_INT(record_count(), in_flight_too);
  }
  if (ref != SOLO_REF_DYNAMIC) CHECK_INT(count_of(m, SOLO_REF_DYNAMIC), 1);
  /* the last uses in flight end after the mapping is closed */
  uint64_t uses = count_of(m, SOLO_REF_IN_FLIGHT);
  if (ref == SOLO_REF_HOLD)
    CHECK(solo_mapping_release(m, version, ref, SOLO_RELEASE_ALL) == SOLO_RELEASED);
  CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) == SOLO_RELEASED_LAST);
  CHECK(acquire(ref, &seen) == SOLO_LEAVING);
  while (uses--) solo_mapping_drop_in_flight(m);
  remove_last(m);
}

/* Tests the inlined functions. */
static void test_inlined(uint64_t one, solo_ref ref) {
  uint64_t version, versions[AROUND];
  solo_mapping *m = insert(near_maximum(ref), 0, &version);
  uint64_t first = count_of(m, ref);
  for (int i = 0; i < AROUND; i++)
    CHECK(solo_mapping_acquire_present(&table, BASE, BYTES, one, &versions[i]) == m);
  CHECK_INT(count_of(m, ref), first + AROUND);
  /* in the order of the acquisitions: the first versions have smaller counts than the field's
   * maximum */
  for (int i = 0; i < AROUND; i++)
    if (ref != SOLO_REF_DYNAMIC || !solo_mapping_release_shared(m, versions[i]))
      CHECK(solo_mapping_release(m, versions[i], ref, SOLO_RELEASE_ONE) == SOLO_RELEASED);
  CHECK_INT(count_of(m, ref), first);
  for (int i = 0; i < AROUND; i++)
    CHECK(solo_mapping_acquire_present(&table, BASE, BYTES, one, &versions[i]) == m);
  if (ref == SOLO_REF_HOLD)
    CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) == SOLO_RELEASED);
  CHECK(solo_mapping_release_in_flight(m, version, ref, SOLO_RELEASE_ALL) == SOLO_RELEASED_LAST);
  CHECK_INT(solo_mapping_in_flight(m), 0);
  CHECK(solo_mapping_release(m, version, ref, SOLO_RELEASE_ONE) == SOLO_RELEASED_GONE);
  CHECK_INT(record_count(), 0);
  remove_last(m);
}

/* A release that becomes a use in flight, with each combination of large fields. */
static void test_exchange(int many_references) {
  uint64_t version, seen;
  uint64_t references = most_of(SOLO_REF_DYNAMIC);
  if (!many_references) references = 2 * AROUND + most_of(SOLO_REF_IN_FLIGHT);
  solo_mapping *m = insert(references, 0, &version);
  for (int i = 0; many_references && i < 2 * AROUND; i++)
    CHECK_INT(acquire(SOLO_REF_DYNAMIC, &seen), SOLO_CONTAINED);
  if (many_references) references += 2 * AROUND;
  uint64_t uses = AROUND + most_of(SOLO_REF_IN_FLIGHT);
  for (uint64_t i = 0; i < uses; i++) {
    CHECK(solo_mapping_release_in_flight(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
          SOLO_RELEASED_IN_FLIGHT);
    CHECK_INT(solo_mapping_in_flight(m), i + 1);
    CHECK_INT(count_of(m, SOLO_REF_DYNAMIC), references - i - 1);
  }
  /* Only holds exist, so a release of dynamic references adds a use in flight and changes no
   * reference. */
  CHECK_INT(acquire(SOLO_REF_HOLD, &seen), SOLO_CONTAINED);
  CHECK(solo_mapping_release_in_flight(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) ==
        SOLO_RELEASED_IN_FLIGHT);
  CHECK(solo_mapping_release_in_flight(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
        SOLO_RELEASED_IN_FLIGHT);
  uses += 2;
  CHECK_INT(solo_mapping_in_flight(m), uses);
  CHECK_INT(count_of(m, SOLO_REF_HOLD), 1);
  CHECK(solo_mapping_release_in_flight(m, version, SOLO_REF_HOLD, SOLO_RELEASE_ONE) ==
        SOLO_RELEASED_LAST);
  CHECK_INT(solo_mapping_in_flight(m), uses);
  while (uses--) solo_mapping_drop_in_flight(m);
  remove_last(m);
}

static void test_infinite(void) {
  uint64_t version, seen = 0;
  uint64_t holds = most_of(SOLO_REF_HOLD) + AROUND;
  solo_mapping *m = insert(SOLO_COUNT_DYNAMIC, SOLO_MAPPING_ASSOCIATED, &version);
  for (uint64_t i = 0; i < holds; i++) CHECK_INT(acquire(SOLO_REF_HOLD, &seen), SOLO_CONTAINED);
  CHECK_INT(count_of(m, SOLO_REF_HOLD), holds);
  CHECK_INT(acquire(SOLO_REF_DYNAMIC, &seen), SOLO_CONTAINED);
  CHECK(solo_mapping_release(m, seen, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) == SOLO_RELEASED);
  CHECK_INT(count_of(m, SOLO_REF_DYNAMIC), SOLO_COUNT_DYNAMIC);
  CHECK(solo_mapping_disassociate(&table, BASE) == SOLO_INVALID);
  while (holds--)
    CHECK(solo_mapping_release(m, version, SOLO_REF_HOLD, SOLO_RELEASE_ONE) == SOLO_RELEASED);
  CHECK(solo_mapping_disassociate(&table, BASE) == SOLO_OK);
  CHECK_INT(solo_mapping_table_count(&table), 0);
  /* the removal of a variable ends its holds */
  m = insert(SOLO_COUNT_DYNAMIC, SOLO_MAPPING_GLOBAL, &version);
  for (holds = 0; holds < most_of(SOLO_REF_HOLD) + AROUND; holds++)
    CHECK_INT(acquire(SOLO_REF_HOLD, &seen), SOLO_CONTAINED);
  CHECK_INT(record_count(), 1);
  CHECK(solo_mapping_remove_global(&table, BASE, 0));
  CHECK_INT(record_count(), 0);
  CHECK_INT(solo_mapping_table_count(&table), 0);
}

static int mine(uint64_t creator) {
  return creator == 1;
}

static void test_fork_and_close(void) {
  uint64_t version, seen = 0;
  solo_mapping *m = insert(near_maximum(SOLO_REF_DYNAMIC), 0, &version);
  for (int i = 0; i < AROUND; i++) CHECK_INT(acquire(SOLO_REF_DYNAMIC, &seen), SOLO_CONTAINED);
  for (uint64_t i = 0; i < most_of(SOLO_REF_IN_FLIGHT) + AROUND; i++)
    CHECK_INT(acquire(SOLO_REF_IN_FLIGHT, &seen), SOLO_CONTAINED);
  uint64_t references = count_of(m, SOLO_REF_DYNAMIC);
  solo_mapping_forked(&table, mine);
  CHECK_INT(solo_mapping_in_flight(m), 0);
  CHECK_INT(count_of(m, SOLO_REF_DYNAMIC), references);
  CHECK_INT(record_count(), 1);
  solo_mapping_table_close(&table);
  CHECK_INT(record_count(), 0);
  CHECK(solo_mapping_table_open(&table, give, NULL) == SOLO_OK);
}

static void test_without_memory(solo_ref ref) {
  uint64_t version, seen = 0;
  uint64_t counts = ref == SOLO_REF_DYNAMIC ? most_of(ref) : near_maximum(ref);
  solo_mapping *m = insert(counts, 0, &version);
  for (int i = 0; ref != SOLO_REF_DYNAMIC && i < AROUND / 2; i++)
    CHECK_INT(acquire(ref, &seen), SOLO_CONTAINED);
  uint64_t before = solo_load_relaxed(&m->count);
  solo_store_relaxed(&is_exhausted, 1);
  CHECK_INT(acquire(ref, &seen), SOLO_FULL);
  if (ref == SOLO_REF_IN_FLIGHT) {
    CHECK_INT(acquire(SOLO_REF_DYNAMIC, &seen), SOLO_CONTAINED);
    CHECK(solo_mapping_release_in_flight(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
          SOLO_RELEASED_NOT);
    CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) == SOLO_RELEASED);
  }
  CHECK(solo_load_relaxed(&m->count) == before);
  solo_store_relaxed(&is_exhausted, 0);
  CHECK_INT(acquire(ref, &seen), SOLO_CONTAINED);
  CHECK_INT(count_of(m, ref), most_of(ref) + 1);
  CHECK_INT(drop(m, version, ref), SOLO_RELEASED);
  uint64_t uses = count_of(m, SOLO_REF_IN_FLIGHT);
  (void)solo_mapping_release(m, version, SOLO_REF_HOLD, SOLO_RELEASE_ALL);
  CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) == SOLO_RELEASED_LAST);
  while (uses--) solo_mapping_drop_in_flight(m);
  remove_last(m);
}

static solo_mapping *shared;
static uint64_t shared_version;
static _Atomic int lasts, started;
static int data[THREADS];

/* Acquires and releases references of random kinds, at most AROUND of each kind at a time. */
static void *balance(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument * 7919 + 1;
  uint64_t held[4][AROUND];
  int counts[4] = {0};
  for (int i = 0; i < ROUNDS; i++) {
    solo_ref ref = SOLO_REF_DYNAMIC + rand_r(&seed) % 3;
    int *n = &counts[ref], up = rand_r(&seed) % AROUND >= *n;
    if (up && ref != SOLO_REF_IN_FLIGHT && rand_r(&seed) % 2) {
      uint64_t one = ref == SOLO_REF_HOLD ? SOLO_COUNT_HOLD_ONE : SOLO_COUNT_DYNAMIC_ONE;
      if (!solo_mapping_acquire_present(&table, BASE, BYTES, one, &held[ref][*n])) continue;
      ++*n;
    } else if (up) {
      SHOULD(acquire(ref, &held[ref][*n]) == SOLO_CONTAINED);
      ++*n;
    } else if (ref == SOLO_REF_IN_FLIGHT) {
      solo_mapping_drop_in_flight(shared);
      --*n;
    } else if (counts[SOLO_REF_IN_FLIGHT] < AROUND && rand_r(&seed) % 2) {
      SHOULD(solo_mapping_release_in_flight(shared, held[ref][--*n], ref, SOLO_RELEASE_ONE) ==
             SOLO_RELEASED_IN_FLIGHT);
      counts[SOLO_REF_IN_FLIGHT]++;
    } else if (ref != SOLO_REF_DYNAMIC || !solo_mapping_release_shared(shared, held[ref][*n - 1])) {
      SHOULD(drop(shared, held[ref][--*n], ref) == SOLO_RELEASED);
    } else {
      --*n;
    }
  }
  for (solo_ref ref = SOLO_REF_DYNAMIC; ref <= SOLO_REF_IN_FLIGHT; ref++)
    while (counts[ref] > 0) SHOULD(drop(shared, held[ref][--counts[ref]], ref) == SOLO_RELEASED);
  return NULL;
}

static void run(void *(*body)(void *), int count) {
  pthread_t threads[THREADS];
  for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, body, (void *)(uintptr_t)i);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static void test_balance(void) {
  uint64_t counts = near_maximum(SOLO_REF_DYNAMIC) - SOLO_COUNT_DYNAMIC_ONE +
                    near_maximum(SOLO_REF_HOLD) + near_maximum(SOLO_REF_IN_FLIGHT) -
                    SOLO_COUNT_DYNAMIC_ONE;
  shared = insert(counts, 0, &shared_version);
  run(balance, THREADS);
  for (solo_ref ref = SOLO_REF_DYNAMIC; ref <= SOLO_REF_IN_FLIGHT; ref++)
    CHECK_INT(count_of(shared, ref), most_of(ref) - AROUND / 2);
  CHECK(solo_mapping_release(shared, shared_version, SOLO_REF_HOLD, SOLO_RELEASE_ALL) ==
        SOLO_RELEASED);
  CHECK(solo_mapping_release(shared, shared_version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) ==
        SOLO_RELEASED_LAST);
  for (uint64_t i = 0; i < most_of(SOLO_REF_IN_FLIGHT) - AROUND / 2; i++)
    solo_mapping_drop_in_flight(shared);
  remove_last(shared);
}

/* Each thread owns an equal part of the references. The thread that releases the last reference
 * reads the data of all threads. */
static void *release_part(void *argument) {
  int i = (int)(uintptr_t)argument;
  uint64_t total = most_of(SOLO_REF_HOLD) + AROUND, part = total / THREADS;
  if (i == 0) part = total - part * (THREADS - 1);
  solo_add_relaxed(&started, 1);
  while (solo_load_relaxed(&started) < THREADS) sched_yield();
  data[i] = 1;
  while (part--) {
    if (solo_mapping_release(shared, shared_version, SOLO_REF_HOLD, SOLO_RELEASE_ONE) !=
        SOLO_RELEASED_LAST)
      continue;
    solo_add_relaxed(&lasts, 1);
    for (int k = 0; k < THREADS; k++) SHOULD(data[k] == 1);
  }
  return NULL;
}

static void test_last(void) {
  uint64_t seen;
  for (int round = 0; round < 20; round++) {
    solo_store_relaxed(&lasts, 0);
    solo_store_relaxed(&started, 0);
    memset(data, 0, sizeof data);
    shared = insert(SOLO_COUNT_HOLD_ONE, 0, &shared_version);
    while (count_of(shared, SOLO_REF_HOLD) < most_of(SOLO_REF_HOLD) + AROUND)
      CHECK_INT(acquire(SOLO_REF_HOLD, &seen), SOLO_CONTAINED);
    run(release_part, THREADS);
    CHECK_INT(solo_load_relaxed(&lasts), 1);
    remove_last(shared);
  }
}

/* One thread deletes the mapping while others acquire and release references. */
static void *delete_or_use(void *argument) {
  int is_first = argument == NULL;
  for (int i = 0;; i++) {
    uint64_t version;
    if (is_first && i == 100) {
      if (solo_mapping_release(shared, shared_version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ALL) ==
          SOLO_RELEASED_LAST)
        solo_add_relaxed(&lasts, 1);
      return NULL;
    }
    if (acquire(SOLO_REF_DYNAMIC, &version) != SOLO_CONTAINED) return NULL;
    solo_released done = solo_mapping_release(shared, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE);
    SHOULD(done == SOLO_RELEASED || done == SOLO_RELEASED_GONE);
  }
}

static void test_deletion(void) {
  for (int round = 0; round < 100; round++) {
    solo_store_relaxed(&lasts, 0);
    shared = insert(most_of(SOLO_REF_DYNAMIC), 0, &shared_version);
    run(delete_or_use, THREADS);
    CHECK_INT(solo_load_relaxed(&lasts), 1);
    remove_last(shared);
  }
}

int main(void) {
  CHECK(solo_mapping_table_open(&table, give, NULL) == SOLO_OK);
  test_both_directions(SOLO_REF_DYNAMIC, 0);
  test_both_directions(SOLO_REF_DYNAMIC, 1);
  test_both_directions(SOLO_REF_HOLD, 0);
  test_both_directions(SOLO_REF_HOLD, 1);
  test_both_directions(SOLO_REF_IN_FLIGHT, 0);
  test_inlined(SOLO_COUNT_DYNAMIC_ONE, SOLO_REF_DYNAMIC);
  test_inlined(SOLO_COUNT_HOLD_ONE, SOLO_REF_HOLD);
  test_exchange(0);
  test_exchange(1);
  test_infinite();
  test_fork_and_close();
  test_without_memory(SOLO_REF_DYNAMIC);
  test_without_memory(SOLO_REF_HOLD);
  test_without_memory(SOLO_REF_IN_FLIGHT);
  test_balance();
  test_last();
  test_deletion();
  solo_mapping_table_close(&table);
  CHECK_INT(solo_load_relaxed(&wrong), 0);
  return TEST_RESULT();
}
