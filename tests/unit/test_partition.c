/* Description: checks the rules for thread affinity of OMP 5.2, 10.1.3, for all small teams in all
 * small partitions and for some large ones. */
#include "abi/kmpc/affinity/partition.h"
#include "tests/unit/test.h"

enum { THREADS = 4000 };

static kmpc_place_assignment assignment[THREADS];
static kmpc_partition whole;
static int32_t parent, threads, policy;

static int same(kmpc_partition a, kmpc_partition b) {
  return a.first == b.first && a.count == b.count;
}

static int inside(kmpc_partition part, int32_t place) {
  return place >= part.first && place < part.first + part.count;
}

/* Returns the next place of the partition, after the last one the first. */
static int32_t next(int32_t place) {
  return place + 1 == whole.first + whole.count ? whole.first : place + 1;
}

static int is_share(int32_t n, int32_t a, int32_t b) {
  return n == a / b || (a % b && n == a / b + 1);
}

/* Checks the assignment: consecutive threads share a place, places follow each other in order, and
 * the first place is the place of the parent thread. */
static int runs_hold(void) {
  int32_t runs = 1, length = 1;
  if (assignment[0].place != parent) return 0;
  for (int32_t t = 1; t < threads; t++, length++) {
    if (assignment[t].place == assignment[t - 1].place) continue;
    if (assignment[t].place != next(assignment[t - 1].place) ||
        !is_share(length, threads, whole.count))
      return 0;
    runs++, length = 0;
  }
  return is_share(length, threads, whole.count) && runs == whole.count;
}

static int each_has(kmpc_partition part) {
  for (int32_t t = 0; t < threads; t++)
    if (!same(assignment[t].partition, part)) return 0;
  return 1;
}

static int primary_holds(void) {
  for (int32_t t = 0; t < threads; t++)
    if (assignment[t].place != parent) return 0;
  return each_has(whole);
}

static int close_holds(void) {
  if (!each_has(whole)) return 0;
  if (threads > whole.count) return runs_hold();
  int32_t expected = parent;
  for (int32_t t = 0; t < threads; t++, expected = next(expected))
    if (assignment[t].place != expected) return 0;
  return 1;
}

static int spread_holds(void) {
  if (threads > whole.count) {
    for (int32_t t = 0; t < threads; t++)
      if (!same(assignment[t].partition, (kmpc_partition){assignment[t].place, 1})) return 0;
    return runs_hold();
  }
  if (assignment[0].place != parent || !inside(assignment[0].partition, parent)) return 0;
  int32_t sum = 0;
  for (int32_t t = 0; t < threads; t++) {
    kmpc_partition part = assignment[t].partition,
                   before = assignment[t ? t - 1 : threads - 1].partition;
    if (!is_share(part.count, whole.count, threads)) return 0;
    if (!inside(whole, part.first) || !inside(whole, part.first + part.count - 1)) return 0;
    if (part.first != next(before.first + before.count - 1)) return 0; /* consecutive parts */
    if (t && assignment[t].place != part.first) return 0;
    sum += part.count;
  }
  return sum == whole.count;
}

static int holds(void) {
  for (int32_t t = 0; t < threads; t++)
    assignment[t] = solo_kmp_place_assignment(whole, parent, policy, t, threads);
  if (policy == KMPC_BIND_PRIMARY) return primary_holds();
  return policy == KMPC_BIND_SPREAD ? spread_holds() : close_holds();
}

static void check(int32_t first, int32_t count, int32_t at, int32_t size) {
  whole = (kmpc_partition){first, count};
  parent = first + at;
  threads = size;
  for (policy = KMPC_BIND_TRUE; policy <= KMPC_BIND_SPREAD; policy++) {
    test_checks++;
    if (holds()) continue;
    test_failures++;
    printf("failed: policy %d, %d threads, places %d..%d, parent on %d:", policy, threads, first,
           first + count - 1, parent);
    for (int32_t t = 0; t < threads && t < 20; t++)
      printf(" %d of %d+%d", assignment[t].place, assignment[t].partition.first,
             assignment[t].partition.count);
    printf("\n");
  }
}

/* Two levels of spread over 8 places. */
static void check_nested(void) {
  kmpc_partition all = {0, 8};
  for (int32_t outer = 0; outer < 2; outer++) {
    kmpc_place_assignment mine = solo_kmp_place_assignment(all, 0, KMPC_BIND_SPREAD, outer, 2);
    CHECK_INT(mine.place, outer * 4);
    CHECK_INT(mine.partition.count, 4);
    for (int32_t inner = 0; inner < 4; inner++) {
      kmpc_place_assignment seats =
          solo_kmp_place_assignment(mine.partition, mine.place, KMPC_BIND_SPREAD, inner, 4);
      CHECK_INT(seats.place, outer * 4 + inner);
      CHECK_INT(seats.partition.count, 1);
    }
  }
}

int main(void) {
  static const int32_t counts[] = {64, 100, 255, 4096}, sizes[] = {1, 7, 64, 99, 256, 4000};
  for (int32_t count = 1; count <= 20; count++)
    for (int32_t size = 1; size <= 45; size++)
      for (int32_t at = 0; at < count; at++)
        for (int32_t first = 0; first <= 3; first += 3) check(first, count, at, size);
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (int32_t at = 0; at < counts[c]; at += counts[c] / 9) check(17, counts[c], at, sizes[s]);
  check_nested();
  return TEST_RESULT();
}
