/* An event count: threads sleep on it until another thread signals a change.
 *
 *   waiter:   key = prepare(event); if the condition is false: sleep(event, key); leave(event)
 *   notifier: makes the condition true; notify(event)
 *
 * Invariant: a waiter tests its condition after it incremented `sleepers`; a notifier reads
 *            `sleepers` after the change.
 * Ordering:  the fence in solo_kmp_eventcount_prepare() pairs with the seq_cst operations in
 *            solo_kmp_notify(). Either the waiter sees the change, or the notifier sees the sleeper
 *            and wakes it.
 * Otherwise: the waiter could sleep forever.
 *
 * Proof: I1 in docs/design/host-threads.md.
 */
#ifndef SOLO_KMPC_EVENTCOUNT_H
#define SOLO_KMPC_EVENTCOUNT_H

#include "runtime/base/assert.h"
#include "runtime/base/atomic.h"

typedef struct kmpc_eventcount {
  _Atomic uint32_t word;
  _Atomic uint32_t sleepers; /* threads between prepare and leave */
} kmpc_eventcount;

SOLO_INLINE uint32_t solo_kmp_eventcount_prepare(kmpc_eventcount *event, kmpc_eventcount *shared) {
  uint32_t key = solo_load_acquire(&event->word); /* pairs with solo_kmp_eventcount_wake */
  solo_add_relaxed(&event->sleepers, 1);          /* the fence orders both increments */
  if (shared) solo_add_relaxed(&shared->sleepers, 1);
  solo_fence_seq_cst(); /* pairs with solo_kmp_notify */
  return key;
}

SOLO_INLINE void solo_kmp_eventcount_leave(kmpc_eventcount *event) {
  /* relaxed: a stale count costs only a useless wake */
  uint32_t sleepers = solo_sub_relaxed(&event->sleepers, 1);
  SOLO_ASSERT(sleepers > 0, "a sleeper leaves an event twice");
  (void)sleepers;
}

SOLO_INLINE void solo_kmp_eventcount_sleep(kmpc_eventcount *event, uint32_t key) {
  solo_futex_wait(&event->word, key, 0);
}

SOLO_INLINE int solo_kmp_eventcount_wake(kmpc_eventcount *event, int count) {
  solo_add_release(&event->word, 1); /* pairs with solo_kmp_eventcount_prepare */
  return solo_futex_wake(&event->word, count);
}

/* Called after a seq_cst operation has changed the condition. */
SOLO_INLINE void solo_kmp_notify(kmpc_eventcount *event) {
  if (SOLO_UNLIKELY(
          solo_load_seq_cst(&event->sleepers))) /* pairs with solo_kmp_eventcount_prepare */
    (void)solo_kmp_eventcount_wake(event, INT32_MAX);
}

/* Called after stores of any memory order. */
SOLO_INLINE void solo_kmp_publish_and_notify(kmpc_eventcount *event) {
  solo_fence_seq_cst(); /* pairs with solo_kmp_eventcount_prepare */
  solo_kmp_notify(event);
}

#endif
