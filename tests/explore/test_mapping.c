/* Description: explores a mapping's state word (runtime/table/mapping.h): exactly one release is
 * the last, and it observes all earlier uses of the data. */
#include "runtime/table/mapping.h"
#include "tests/explore/explore.h"

#include <string.h>

static solo_mapping mapping;
static uint64_t version, data[3];
static int last;

static void begin_with(int references) {
  memset(&mapping, 0, sizeof mapping);
  version = 2 * SOLO_COUNT_TAG_ONE + (uint64_t)references * SOLO_COUNT_DYNAMIC_ONE;
  solo_store_relaxed(&mapping.count, version);
  memset(data, 0, sizeof data);
  last = 0;
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

/* Releases a reference as a target region with present data does: without a lock, if it is not the
 * last one. */
static void shared_of_two(void) {
  explore_write(&data[explore_self()], 1);
  if (solo_mapping_release_shared(&mapping, version)) return;
  if (solo_mapping_release(&mapping, version, SOLO_REF_DYNAMIC, SOLO_RELEASE_ONE) ==
      SOLO_RELEASED_LAST)
    see_all(2);
}

/* --- the data of a new mapping ---------------------------------------------------------------- */

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
  static const char *const arrives_bugs[] = {"solo_mapping_data_ready", "solo_mapping_wait_data",
                                             NULL};
  static const char *const enqueued_bugs[] = {"solo_mapping_data_enqueued", NULL};
  static const char *const shared_bugs[] = {"solo_mapping_release_shared", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&two, none) + explore_all(&shared, shared_bugs) + explore_all(&three, none) +
         explore_all(&arrives, arrives_bugs) + explore_all(&awaited, none) +
         explore_all(&enqueued, enqueued_bugs);
}
