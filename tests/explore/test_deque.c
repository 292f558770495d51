/* Description: explores the task deque (abi/kmpc/task/deque.h). One thread receives each item, and
 * observes the item's content. */
#include "abi/kmpc/task/deque.h"
#include "tests/explore/explore.h"

#include <string.h>

enum { ITEMS = 2, MANY = 4 };
static kmpc_deque deque;
static uint64_t item[MANY];
static int taken[MANY];

static void begin(void) {
  memset(&deque, 0, sizeof deque);
  memset(item, 0, sizeof item);
  memset(taken, 0, sizeof taken);
}

static void got(void *p) {
  if (!p) return;
  uint64_t *at = p;
  explore_check(explore_read(at) == 7, "an item is taken before it is filled");
  explore_check(taken[at - item]++ == 0, "an item is taken twice");
}

static void owner(void) {
  for (int i = 0; i < ITEMS; i++) {
    explore_write(&item[i], 7);
    (void)solo_kmp_deque_push(&deque, &item[i]);
  }
  for (int i = 0; i < ITEMS; i++) got(solo_kmp_deque_pop(&deque));
}

static void thief(void) {
  got(solo_kmp_deque_steal(&deque, NULL, NULL));
}

static void thief_of_half(void) {
  void *some[KMPC_DEQUE_MAX_STEAL];
  int count = solo_kmp_deque_try_steal_half(&deque, NULL, NULL, some);
  for (int i = 0; i < count; i++) got(some[i]);
}

static void end(void) {
  explore_finished(taken[0] && taken[1], "an item is lost");
}

static int refuses(const void *at, const void *context) {
  (void)at, (void)context;
  return 0;
}

static void picky_thief(void) {
  got(solo_kmp_deque_try_steal(&deque, refuses, NULL));
}

static void picky_thief_of_half(void) {
  void *some[KMPC_DEQUE_MAX_STEAL];
  explore_check(!solo_kmp_deque_try_steal_half(&deque, refuses, NULL, some),
                "a refused item is taken");
}

/* The deque has four items. A thief claims two at once while the owner pops three. */
static void owner_of_four(void) {
  for (int i = 0; i < MANY; i++) {
    explore_write(&item[i], 7);
    (void)solo_kmp_deque_push(&deque, &item[i]);
  }
  for (int i = 0; i < MANY; i++) got(solo_kmp_deque_pop(&deque));
}

static void end_of_four(void) {
  explore_finished(taken[0] && taken[1] && taken[2] && taken[3], "an item is lost");
}

static void owner_pops_late(void) {
  explore_write(&item[0], 7);
  (void)solo_kmp_deque_push(&deque, &item[0]);
  got(solo_kmp_deque_pop(&deque));
  got(solo_kmp_deque_pop(&deque));
}

/* The owner loses an item to a thief in pop, and then pushes another item. All threads must find
 * the new item. */
static void owner_pushes_again(void) {
  for (int i = 0; i < ITEMS; i++) {
    explore_write(&item[i], 7);
    (void)solo_kmp_deque_push(&deque, &item[i]);
    got(solo_kmp_deque_pop(&deque));
  }
}

static void end_of_one(void) {
  explore_finished(taken[0], "an item is lost");
}

int main(int count, char **arguments) {
  static const explore_scenario one = {"an owner, a thief", begin, {owner, thief}, end, 3, 4};
  static const explore_scenario two = {
      "an owner, two thieves", begin, {owner, thief, thief}, end, 1, 2};
  static const explore_scenario refused = {
      "a thief that refuses", begin, {owner_pops_late, picky_thief}, end_of_one, 4, 6};
  static const explore_scenario again = {
      "an owner that pushes again, a thief", begin, {owner_pushes_again, thief}, end, 3, 4};
  static const explore_scenario halves = {
      "an owner, a thief of half", begin, {owner_of_four, thief_of_half}, end_of_four, 3, 4};
  static const explore_scenario both = {
      "an owner, thieves of one and of half", begin, {owner, thief_of_half, thief}, end, 1, 2};
  static const explore_scenario half_refused = {"a thief of half that refuses",
                                                begin,
                                                {owner_pops_late, picky_thief_of_half},
                                                end_of_one,
                                                4,
                                                6};
  static const char *const bugs_of_half[] = {"solo_kmp_deque_pop/fence", "solo_kmp_deque_push",
                                             "solo_kmp_deque_try_steal_half", NULL};
  static const char *const bugs[] = {"solo_kmp_deque_pop/fence", "solo_kmp_deque_pop/store",
                                     "solo_kmp_deque_push", "steal_and_unlock", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  return explore_all(&one, bugs) + explore_all(&two, none) + explore_all(&refused, none) +
         explore_all(&again, none) + explore_all(&halves, bugs_of_half) + explore_all(&both, none) +
         explore_all(&half_refused, none);
}
