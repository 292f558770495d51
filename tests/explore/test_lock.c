/* Description: explores the lock (runtime/base/lock.h). Each holder observes the writes of the
 * previous holder, and no sleeping thread misses its wake-up. */
#include "runtime/base/lock.h"
#include "tests/explore/explore.h"

static solo_lock lock;
static uint64_t guarded;
static int ended;

static void begin(void) {
  solo_lock_init(&lock, SOLO_RANK_LEAF);
  guarded = 0;
  ended = 0;
}

static void use(void) {
  explore_write(&guarded, explore_read(&guarded) + 1);
  solo_lock_release(&lock);
}

static void user(void) {
  solo_lock_acquire(&lock);
  use();
  ended++;
}

static void user_twice(void) {
  user();
  user();
}

static void trier(void) {
  if (solo_lock_try(&lock)) use();
  ended++;
}

static void end(void) {
  explore_finished(!solo_load_relaxed(&lock.word) || ended == 0, "the lock is still locked");
}

int main(int count, char **arguments) {
  static const explore_scenario two = {"two users", begin, {user_twice, user_twice}, end, 3, 5};
  static const explore_scenario three = {"three users", begin, {user, user, user}, end, 2, 3};
  static const explore_scenario tried = {
      "two users, one try", begin, {user, user, trier}, end, 2, 4};
  static const char *const bugs[] = {"solo_lock_release", "solo_lock_try_fast", "solo_lock_slow",
                                     NULL};
  static const char *const tried_bugs[] = {"solo_lock_try_slow", NULL};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  explore_private(&solo_lock_mark, sizeof solo_lock_mark);
  return explore_all(&two, bugs) + explore_all(&three, none) + explore_all(&tried, tried_bugs);
}
