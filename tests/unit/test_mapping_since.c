/* Description: a mapping whose data was copied before it is inserted is refused when a mapping that
 * overlaps it was removed in between, also when more were removed than the table remembers. */
#include "runtime/table/mapping.h"
#include "tests/unit/test.h"

static solo_mapping_table table;

static solo_status put(uintptr_t begin, uint64_t since, solo_mapping **out, uint64_t *out_version) {
  solo_index_range clash;
  solo_mapping_new what = {.begin = begin,
                           .end = begin + 64,
                           .base = begin,
                           .counts = SOLO_COUNT_DYNAMIC_ONE,
                           .flags = SOLO_MAPPING_COMPLETE,
                           .since = since};
  return solo_mapping_insert(&table, &what, out, out_version, &clash);
}

static void come_and_go(uintptr_t begin) {
  solo_mapping *m;
  uint64_t version;
  CHECK(put(begin, 0, &m, &version) == SOLO_OK);
  CHECK(solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) == SOLO_RELEASED_LAST);
  (void)solo_mapping_remove(&table, m);
}

int main(void) {
  enum { HERE = 1 << 20, FAR = 1 << 24 };
  CHECK(solo_mapping_table_open(&table) == SOLO_OK);
  for (int others = 0; others <= 2 * SOLO_REMOVED_KEPT; others++) {
    for (int where = -1; where <= others; where++) { /* -1: none of them overlaps */
      uint64_t since = 1 + solo_mapping_removals(&table);
      for (int i = 0; i <= others; i++) come_and_go(i == where ? HERE + 63 : FAR + 64 * i);
      solo_mapping *m = NULL;
      uint64_t version = 0;
      int fits = where < 0 && others + 1 <= SOLO_REMOVED_KEPT;
      solo_status status = put(HERE, since, &m, &version);
      CHECK(status == (fits ? SOLO_OK : SOLO_OVERLAP));
      if (status != SOLO_OK) {
        since = 1 + solo_mapping_removals(&table); /* copied again */
        CHECK(put(HERE, since, &m, &version) == SOLO_OK);
      }
      (void)solo_mapping_release(m, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE);
      (void)solo_mapping_remove(&table, m);
    }
  }
  CHECK(solo_mapping_table_check(&table) == NULL);
  return TEST_RESULT();
}
