/* A mutex of four bytes on futex(2). Its size does not depend on the libc.
 *
 * Invariant: a thread that waits for a lock owns only locks of lower ranks, so no cycle of waiting
 *            threads exists. Only a thread in fork(2) owns several locks of one rank. Builds with
 *            SOLO_CHECK check the order.
 */
#ifndef SOLO_BASE_LOCK_H
#define SOLO_BASE_LOCK_H

#include "runtime/base/assert.h"
#include "runtime/base/atomic.h"

/* States of the word. The bits above WAITED identify the owner. In the child of fork(2), a lock
 * counts as free if its owner does not exist there (fork.h).
 *
 *   FREE --lock--> HELD --a second thread waits--> HELD | WAITED
 *    ^----unlock----'                                   |
 *    '--------------unlock, wake one thread-------------'
 */
enum { SOLO_LOCK_FREE = 0, SOLO_LOCK_HELD = 1, SOLO_LOCK_WAITED = 2, SOLO_LOCK_THREAD = 4 };

/* the word of each lock that this thread owns, without WAITED; 0: not assigned yet */
extern SOLO_HIDDEN _Thread_local uint32_t solo_lock_mark;

/* Called in the child of fork(2), before a second thread exists: unlocks the locks of the parent's
 * other threads. */
void solo_lock_forked(void);
/* Sets the function that a thread calls before it sleeps for a lock (fork.c). Called once, before a
 * second thread uses locks. */
void solo_lock_before_sleep(void (*function)(void));

/* Order in which a thread may lock, outermost first. */
typedef enum solo_lock_rank {
  SOLO_RANK_NONE, /* not checked: locks of the user's program */
  SOLO_RANK_FORK,
  SOLO_RANK_OBSERVER,
  SOLO_RANK_RTL_TABLES, /* owned while images load */
  SOLO_RANK_RTL_STREAM,
  SOLO_RANK_RTL_EVENTS,
  SOLO_RANK_STREAM,
  SOLO_RANK_DEVICE,    /* owned during driver calls */
  SOLO_RANK_NUMBERING, /* owned during driver calls */
  SOLO_RANK_REGISTRY,
  SOLO_RANK_SCAN,
  SOLO_RANK_LARGE, /* owned during driver calls */
  SOLO_RANK_NOWAIT,
  SOLO_RANK_MAPPING, /* not owned during driver calls */
  SOLO_RANK_SHARD,
  SOLO_RANK_COUNTS,
  SOLO_RANK_POOL,
  SOLO_RANK_FPTR,
  SOLO_RANK_DRIVER,
  SOLO_RANK_DRIVER_QUEUE,
  SOLO_RANK_PLACES,
  SOLO_RANK_ICV,
  SOLO_RANK_WORKERS,
  SOLO_RANK_SETTINGS,
  SOLO_RANK_LEAF,
  SOLO_RANKS
} solo_lock_rank;

typedef struct solo_lock {
  _Atomic uint32_t word;
#ifdef SOLO_CHECK
  uint32_t rank;
#endif
} solo_lock;

#ifdef SOLO_CHECK
#define SOLO_LOCK_INIT(its_rank)                                                                   \
  { SOLO_LOCK_FREE, (its_rank) }
#else
#define SOLO_LOCK_INIT(its_rank)                                                                   \
  { SOLO_LOCK_FREE }
#endif

/* Zeroed memory is a free lock without rank. */
SOLO_INLINE void solo_lock_init(solo_lock *lock, solo_lock_rank rank) {
  solo_store_relaxed(&lock->word, SOLO_LOCK_FREE); /* relaxed: not shared yet */
#ifdef SOLO_CHECK
  lock->rank = (uint32_t)rank;
#else
  (void)rank;
#endif
}

#ifdef SOLO_CHECK
void solo_lock_check_order(const solo_lock *lock);
void solo_lock_check_locked(const solo_lock *lock);
void solo_lock_check_unlocked(const solo_lock *lock);
/* +1: this thread may own several locks of one rank; -1: ends the permission */
void solo_lock_check_several(int how_many_more);
#else
#define solo_lock_check_order(lock)            ((void)0)
#define solo_lock_check_locked(lock)           ((void)0)
#define solo_lock_check_unlocked(lock)         ((void)0)
#define solo_lock_check_several(how_many_more) ((void)0)
#endif

int solo_lock_try_slow(solo_lock *lock);
void solo_lock_slow(solo_lock *lock);
void solo_unlock_slow(solo_lock *lock);

SOLO_INLINE int solo_lock_is_own(const solo_lock *lock) {
  /* relaxed: only this thread stores its mark */
  uint32_t word = solo_load_relaxed(&lock->word);
  return solo_lock_mark && (word & ~(uint32_t)SOLO_LOCK_WAITED) == solo_lock_mark;
}

#ifdef SOLO_COUNT_LOCKS
extern _Atomic uint64_t solo_lock_count; /* number of acquisitions, for tests */
#endif

SOLO_INLINE int solo_lock_try_fast(solo_lock *lock) {
  uint32_t word = SOLO_LOCK_FREE, mark = solo_lock_mark;
  /* acquire: pairs with solo_lock_release */
  if (SOLO_UNLIKELY(!mark) || !solo_cas_acquire(&lock->word, &word, mark)) return 0;
  solo_lock_check_locked(lock);
  return 1;
}

SOLO_INLINE int solo_lock_try(solo_lock *lock) {
  return solo_lock_try_fast(lock) || solo_lock_try_slow(lock);
}

SOLO_INLINE void solo_lock_acquire(solo_lock *lock) {
#ifdef SOLO_COUNT_LOCKS
  solo_add_relaxed(&solo_lock_count, 1); /* relaxed: a counter */
#endif
  solo_lock_check_order(lock);
  if (!solo_lock_try_fast(lock)) solo_lock_slow(lock);
}

SOLO_INLINE void solo_lock_release(solo_lock *lock) {
  solo_lock_check_unlocked(lock);
  /* Invariant: the protected data are consistent while the word is FREE.
   * Ordering:  this release pairs with the acquires in solo_lock_try_fast(), solo_lock_try_slow()
   *            and solo_lock_slow().
   * Otherwise: the next owner reads old data.
   */
  if (solo_exchange_release(&lock->word, SOLO_LOCK_FREE) & SOLO_LOCK_WAITED) solo_unlock_slow(lock);
}

/* Unlocks a lock that threads lock only with solo_lock_try. No thread sleeps for such a lock, so a
 * plain store suffices. */
SOLO_INLINE void solo_lock_release_tried(solo_lock *lock) {
  solo_lock_check_unlocked(lock);
  SOLO_ASSERT(!(solo_load_relaxed(&lock->word) & SOLO_LOCK_WAITED),
              "a thread waits for a lock that all threads only try to lock");
  /* pairs with solo_lock_try_fast and solo_lock_try_slow */
  solo_store_release(&lock->word, SOLO_LOCK_FREE);
}

#endif
