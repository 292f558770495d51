/* Description: explores the event count of abi/kmpc/team/eventcount.h. No wake-up is lost, for each
 * kind of notification and for a sleeper that two event counts count. */
#include "abi/kmpc/team/eventcount.h"
#include "tests/explore/explore.h"

static kmpc_eventcount event, shared;
static _Atomic uint32_t ready;
static uint64_t payload;

static void begin(void) {
  event = shared = (kmpc_eventcount){0};
  ready = 0;
  payload = 0;
}

static void wait_on(kmpc_eventcount *second) {
  /* pairs with the stores in notifier(), publisher() and notifier_of_shared() */
  while (!solo_load_acquire(&ready)) {
    uint32_t key = solo_kmp_eventcount_prepare(&event, second);
    /* pairs with the same stores */
    if (!solo_load_acquire(&ready)) solo_kmp_eventcount_sleep(&event, key);
    solo_kmp_eventcount_leave(&event);
    if (second) solo_kmp_eventcount_leave(second);
  }
  explore_check(explore_read(&payload) == 7, "the waiter does not observe the payload");
}

static void waiter(void) {
  wait_on(NULL);
}

static void waiter_of_two(void) {
  wait_on(&shared);
}

static void notifier(void) {
  explore_write(&payload, 7);
  solo_store_seq_cst(&ready, 1); /* pairs with wait_on() */
  solo_kmp_notify(&event);
}

static void publisher(void) {
  explore_write(&payload, 7);
  solo_store_release(&ready, 1); /* pairs with wait_on() */
  solo_kmp_publish_and_notify(&event);
}

/* Like solo_kmp_wake_team(). */
static void notifier_of_shared(void) {
  explore_write(&payload, 7);
  solo_store_seq_cst(&ready, 1); /* pairs with wait_on() */
  /* pairs with solo_kmp_eventcount_prepare() */
  if (!solo_load_seq_cst(&shared.sleepers)) return;
  solo_kmp_eventcount_wake(&shared, INT32_MAX);
  solo_kmp_notify(&event);
}

int main(int count, char **arguments) {
  static const explore_scenario one = {
      "a waiter, a notifier", begin, {waiter, notifier}, NULL, 8, 12};
  static const explore_scenario two = {
      "two waiters, a notifier", begin, {waiter, notifier, waiter}, NULL, 2, 3};
  static const explore_scenario published = {
      "a waiter, a publisher", begin, {waiter, publisher}, NULL, 8, 12};
  static const explore_scenario both = {
      "a waiter counted twice", begin, {waiter_of_two, notifier_of_shared}, NULL, 6, 8};
  static const char *const bugs[] = {"solo_kmp_eventcount_prepare", "solo_kmp_notify", NULL};
  static const char *const publish_bugs[] = {"solo_kmp_publish_and_notify", "publisher", NULL};
  static const char *const both_bugs[] = {"solo_kmp_eventcount_prepare", "notifier_of_shared",
                                          NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&one, bugs) + explore_all(&two, none) + explore_all(&published, publish_bugs) +
         explore_all(&both, both_bugs);
}
