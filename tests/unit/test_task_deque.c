/* Description: checks the task deque: order, a full deque, unpop (push of the popped item), and one
 * recipient for each item, even if a thief steals half of the items. */
#include "abi/kmpc/task/deque.h"
#include "tests/unit/test.h"
#include <pthread.h>

enum { ITEMS = 60000, THIEVES = 3 };

static kmpc_deque deque;
static _Atomic int taken[ITEMS + 1];
static _Atomic int finished;
static int accept_asked;

static int refuse(const void *item, const void *context) {
  accept_asked++;
  return item != context;
}

static void check_order(void) {
  static int item[KMPC_DEQUE_PLACES + 1];
  CHECK(solo_kmp_deque_pop(&deque) == NULL);
  CHECK(solo_kmp_deque_steal(&deque, NULL, NULL) == NULL);
  for (int i = 0; i < KMPC_DEQUE_PLACES; i++) CHECK(solo_kmp_deque_push(&deque, &item[i]));
  CHECK(!solo_kmp_deque_push(&deque, &item[KMPC_DEQUE_PLACES]));
  CHECK(solo_kmp_deque_steal(&deque, NULL, NULL) == &item[0]);
  CHECK(solo_kmp_deque_steal(&deque, refuse, &item[1]) == NULL);
  CHECK_INT(accept_asked, 1);
  CHECK(solo_kmp_deque_steal(&deque, refuse, &item[2]) == &item[1]);
  CHECK(solo_kmp_deque_push(&deque, &item[0]));
  CHECK(solo_kmp_deque_push(&deque, &item[1]));
  CHECK(!solo_kmp_deque_push(&deque, &item[KMPC_DEQUE_PLACES]));
  CHECK(solo_kmp_deque_pop(&deque) == &item[1]);
  CHECK(solo_kmp_deque_pop(&deque) == &item[0]);
  for (int i = KMPC_DEQUE_PLACES - 1; i >= 2; i--) CHECK(solo_kmp_deque_pop(&deque) == &item[i]);
  CHECK(solo_kmp_deque_pop(&deque) == NULL);
  CHECK(solo_kmp_deque_seems_empty(&deque));
  CHECK(solo_kmp_deque_push(&deque, &item[0]));
  CHECK(solo_kmp_deque_steal(&deque, refuse, &item[0]) == NULL);
  CHECK(solo_kmp_deque_pop(&deque) == &item[0]); /* a rejected item remains in the deque */
}

/* Called when a thief has claimed the oldest item of a full deque: the owner pops its newest item
 * and restores it. */
static int pop_and_unpop(const void *item, const void *newest) {
  (void)item;
  CHECK(solo_kmp_deque_pop(&deque) == newest);
  solo_kmp_deque_unpop(&deque);
  return 0;
}

static void check_unpop(void) {
  static int item[KMPC_DEQUE_PLACES];
  for (int i = 0; i < KMPC_DEQUE_PLACES; i++) CHECK(solo_kmp_deque_push(&deque, &item[i]));
  CHECK(solo_kmp_deque_steal(&deque, pop_and_unpop, &item[KMPC_DEQUE_PLACES - 1]) == NULL);
  for (int i = KMPC_DEQUE_PLACES - 1; i >= 0; i--) CHECK(solo_kmp_deque_pop(&deque) == &item[i]);
  CHECK(solo_kmp_deque_pop(&deque) == NULL);
}

static void check_halves(void) {
  static int item[3 * KMPC_DEQUE_MAX_STEAL];
  void *some[KMPC_DEQUE_MAX_STEAL];
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, NULL, NULL, some), 0);
  for (int i = 0; i < 5; i++) CHECK(solo_kmp_deque_push(&deque, &item[i]));
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, NULL, NULL, some), 3);
  for (int i = 0; i < 3; i++) CHECK(some[i] == &item[i]);
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, refuse, &item[3], some), 0);
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, refuse, &item[4], some), 1);
  CHECK(some[0] == &item[3]);
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, NULL, NULL, some), 1);
  CHECK(some[0] == &item[4]);
  CHECK(solo_kmp_deque_seems_empty(&deque));
  for (int i = 0; i < 3 * KMPC_DEQUE_MAX_STEAL; i++) CHECK(solo_kmp_deque_push(&deque, &item[i]));
  CHECK_INT(solo_kmp_deque_try_steal_half(&deque, NULL, NULL, some), KMPC_DEQUE_MAX_STEAL);
  CHECK(some[KMPC_DEQUE_MAX_STEAL - 1] == &item[KMPC_DEQUE_MAX_STEAL - 1]);
  for (int i = 3 * KMPC_DEQUE_MAX_STEAL - 1; i >= KMPC_DEQUE_MAX_STEAL; i--)
    CHECK(solo_kmp_deque_pop(&deque) == &item[i]);
  CHECK(solo_kmp_deque_pop(&deque) == NULL);
}

/* Not atomic, so that ThreadSanitizer checks the order: a thief reads items that the thief may
 * reject, and the recipient writes. */
static int content[ITEMS + 1];

static int odd_only(const void *item, const void *context) {
  (void)context;
  return content[(intptr_t)item] & 1;
}

static void count(void *item) {
  if (!item) return;
  content[(intptr_t)item] = -1;
  solo_add_relaxed(&taken[(intptr_t)item], 1);
}

static void *thief(void *argument) {
  kmpc_deque_accept accept = argument ? odd_only : NULL;
  void *some[KMPC_DEQUE_MAX_STEAL];
  while (!solo_load_acquire(&finished)) { /* pairs with the release store in check_sharing() */
    count(solo_kmp_deque_steal(&deque, accept, NULL));
    count(solo_kmp_deque_try_steal(&deque, accept, NULL));
    int half = solo_kmp_deque_try_steal_half(&deque, accept, NULL, some);
    for (int i = 0; i < half; i++) count(some[i]);
    if (argument) solo_cpu_relax();
  }
  return NULL;
}

/* The owner pushes bursts of items and pops most of them, so that owner and thieves compete for the
 * last item. */
static void check_sharing(void) {
  pthread_t thread[THIEVES];
  for (intptr_t i = 0; i < THIEVES; i++) pthread_create(&thread[i], NULL, thief, (void *)(i & 1));
  intptr_t next = 1;
  for (int burst = 1; next <= ITEMS; burst = burst % 5 + 1) {
    for (int i = 0; i < burst && next <= ITEMS; i++) {
      content[next] = (int)next;
      if (solo_kmp_deque_push(&deque, (void *)next)) next++;
    }
    for (int i = 0; i < burst - (burst > 3); i++) count(solo_kmp_deque_pop(&deque));
  }
  void *item;
  while ((item = solo_kmp_deque_pop(&deque))) count(item);
  solo_store_release(&finished, 1); /* pairs with the acquire load in thief() */
  for (int i = 0; i < THIEVES; i++) pthread_join(thread[i], NULL);
  int wrong = 0;
  for (int i = 1; i <= ITEMS; i++) wrong += solo_load_relaxed(&taken[i]) != 1;
  CHECK_INT(wrong, 0);
  CHECK(solo_kmp_deque_seems_empty(&deque));
}

int main(void) {
  check_order();
  check_unpop();
  check_halves();
  check_sharing();
  return TEST_RESULT();
}
