/* Description: explores a mapping's state word (runtime/table/mapping.h): exactly one release is
 * the last release, which observes all earlier uses of the data. */
#include "runtime/table/mapping.h"
#include "tests/explore/explore.h"

#include <stdlib.h>
#include <string.h>

static solo_mapping mapping;
static uint64_t version, data[3];
static int last, acquired;

static void begin_with(int references) {
  memset(&mapping, 0, sizeof mapping);
  version = 2 * SOLO_COUNT_TAG_ONE + (uint64_t)references * SOLO_COUNT_DYNAMIC_ONE;
  solo_store_relaxed(&mapping.count, version);
  memset(data, 0, sizeof data);
  last = acquired = 0;
}

static void begin_two(void) {
  begin_with(2);
}

static void begin_three(void) {
  begin_with(3);
}

static void see_all(int users) {
  explore_check(last++ == 0, "two releases are the last");
  for (int i = 0; i < users; i++)
    explore_check(explore_read(&data[i]) == 1, "the last release does not observe another write");
}

static void use_and_release(int users) {
  explore_write(&data[explore_self()], 1);
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(users);
}

static void one_of_two(void) {
  use_and_release(2);
}

static void one_of_three(void) {
  use_and_release(3);
}

/* Releases a reference like a target region with present data: without a lock, unless the reference
 * is the last. */
static void shared_of_two(void) {
  explore_write(&data[explore_self()], 1);
  if (solo_mapping_release_shared(&mapping, version)) return;
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(2);
}

static void begin_counts(uint64_t counts) {
  solo_large_init_lock(); /* an abandoned run may own the lock and leave a record */
  solo_large_clear(&mapping, SOLO_COUNT_LIVE | SOLO_COUNT_IN_FLIGHT);
  begin_with(0);
  solo_store_relaxed(&mapping.count, version + counts);
}

/* Two holds. The record counts the holds until no hold is left. */
static void begin_holds(void) {
  uint64_t seen;
  begin_counts(SOLO_COUNT_HOLD_ONE);
  if (!solo_large_acquire(&mapping, version, SOLO_REF_HOLD, &seen)) abort();
}

/* Three dynamic references. After one release the count returns to the state word. */
static void begin_dynamic(void) {
  uint64_t seen;
  begin_counts(3 * SOLO_COUNT_DYNAMIC_ONE);
  if (!solo_large_acquire(&mapping, version, SOLO_REF_DYNAMIC, &seen)) abort();
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE)) abort();
}

static void begin_one_hold(void) {
  begin_counts(SOLO_COUNT_HOLD_ONE);
}

static void release_hold(int users) {
  explore_write(&data[explore_self()], 1);
  if (solo_mapping_release(&mapping, version, SOLO_REF_HOLD, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(users);
}

static void hold_of_two(void) {
  release_hold(2);
}

/* If the mapping is still LIVE, acquires a second hold, which makes the count large. */
static void hold_and_release(void) {
  uint64_t seen;
  explore_write(&data[1], 0);
  if (!solo_large_acquire(&mapping, version, SOLO_REF_HOLD, &seen)) return;
  acquired = 1;
  release_hold(2);
}

static void release_only_hold(void) {
  explore_write(&data[0], 1);
  if (solo_mapping_release(&mapping, version, SOLO_REF_HOLD, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(acquired ? 2 : 1);
}

static void shared_of_three(void) {
  explore_write(&data[explore_self()], 1);
  if (solo_mapping_release_shared(&mapping, version)) return;
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(3);
}

/* One reference and two uses in flight. The record counts the uses until no use is left. */
static void begin_uses(void) {
  uint64_t seen;
  begin_counts(SOLO_COUNT_DYNAMIC_ONE + SOLO_COUNT_IN_FLIGHT_ONE);
  if (!solo_large_acquire(&mapping, version, SOLO_REF_IN_FLIGHT, &seen)) abort();
}

static void end_use(void) {
  explore_write(&data[explore_self()], 1);
  solo_mapping_drop_in_flight(&mapping);
}

static void close_after_uses(void) {
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    last++;
  solo_mapping_wait_in_flight(&mapping);
  for (int i = 0; i < 2; i++)
    explore_check(explore_read(&data[i]) == 1, "the closing thread does not observe a use");
}

/* Replaces a reference by a use in flight. The number of uses is then large. */
static void begin_exchange(void) {
  begin_counts(2 * SOLO_COUNT_DYNAMIC_ONE + SOLO_COUNT_IN_FLIGHT_ONE);
}

static void exchange_and_end(void) {
  explore_write(&data[explore_self()], 1);
  solo_released done =
      solo_mapping_release_in_flight(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE);
  if (done == SOLO_RELEASED_LAST) last++;
  if (done == SOLO_RELEASED_IN_FLIGHT) solo_mapping_drop_in_flight(&mapping);
}

static void end_of_exchange(void) {
  explore_finished(last == 1, "no release is the last");
  explore_finished(solo_mapping_in_flight(&mapping) == 1, "a use in flight is lost");
}

static void begin_pending(void) {
  begin_with(2);
  solo_store_relaxed(&mapping.data_state, SOLO_DATA_PENDING);
}

static void creator(void) {
  explore_write(&data[0], 1);
  solo_mapping_data_ready(&mapping);
}

/* The creator has only enqueued the copy to the device. Other users wait on the event of the copy,
 * not for this thread. */
static void creator_of_enqueued(void) {
  explore_write(&data[0], 1);
  solo_mapping_data_enqueued(&mapping);
  solo_mapping_data_ready(&mapping);
}

static void user(void) {
  solo_mapping_wait_data(&mapping);
  explore_check(explore_read(&data[0]) == 1, "the data is not visible");
}

static void end(void) {
  explore_finished(last == 1, "no release is the last");
}

int main(int count, char **arguments) {
  static const explore_scenario two = {"two release", begin_two, {one_of_two, one_of_two},
                                       end,           8,         8};
  static const explore_scenario shared = {
      "two release, shared", begin_two, {shared_of_two, shared_of_two}, end, 8, 8};
  static const explore_scenario three = {
      "three release", begin_three, {one_of_three, one_of_three, one_of_three}, end, 3, 5};
  static const explore_scenario arrives = {
      "data arrives", begin_pending, {creator, user}, NULL, 4, 8};
  static const explore_scenario enqueued = {
      "data is enqueued", begin_pending, {creator_of_enqueued, user}, NULL, 4, 8};
  static const explore_scenario awaited = {
      "two wait for data", begin_pending, {creator, user, user}, NULL, 1, 2};
  static const explore_scenario holds = {
      "two release large holds", begin_holds, {hold_of_two, hold_of_two}, end, 4, 8};
  static const explore_scenario grows = {
      "a count becomes large", begin_one_hold, {release_only_hold, hold_and_release}, end, 4, 8};
  static const explore_scenario shrinks = {"a count returns to the word",
                                           begin_dynamic,
                                           {shared_of_three, shared_of_three, shared_of_three},
                                           end,
                                           2,
                                           4};
  static const explore_scenario uses = {
      "large uses in flight end", begin_uses, {end_use, end_use, close_after_uses}, end, 2, 3};
  static const explore_scenario exchanges = {"references become uses",
                                             begin_exchange,
                                             {exchange_and_end, exchange_and_end},
                                             end_of_exchange,
                                             4,
                                             8};
  static const char *const change_bugs[] = {"change_counts", NULL};
  static const char *const arrives_bugs[] = {"solo_mapping_data_ready", "solo_mapping_wait_data",
                                             NULL};
  static const char *const enqueued_bugs[] = {"solo_mapping_data_enqueued", NULL};
  static const char *const shared_bugs[] = {"solo_mapping_release_shared", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  return explore_all(&two, none) + explore_all(&shared, shared_bugs) + explore_all(&three, none) +
         explore_all(&arrives, arrives_bugs) + explore_all(&awaited, none) +
         explore_all(&enqueued, enqueued_bugs) + explore_all(&holds, none) +
         explore_all(&grows, none) + explore_all(&shrinks, change_bugs) +
         explore_all(&uses, change_bugs) + explore_all(&exchanges, none);
}
