/* The contended side of lock.h. */
#include "runtime/base/lock.h"

_Atomic uint32_t solo_lock_held = SOLO_LOCK_HELD;
#ifdef SOLO_COUNT_LOCKS
_Atomic uint64_t solo_lock_count;
#endif
#if SOLO_TSAN
_Atomic uint32_t solo_tsan_fence_word;
#endif

#ifdef SOLO_CHECK
#include <stdio.h>

static _Thread_local uint8_t held[SOLO_RANKS]; /* how many locks of each rank this thread holds */
static _Thread_local int several;              /* it may hold more than one of a rank */

void solo_lock_check_order(const solo_lock *lock) {
  SOLO_ASSERT(lock->rank < SOLO_RANKS, "a lock was never initialized, or its memory was reused");
  for (uint32_t rank = lock->rank + (several ? 1 : 0); lock->rank && rank < SOLO_RANKS; rank++)
    if (held[rank]) {
      fprintf(stderr, "solo: waits for a lock of rank %u, holds one of rank %u\n", lock->rank,
              rank);
      SOLO_ASSERT(!held[rank], "locks are taken against the order of their ranks");
    }
}

void solo_lock_check_taken(const solo_lock *lock) {
  SOLO_ASSERT(lock->rank < SOLO_RANKS, "a lock was never initialized, or its memory was reused");
  if (lock->rank) held[lock->rank]++;
}

void solo_lock_check_given(const solo_lock *lock) {
  SOLO_ASSERT(solo_load_relaxed(&lock->word) & SOLO_LOCK_HELD, /* ours: nobody else changes HELD */
              "a lock is released that nobody holds");
  if (!lock->rank) return;
  SOLO_ASSERT(held[lock->rank], "a lock is released by a thread that does not hold it");
  held[lock->rank]--;
}

void solo_lock_check_several(int how_many_more) {
  several += how_many_more;
}
#endif

/* A holder's critical section is tens of ns; a futex round trip is thousands. */
enum { SPINS = 100 };

/* Held by a thread of this process? */
static int is_held(uint32_t word, uint32_t held) {
  return word != SOLO_LOCK_FREE && (word ^ held) < SOLO_LOCK_PROCESS;
}

void solo_lock_slow(solo_lock *lock) {
  uint32_t held = solo_load_relaxed(&solo_lock_held); /* changes in fork(2) only */
  for (int i = 0; i < SPINS; i++) {
    /* relaxed look first: a failed compare-and-swap would steal the holder's cache line */
    uint32_t word = solo_load_relaxed(&lock->word);
    if (!is_held(word, held) &&
        solo_cas_acquire(&lock->word, &word, held)) { /* pairs with release */
      solo_lock_check_taken(lock);
      return;
    }
    solo_cpu_relax();
  }
  held |= SOLO_LOCK_WAITED;
  /* pairs with solo_lock_release; WAITED may outlive the last waiter: one idle wake, harmless */
  while (is_held(solo_exchange_acquire(&lock->word, held), held))
    solo_futex_wait(&lock->word, held, 0);
  solo_lock_check_taken(lock);
}

void solo_unlock_slow(solo_lock *lock) {
  solo_futex_wake(&lock->word, 1);
}
