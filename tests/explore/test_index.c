/* Description: explores the versions of index nodes (runtime/table/index_node.h): a concurrent
 * reader always finds permanent ranges and never a wrong value. */
#include "runtime/table/index.h"
#include "tests/explore/explore.h"

#include <stdlib.h>

enum { SIZE = 16 };
#define LOW  0x1000
#define HERE 0x2000
#define HIGH 0x3000
static solo_index *index_now;
static int values[3];

static void put(uintptr_t begin, int *value) {
  if (solo_index_insert(index_now, begin, begin + SIZE, value, NULL) != SOLO_OK) abort();
}

static void begin(void) {
  if (index_now) solo_index_destroy(index_now);
  if (solo_index_create(&index_now) != SOLO_OK) abort();
  put(LOW, &values[0]);
  put(HIGH, &values[2]);
}

static void comes(void) {
  put(HERE, &values[1]);
}

static void goes(void) {
  (void)solo_index_remove(index_now, LOW);
}

static void moves(void) {
  goes();
  comes();
}

static void finds(void) {
  explore_check(solo_index_find(index_now, HIGH) == &values[2], "a permanent range is not found");
}

static void finds_or_not(void) {
  void *value = solo_index_find(index_now, HERE + 1);
  explore_check(!value || value == &values[1], "a value of another address is found");
  value = solo_index_find(index_now, LOW + 1);
  explore_check(!value || value == &values[0], "a value of another address is found");
}

int main(int count, char **arguments) {
  static const explore_scenario coming = {"a range is inserted", begin, {finds, comes}, NULL, 2, 3};
  static const explore_scenario going = {"a range is removed", begin, {finds, goes}, NULL, 2, 3};
  static const explore_scenario both = {
      "one range is removed, one inserted", begin, {finds_or_not, moves}, NULL, 1, 2};
  static const char *const reads[] = {"read_begin/load", "read_valid/fence",
                                      "write_begin_one/fence", "write_end_one", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&coming, none) + explore_all(&going, none) + explore_all(&both, reads);
}
