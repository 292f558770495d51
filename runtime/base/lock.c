/* The contended side of lock.h. */
#include "runtime/base/lock.h"

#ifdef SOLO_COUNT_LOCKS
_Atomic uint64_t solo_lock_count;
#endif
#if SOLO_TSAN
_Atomic uint32_t solo_tsan_fence_word;
#endif

/* A holder's critical section is tens of ns; a futex round trip is thousands. */
enum { SPINS = 100 };

void solo_lock_slow(solo_lock *lock) {
  for (int i = 0; i < SPINS; i++) {
    uint32_t free_word = SOLO_LOCK_FREE;
    /* relaxed look first: a failed compare-and-swap would steal the holder's cache line */
    if (solo_load_relaxed(&lock->word) == SOLO_LOCK_FREE &&
        solo_cas_acquire(&lock->word, &free_word, SOLO_LOCK_HELD)) /* pairs with release */
      return;
    solo_cpu_relax();
  }
  /* pairs with solo_lock_release; CONTENDED may outlive the last waiter: one idle wake, harmless */
  while (solo_exchange_acquire(&lock->word, SOLO_LOCK_CONTENDED) != SOLO_LOCK_FREE)
    solo_futex_wait(&lock->word, SOLO_LOCK_CONTENDED, 0);
}

void solo_unlock_slow(solo_lock *lock) {
  solo_futex_wake(&lock->word, 1);
}
