/* Description: compares the range index with a sorted array: random insertions (some rejected),
 * removals, lookups at all edges, failing allocations. */
#include "runtime/base/early.h"
#include "runtime/table/index.h"

#include "tests/unit/test.h"

/* The linker's --wrap=aligned_alloc directs allocations to this function. */
static long allocations_left = -1; /* -1: no limit */
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  if (allocations_left == 0) return NULL;
  if (allocations_left > 0) allocations_left--;
  return __real_aligned_alloc(alignment, bytes);
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_number(uint64_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (random_state >> 16) % below;
}

enum { REFERENCE_MAX = 20000 };
static solo_index_range reference[REFERENCE_MAX];
static size_t reference_count;

static size_t reference_place(uintptr_t address) {
  size_t low = 0, high = reference_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (reference[middle].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int same_range(solo_index_range a, solo_index_range b) {
  return a.begin == b.begin && a.end == b.end && a.value == b.value;
}

static int agrees_at(const solo_index *index, uintptr_t address) {
  static const solo_index_range none;
  size_t n = reference_place(address);
  solo_index_range floor = n > 0 ? reference[n - 1] : none;
  solo_index_range ceiling = n < reference_count ? reference[n] : none;
  void *inside = floor.value && address < floor.end ? floor.value : NULL;
  solo_index_neighbours place;
  solo_index_locate(index, address, &place);
  return solo_index_find(index, address) == inside && same_range(place.floor, floor) &&
         same_range(place.ceiling, ceiling);
}

static int agrees_around(const solo_index *index, uintptr_t begin, uintptr_t end) {
  return agrees_at(index, begin - 1) && agrees_at(index, begin) && agrees_at(index, end - 1) &&
         agrees_at(index, end) && agrees_at(index, begin + (end - begin) / 2);
}

/* Inserts the range into the index and the reference. Returns whether the results agree. */
static int insert_both(solo_index *index, uintptr_t begin, uintptr_t end) {
  size_t n = reference_place(begin);
  const solo_index_range *clash = NULL;
  if (n > 0 && reference[n - 1].end > begin)
    clash = &reference[n - 1];
  else if (n < reference_count && reference[n].begin < end)
    clash = &reference[n];
  solo_index_range found = {0, 0, NULL}, range = {begin, end, (void *)(begin ^ 0x55)};
  solo_status status = solo_index_insert(index, begin, end, range.value, &found);
  if (clash) return status == SOLO_OVERLAP && same_range(found, *clash);
  if (status != SOLO_OK) return 0;
  memmove(&reference[n + 1], &reference[n], (reference_count - n) * sizeof reference[0]);
  reference[n] = range;
  reference_count++;
  return 1;
}

static int remove_both(solo_index *index, size_t n) {
  solo_index_range range = reference[n];
  memmove(&reference[n], &reference[n + 1], (reference_count - n - 1) * sizeof reference[0]);
  reference_count--;
  return solo_index_remove(index, range.begin) == range.value;
}

static void compare_visit(void *context, solo_index_range range) {
  size_t *n = context;
  CHECK(*n < reference_count && same_range(range, reference[*n]));
  ++*n;
}

static void compare_all(const solo_index *index) {
  size_t n = 0;
  solo_index_each(index, compare_visit, &n);
  CHECK_INT(n, reference_count);
  CHECK_INT(solo_index_count(index), reference_count);
}

static void check_whole(const solo_index *index) {
  const char *wrong = solo_index_check(index);
  if (wrong) printf("solo_index_check: %s\n", wrong);
  CHECK(!wrong);
}

/* Grows an index to `size` ranges, changes it, and removes all ranges. A range has up to `span`
 * bytes and lies in the first `space` bytes. */
static void random_run(size_t size, uint64_t space, uint64_t span, int check_each) {
  solo_index *index = NULL;
  CHECK_INT(solo_index_create(&index), SOLO_OK);
  reference_count = 0;
  int ok = 1;
  for (size_t step = 0, steps = size * 6; step < steps || reference_count > 0; step++) {
    uint64_t insert_of_10 = step < 2 * size ? 8 : step < 4 * size ? 5 : step < steps ? 2 : 0;
    if (reference_count < size && (random_number(10) < insert_of_10)) {
      uintptr_t begin = 4096 + random_number(space), end = begin + 1 + random_number(span);
      ok &= insert_both(index, begin, end) && agrees_around(index, begin, end);
    } else if (reference_count > 0) {
      size_t n = random_number(3) ? random_number(reference_count) : 0;
      solo_index_range range = reference[n];
      ok &= remove_both(index, n) && agrees_around(index, range.begin, range.end);
      CHECK(!solo_index_remove(index, range.begin));
    }
    if (check_each || step % 4096 == 0) check_whole(index);
    if (!ok) break;
  }
  CHECK(ok);
  compare_all(index);
  solo_index_destroy(index);
}

/* Inserts ranges in ascending or descending order. Removes them from one end, or every third range
 * first. */
static void ordered_run(size_t size, int downwards) {
  solo_index *index = NULL;
  CHECK_INT(solo_index_create(&index), SOLO_OK);
  reference_count = 0;
  for (size_t i = 0; i < size; i++) {
    uintptr_t begin = 65536 + 64 * (downwards ? size - i : i);
    CHECK(insert_both(index, begin, begin + 64));
  }
  check_whole(index);
  compare_all(index);
  for (size_t i = reference_count; i > 2; i -= i > 3 ? 3 : 1) CHECK(remove_both(index, i - 3));
  check_whole(index);
  while (reference_count > 0) CHECK(remove_both(index, downwards ? 0 : reference_count - 1));
  check_whole(index);
  solo_index_destroy(index);
}

static void edges(void) {
  solo_index *index = NULL;
  solo_index_neighbours place;
  CHECK_INT(solo_index_create(&index), SOLO_OK);
  check_whole(index);
  CHECK(!solo_index_find(index, 0) && !solo_index_find(index, UINTPTR_MAX));
  solo_index_locate(index, UINTPTR_MAX, &place);
  CHECK(!place.floor.value && !place.ceiling.value);
  CHECK_INT(solo_index_insert(index, 0, 1, &place, NULL), SOLO_OK);
  CHECK_INT(solo_index_insert(index, UINTPTR_MAX - 1, UINTPTR_MAX, index, NULL), SOLO_OK);
  CHECK(solo_index_find(index, 0) == &place && !solo_index_find(index, 1));
  CHECK(solo_index_find(index, UINTPTR_MAX - 1) && !solo_index_find(index, UINTPTR_MAX));
  solo_index_locate(index, UINTPTR_MAX, &place);
  CHECK(place.floor.begin == UINTPTR_MAX - 1 && !place.ceiling.value);
  CHECK_INT(solo_index_insert(index, 0, UINTPTR_MAX, &place, NULL), SOLO_OVERLAP);
  solo_index_destroy(index);
  solo_index_destroy(NULL);
}

/* Occupies the early memory, so that solo_index_create() must use the heap. */
static void exhaust_early_memory(void) {
  static void *blocks[4096];
  for (size_t i = 0; i < 4096; i++) blocks[i] = solo_early_allocate(SOLO_CACHE_LINE);
  for (size_t i = 0; i < 4096; i++) solo_early_free(blocks[i]);
}

/* Makes each allocation of a growing index fail once: the index must be unchanged, and a retry must
 * succeed. */
static void failing_allocations(void) {
  solo_index *index = NULL;
  exhaust_early_memory();
  allocations_left = 0;
  CHECK_INT(solo_index_create(&index), SOLO_NOMEM);
  allocations_left = 1;
  CHECK_INT(solo_index_create(&index), SOLO_OK);
  reference_count = 0;
  size_t failures = 0;
  for (size_t i = 0; i < 6000; i++) {
    uintptr_t begin = 4096 + (i * 7919) % 6007 * 16;
    for (long allowed = 0;; allowed++) {
      allocations_left = allowed;
      solo_status status = solo_index_insert(index, begin, begin + 16, &index, NULL);
      allocations_left = -1;
      if (status == SOLO_OK) break;
      failures++;
      CHECK_INT(status, SOLO_NOMEM);
      CHECK_INT(solo_index_count(index), i);
      CHECK(!solo_index_find(index, begin));
      check_whole(index);
    }
  }
  CHECK(failures >= 8);
  CHECK_INT(solo_index_count(index), 6000);
  check_whole(index);
  solo_index_destroy(index);
}

int main(void) {
  edges();
  random_run(10, 200, 20, 1);
  random_run(100, 4000, 40, 1);
  random_run(1000, 40000, 40, 1);
  random_run(REFERENCE_MAX - 1, (uint64_t)1 << 44, 1 << 20, 0);
  random_run(5000, 400000, 64, 0);
  ordered_run(10000, 0);
  ordered_run(10000, 1);
  failing_allocations();
  return TEST_RESULT();
}
