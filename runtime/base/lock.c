/* The contended side of lock.h. */
#include "runtime/base/lock.h"

_Thread_local uint32_t solo_lock_mark;
static _Atomic uint32_t last_mark; /* given out so far; the next thread gets this one plus THREAD */
static _Atomic uint32_t last_dead; /* threads with marks up to it are not in this process ... */
static _Atomic uint32_t survivor;  /* ... but for the one that forked; 0: it had none */
static void (*_Atomic before_sleep)(void);

#ifdef SOLO_COUNT_LOCKS
_Atomic uint64_t solo_lock_count;
#endif
#if SOLO_TSAN
_Atomic uint32_t solo_tsan_fence_word;
#endif

#ifdef SOLO_CHECK
#include <stdio.h>

static _Thread_local uint8_t held[SOLO_RANKS]; /* how many locks of each rank this thread holds */
static _Thread_local int several;              /* nonzero: it may hold more than one of a rank */

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
  SOLO_ASSERT(solo_load_relaxed(&lock->word) &
                  SOLO_LOCK_HELD, /* own: no other thread changes HELD */
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

/* Marks are unique until 2^30 threads have taken locks. */
static uint32_t own_mark(void) {
  if (solo_lock_mark) return solo_lock_mark;
  /* relaxed: only uniqueness matters */
  uint32_t mark = solo_add_relaxed(&last_mark, SOLO_LOCK_THREAD) + SOLO_LOCK_THREAD;
  return solo_lock_mark = mark | SOLO_LOCK_HELD;
}

/* relaxed, all four: the child has one thread, and those that it makes see what it wrote */
void solo_lock_forked(void) {
  solo_store_relaxed(&last_dead, solo_load_relaxed(&last_mark));
  solo_store_relaxed(&survivor, solo_lock_mark);
}

void solo_lock_before_sleep(void (*look)(void)) {
  solo_store_relaxed(&before_sleep, look); /* seen with any lock that the caller takes later */
}

/* Held by a thread of this process? */
static int is_held(uint32_t word) {
  if (word == SOLO_LOCK_FREE) return 0;
  word = (word & ~(uint32_t)SOLO_LOCK_WAITED) | SOLO_LOCK_HELD;
  /* relaxed: both change in fork(2) only */
  return word > (solo_load_relaxed(&last_dead) | SOLO_LOCK_HELD) ||
         word == solo_load_relaxed(&survivor);
}

int solo_lock_try_slow(solo_lock *lock) {
  uint32_t mark = own_mark();
  uint32_t word = solo_load_relaxed(&lock->word); /* the compare-and-swap decides */
  /* acquire: pairs with solo_lock_release of the thread that took it first */
  if (is_held(word) || !solo_cas_acquire(&lock->word, &word, mark)) return 0;
  solo_lock_check_taken(lock);
  return 1;
}

void solo_lock_slow(solo_lock *lock) {
  uint32_t mark = own_mark();
  for (int i = 0; i < SPINS; i++) {
    /* relaxed look first: a failed compare-and-swap would steal the holder's cache line */
    uint32_t word = solo_load_relaxed(&lock->word);
    if (!is_held(word) && solo_cas_acquire(&lock->word, &word, mark)) { /* pairs with release */
      solo_lock_check_taken(lock);
      return;
    }
    solo_cpu_relax();
  }
  mark |= SOLO_LOCK_WAITED;
  void (*look)(void) =
      solo_load_relaxed(&before_sleep); /* written before the lock waited for was taken */
  if (look) look();
  for (;;) {
    uint32_t word = solo_load_relaxed(&lock->word); /* the compare-and-swaps decide */
    if (!is_held(word)) {
      /* pairs with solo_lock_release; WAITED may outlive the last waiter: one idle wake, harmless */
      if (solo_cas_acquire(&lock->word, &word, mark)) break;
    } else if ((word & SOLO_LOCK_WAITED) ||
               solo_cas_relaxed(&lock->word, &word, word | SOLO_LOCK_WAITED)) { /* announces */
      solo_futex_wait(&lock->word, word | SOLO_LOCK_WAITED, 0);
    }
  }
  solo_lock_check_taken(lock);
}

void solo_unlock_slow(solo_lock *lock) {
  solo_futex_wake(&lock->word, 1);
}
