/* Description: checks readers of the range index against one writer. A reader always finds the
 * permanent ranges, never finds an unused address, and finds every other range completely or not at
 * all. */
#include "runtime/table/index.h"

#include "tests/unit/test.h"
#include <pthread.h>

/* The address space consists of cells of 64 bytes. Cell i is at BASE + 64 i; i % 4 selects its use:
 *   0: permanent, [0, 32)    1: temporary, [0, 48)    2: unused
 *   3: temporary, [8, 24) or [8, 64); the value differs
 */
enum { CELL = 64, BASE = 1 << 20, READERS = 2 };
static size_t cells;
static _Atomic long look_ups;
static solo_index *table;
static _Atomic int stop;
static _Atomic long wrong[8];

static uintptr_t cell_at(size_t i) {
  return BASE + CELL * i;
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 16;
}

/* The value of a range is its begin plus half of its length. */
static void *value_of(uintptr_t begin, uintptr_t end) {
  return (void *)(begin + (end - begin) / 2);
}

static void expect(int ok, int kind) {
  if (!ok) solo_add_relaxed(&wrong[kind], 1);
}

static int is_whole(solo_index_range range) {
  if (!range.value) return 1;
  return range.value == value_of(range.begin, range.end);
}

static void look_up(size_t i, size_t offset) {
  uintptr_t cell = cell_at(i), address = cell + offset;
  void *found = solo_index_find(table, address);
  switch (i % 4) {
  case 0:
    expect(found == (offset < 32 ? value_of(cell, cell + 32) : NULL), 0);
    break;
  case 1:
    expect(!found || (offset < 48 && found == value_of(cell, cell + 48)), 1);
    break;
  case 2:
    expect(!found, 2);
    break;
  default:
    expect(!found || (offset >= 8 && offset < 24 && found == value_of(cell + 8, cell + 24)) ||
               (offset >= 8 && found == value_of(cell + 8, cell + 64)),
           3);
  }
  solo_index_neighbours place;
  solo_index_locate(table, address, &place);
  expect(is_whole(place.floor) && is_whole(place.ceiling), 4);
  expect(!place.floor.value || place.floor.begin <= address, 5);
  expect(!place.ceiling.value || place.ceiling.begin > address, 5);
  /* the results lie between the permanent ranges on both sides */
  uintptr_t before = cell_at(i / 4 * 4), after = cell_at(i / 4 * 4 + 4);
  expect(place.floor.value && place.floor.begin >= before, 6);
  if (i / 4 * 4 + 4 < cells) expect(place.ceiling.value && place.ceiling.begin <= after, 7);
}

static void *reader(void *seed) {
  uint64_t state = 77 + (uintptr_t)seed;
  while (!solo_load_relaxed(&stop)) {
    for (int i = 0; i < 64; i++) look_up(next_random(&state) % cells, next_random(&state) % CELL);
    solo_add_relaxed(&look_ups, 64);
  }
  return NULL;
}

/* Inserts or removes a range. In phases of growth and of shrinking, nodes split, join and are
 * reused. */
static void change(unsigned char *present, size_t i, uint64_t *state) {
  uintptr_t begin = cell_at(i) + (i % 4 == 3 ? 8 : 0);
  if (present[i]) {
    CHECK(solo_index_remove(table, begin));
    present[i] = 0;
  } else {
    uintptr_t end = i % 4 == 1 ? begin + 48 : begin + (next_random(state) % 2 ? 16 : 56);
    CHECK_INT(solo_index_insert(table, begin, end, value_of(begin, end), NULL), SOLO_OK);
    present[i] = 1;
  }
}

static void run(size_t cell_count, long least) {
  cells = cell_count;
  solo_store_relaxed(&look_ups, 0);
  for (int kind = 0; kind < 8; kind++) solo_store_relaxed(&wrong[kind], 0);
  solo_store_relaxed(&stop, 0); /* relaxed: no other thread exists yet */
  CHECK_INT(solo_index_create(&table), SOLO_OK);
  unsigned char *present = calloc(1, cells);
  for (size_t i = 0; i < cells; i += 4)
    CHECK_INT(solo_index_insert(table, cell_at(i), cell_at(i) + 32,
                                value_of(cell_at(i), cell_at(i) + 32), NULL),
              SOLO_OK);
  pthread_t threads[READERS];
  for (size_t i = 0; i < READERS; i++)
    pthread_create(&threads[i], NULL, reader, (void *)(i * 1000));
  uint64_t state = 4711;
  long step = 0;
  for (; step < least || solo_load_relaxed(&look_ups) < least; step++) {
    int growing = (step / 5000) % 2 == 0;
    size_t i = next_random(&state) % cells;
    i |= 1; /* selects a cell of kind 1 or 3 */
    if (i < cells && (present[i] != growing || next_random(&state) % 4 == 0))
      change(present, i, &state);
  }
  solo_store_relaxed(&stop, 1);
  for (int i = 0; i < READERS; i++) pthread_join(threads[i], NULL);
  for (int kind = 0; kind < 8; kind++) CHECK_INT(solo_load_relaxed(&wrong[kind]), 0);
  const char *broken = solo_index_check(table);
  if (broken) printf("solo_index_check: %s\n", broken);
  CHECK(!broken);
  printf("%zu cells: %ld changes, %ld look-ups\n", cells, step, solo_load_relaxed(&look_ups));
  free(present);
  solo_index_destroy(table);
}

int main(void) {
  long scale = SOLO_TSAN ? 1 : 10;
  run(16, 50000 * scale);
  run(200, 50000 * scale);
  run(20000, 100000 * scale);
  return TEST_RESULT();
}
