/* An event count: the place where threads sleep until something may have changed.
 *
 *   waiter:    key = prepare(event); look; if it did not find what it waits for sleep(event, key); leave(event)
 *   notifier:  makes true what a waiter looks for; notify(event)
 *
 * No wake-up is lost. The waiter counts itself in `sleepers`, then passes a seq_cst fence, then looks. The notifier
 * makes the condition true with a seq_cst operation, or with any store followed by a seq_cst fence (that is
 * solo_kmp_publish_and_notify), and then loads `sleepers`. In the one order of all seq_cst operations either
 *   (a) the notifier's operation comes before the waiter's fence: then the waiter's look finds the condition true,
 *       whatever the order of its loads, and it does not sleep; or
 *   (b) the waiter's fence, and so its count, comes first: then the notifier finds a sleeper, changes `word` and wakes
 *       the threads that sleep on it. If the waiter has read its key before that change, the futex call returns at
 *       once or is woken. If it has read its key after it, the acquire load of the key pairs with the release that changed it:
 *       the look comes later and finds the condition true.
 * A waiter that sleeps on its own event count may also count itself as a sleeper of a second, shared one. A notifier
 * that finds a sleeper in the shared one wakes that word and each thread's own word on which somebody sleeps
 * (solo_kmp_wake_team). Both counts come before the waiter's fence and both loads after the notifier's operation, so
 * (a) and (b) hold for each of them.
 * A notifier that finds no sleeper pays one load. Several conditions may share an event; a waiter that was woken for
 * another one's sake looks and sleeps again.
 *
 * Ownership: whose record it is in. Threads: any. Errors: none.
 */
#ifndef SOLO_KMPC_EVENTCOUNT_H
#define SOLO_KMPC_EVENTCOUNT_H

#include "runtime/base/assert.h"
#include "runtime/base/atomic.h"

typedef struct kmpc_eventcount {
  _Atomic uint32_t word;     /* the futex; changes with every wake */
  _Atomic uint32_t sleepers; /* threads between prepare and leave */
} kmpc_eventcount;

SOLO_INLINE uint32_t solo_kmp_eventcount_prepare(kmpc_eventcount *event, kmpc_eventcount *shared) {
  uint32_t key = solo_load_acquire(&event->word);     /* pairs with solo_kmp_eventcount_wake */
  solo_add_relaxed(&event->sleepers, 1);              /* ordered by the fence */
  if (shared) solo_add_relaxed(&shared->sleepers, 1); /* ordered by the fence */
  solo_fence_seq_cst();                               /* pairs with solo_kmp_notify */
  return key;
}

SOLO_INLINE void solo_kmp_eventcount_leave(kmpc_eventcount *event) {
  uint32_t sleepers = solo_sub_relaxed(&event->sleepers, 1); /* one too many costs an idle wake */
  SOLO_ASSERT(sleepers > 0, "a sleeper leaves an event twice");
  (void)sleepers;
}

SOLO_INLINE void solo_kmp_eventcount_sleep(kmpc_eventcount *event, uint32_t key) {
  solo_futex_wait(&event->word, key, 0);
}

/* How many slept already; one who was about to sleep looks again, too. */
SOLO_INLINE int solo_kmp_eventcount_wake(kmpc_eventcount *event, int count) {
  solo_add_release(&event->word, 1); /* pairs with solo_kmp_eventcount_prepare */
  return solo_futex_wake(&event->word, count);
}

/* After a seq_cst operation that made the condition true. */
SOLO_INLINE void solo_kmp_notify(kmpc_eventcount *event) {
  if (SOLO_UNLIKELY(
          solo_load_seq_cst(&event->sleepers))) /* pairs with solo_kmp_eventcount_prepare */
    (void)solo_kmp_eventcount_wake(event, INT32_MAX);
}

/* After stores of any order that made it true. */
SOLO_INLINE void solo_kmp_publish_and_notify(kmpc_eventcount *event) {
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify(event);
}

#endif
