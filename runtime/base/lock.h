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
 *            CONTENDED --unlock, wake one--> FREE
 */
enum { SOLO_LOCK_FREE = 0, SOLO_LOCK_HELD = 1, SOLO_LOCK_CONTENDED = 2 };

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

SOLO_INLINE void solo_lock_acquire(solo_lock *lock) {
  uint32_t free_word = SOLO_LOCK_FREE;
#ifdef SOLO_COUNT_LOCKS
  solo_add_relaxed(&solo_lock_count, 1); /* a counter: orders nothing */
#endif
  /* pairs with solo_lock_release */
  if (!solo_cas_acquire(&lock->word, &free_word, SOLO_LOCK_HELD)) solo_lock_slow(lock);
}

SOLO_INLINE void solo_lock_release(solo_lock *lock) {
  /* pairs with solo_lock_acquire and solo_lock_slow */
  if (solo_exchange_release(&lock->word, SOLO_LOCK_FREE) == SOLO_LOCK_CONTENDED)
    solo_unlock_slow(lock);
}

#endif
