/* Description: checks a full table of hints. Nearly every range is found, ranges with dropped hints
 * are not found, and the range of the newest hint is always found. */
#include "runtime/table/hints.h"
#include "runtime/table/mapping_word.h"
#include "tests/unit/test.h"

enum { RANGES = 1 << 15, BYTES = 64 };

static solo_index *ranges;
static solo_table_memory memory;
static _Atomic solo_hints hints;
static uintptr_t begins[RANGES];

static solo_mapping mappings[RANGES];

static solo_mapping *mapping_of(int i) {
  return &mappings[i];
}

/* 1: also without a hint in the pair */
static int has_distance(int i, uint64_t device) {
  solo_hints now = solo_load_relaxed(&hints);
  solo_hint_place place = solo_hint_place_of(now, begins[i]);
  for (int k = 0; k < 2; k++) {
    if (solo_load_relaxed(&place.pair[k]) == ((uintptr_t)mapping_of(i) | place.mark))
      return begins[i] + solo_load_relaxed(solo_hint_distance(now, &place.pair[k])) == device;
  }
  return 1;
}

static int is_hinted(int i) {
  return solo_hint_find(&hints, begins[i]) == mapping_of(i);
}

static int hinted(int first, int step) {
  int n = 0;
  for (int i = first; i < RANGES; i += step) n += is_hinted(i);
  return n;
}

/* Ranges at pseudo-random distances. */
static void fill(void) {
  uint64_t random = 4711;
  uintptr_t begin = 1 << 20;
  CHECK(solo_index_create(&ranges) == SOLO_OK);
  for (int i = 0; i < RANGES; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    begin += BYTES + 16 * (random >> 40 & 31);
    begins[i] = begin;
    solo_store_relaxed(&mappings[i].begin, begin);
    solo_store_relaxed(&mappings[i].device, 16 * random);
    solo_index_range clash;
    CHECK(solo_index_insert(ranges, begin, begin + BYTES, mapping_of(i), &clash) == SOLO_OK);
  }
  do CHECK(solo_hints_grow(&hints, ranges, &memory));
  while (solo_hint_count(solo_load_relaxed(&hints)) < 2 * RANGES);
}

int main(void) {
  fill();
  int before = hinted(0, 1);
  CHECK(before > RANGES - RANGES / 64);
  for (int i = 0; i < RANGES; i++) CHECK(has_distance(i, solo_load_relaxed(&mappings[i].device)));
  for (int i = 0; i < RANGES; i++) {
    solo_store_relaxed(&mappings[i].device, 4711);
    solo_hint_note_device(solo_load_relaxed(&hints), mapping_of(i));
    CHECK(has_distance(i, 4711));
  }

  int odd = hinted(1, 2);
  for (int i = 0; i < RANGES; i += 2)
    solo_hint_drop(solo_load_relaxed(&hints), begins[i], mapping_of(i));
  CHECK(hinted(0, 2) == 0);
  /* the count may be higher, because a hint hides later hints of its line with the same mark */
  CHECK(hinted(1, 2) >= odd);

  for (int i = 0; i < RANGES; i += 2) {
    solo_hint_put(solo_load_relaxed(&hints), begins[i], mapping_of(i));
    CHECK(is_hinted(i));
  }
  CHECK(hinted(0, 1) >= before - RANGES / 64);
  solo_index_destroy(ranges);
  solo_table_memory_free(&memory);
  return TEST_RESULT();
}
