/* A four-byte mutex over futex(2) and a once-flag, for the writers' side of the runtime.
 *
 * Why not pthread_mutex_t: it is ten times as large, its size differs between libcs, and a lock of
 * ours can be counted (solo_lock_count), which is how tests prove that the hot path takes none.
 *
 * Lock ranks, low to high; never take a lower one while holding a higher:
 *   device < registry < mapping table < queue < pool.
 * No driver call, no copy and no logging under the mapping table's lock.
 */
#ifndef SOLO_BASE_LOCK_H
#define SOLO_BASE_LOCK_H

#include "runtime/base/atomic.h"

/*        lock                 unlock
 *  FREE ------> HELD ------------------> FREE
 *                |  second thread arrives
 *                v
 *           HELD | WAITED --unlock, wake one--> FREE
 *
 * The bits above say for which process: after fork(2) a lock held by a thread of the parent's is
 * held by nobody, and the next to come takes it. (What it guards may have been half changed; locks
 * of which that matters are taken around fork, runtime/device/fork.c.)
 */
enum { SOLO_LOCK_FREE = 0, SOLO_LOCK_HELD = 1, SOLO_LOCK_WAITED = 2, SOLO_LOCK_PROCESS = 4 };

extern SOLO_HIDDEN _Atomic uint32_t solo_lock_held; /* HELD, by this process */

/* In the child of fork(2), before anything else. */
SOLO_INLINE void solo_lock_forked(void) {
  solo_add_relaxed(&solo_lock_held, SOLO_LOCK_PROCESS); /* the child has one thread */
}

typedef struct solo_lock {
  _Atomic uint32_t word;
} solo_lock;

#define SOLO_LOCK_INIT                                                                             \
  { SOLO_LOCK_FREE }

void solo_lock_slow(solo_lock *lock);
void solo_unlock_slow(solo_lock *lock);

#ifdef SOLO_COUNT_LOCKS
extern _Atomic uint64_t solo_lock_count; /* acquisitions in this process, for tests */
#endif

/* Nonzero: taken. Does not wait. */
SOLO_INLINE int solo_lock_try(solo_lock *lock) {
  uint32_t free_word = SOLO_LOCK_FREE;
  /* relaxed: changes in fork(2) only; acquire: pairs with solo_lock_release */
  return solo_cas_acquire(&lock->word, &free_word, solo_load_relaxed(&solo_lock_held));
}

SOLO_INLINE void solo_lock_acquire(solo_lock *lock) {
#ifdef SOLO_COUNT_LOCKS
  solo_add_relaxed(&solo_lock_count, 1); /* a counter: orders nothing */
#endif
  if (!solo_lock_try(lock)) solo_lock_slow(lock);
}

SOLO_INLINE void solo_lock_release(solo_lock *lock) {
  /* pairs with solo_lock_acquire and solo_lock_slow */
  if (solo_exchange_release(&lock->word, SOLO_LOCK_FREE) & SOLO_LOCK_WAITED) solo_unlock_slow(lock);
}

#endif
