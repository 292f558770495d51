/* Description: compares the function-pointer table and the search on the device with a linear
 * search: 0 to 100,000 entries, absent addresses, equal host addresses (the first entry is valid). */
#define __kmpc_target_translate_fptr    device_translate
#define __llvm_omp_indirect_call_lookup device_lookup
#include "abi/device/fptr.c"

#include "runtime/device/fptr_table.h"

#include "tests/unit/test.h"

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static uint64_t linear(const solo_fptr_pair *pairs, size_t count, uint64_t host) {
  for (size_t i = 0; i < count; i++)
    if ((uint64_t)pairs[i].host == host) return (uint64_t)pairs[i].device;
  return host;
}

static void try_size(size_t count) {
  solo_fptr_pair *pairs = calloc(count + 1, sizeof *pairs);
  for (size_t i = 0; i < count; i++) {
    pairs[i].host = (int64_t)(next() >> 16 << 4);
    pairs[i].device = (int64_t)next();
  }
  /* a second entry for a host address, with another device address */
  if (count > 3) pairs[count - 1].host = pairs[0].host;
  solo_fptr_table *table = solo_fptr_table_new(pairs, count);
  CHECK(table != NULL);
  CHECK_INT(table->count, count > 3 ? count - 1 : count);
  CHECK_INT(table->sorted[-1].host, table->count);
  solo_fptr_map = (const map *)(table->sorted - 1);
  size_t wrong = 0, step = count > 2000 ? count / 1000 : 1;
  for (size_t i = 0; i < count; i += step) {
    uint64_t host = (uint64_t)pairs[i].host;
    uint64_t got = solo_fptr_table_find(table, host);
    wrong += got != linear(pairs, count, host);
    wrong += (uint64_t)device_translate((void *)host) != got;
    wrong += device_lookup((void *)(host + 1)) != (void *)(host + 1);
    wrong += solo_fptr_table_find(table, host + 1) != host + 1;
    wrong += solo_fptr_table_find(table, host - 1) != host - 1;
  }
  for (size_t i = 1; i < table->count; i++)
    wrong += (uint64_t)table->sorted[i - 1].host >= (uint64_t)table->sorted[i].host;
  wrong += solo_fptr_table_find(table, 0) != 0;
  wrong += solo_fptr_table_find(table, UINT64_MAX) != UINT64_MAX;
  wrong += solo_fptr_table_find(table, 12345) != 12345;
  wrong += device_translate(NULL) != NULL;
  solo_fptr_map = NULL;
  wrong += device_translate(pairs) != pairs;
  CHECK_INT(wrong, 0);
  solo_fptr_table_free(table);
  free(pairs);
}

int main(void) {
  static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1000, 1023, 1024, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) try_size(sizes[i]);
  return TEST_RESULT();
}
