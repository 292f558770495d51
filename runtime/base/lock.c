#include "runtime/base/lock.h"

_Thread_local uint32_t solo_lock_mark;
static _Atomic uint32_t last_mark;
/* In the child of fork(2): values of solo_lock_mark up to this one, except survivor, belong to
 * threads of the parent. */
static _Atomic uint32_t last_dead;
/* mark of the forking thread; 0: it had none */
static _Atomic uint32_t survivor;
static void (*_Atomic before_sleep)(void);

#ifdef SOLO_COUNT_LOCKS
_Atomic uint64_t solo_lock_count;
#endif
#if SOLO_TSAN
_Atomic uint32_t solo_tsan_fence_word;
#endif

#ifdef SOLO_CHECK
#include <stdio.h>

static _Thread_local uint8_t held[SOLO_RANKS]; /* number of locks that this thread owns, by rank */
static _Thread_local int several;

void solo_lock_check_order(const solo_lock *lock) {
  SOLO_ASSERT(lock->rank < SOLO_RANKS, "a lock was never initialized, or its memory was reused");
  for (uint32_t rank = lock->rank + (several ? 1 : 0); lock->rank && rank < SOLO_RANKS; rank++)
    if (held[rank]) {
      fprintf(stderr, "solo: waits for a lock of rank %u, holds one of rank %u\n", lock->rank,
              rank);
      SOLO_ASSERT(!held[rank], "a thread locks in an order that the ranks of the locks forbid");
    }
}

void solo_lock_check_locked(const solo_lock *lock) {
  SOLO_ASSERT(lock->rank < SOLO_RANKS, "a lock was never initialized, or its memory was reused");
  if (lock->rank) held[lock->rank]++;
}

void solo_lock_check_unlocked(const solo_lock *lock) {
  SOLO_ASSERT(solo_load_relaxed(&lock->word) &
                  SOLO_LOCK_HELD, /* relaxed: only the owner changes HELD */
              "unlock of a lock that no thread owns");
  if (!lock->rank) return;
  SOLO_ASSERT(held[lock->rank], "unlock of a lock that another thread owns");
  held[lock->rank]--;
}

void solo_lock_check_several(int how_many_more) {
  several += how_many_more;
}
#endif

enum { SPINS = 100 };

/* Marks are unique for the first 2^30 threads. */
static uint32_t own_mark(void) {
  if (solo_lock_mark) return solo_lock_mark;
  /* relaxed: only uniqueness matters */
  uint32_t mark = solo_add_relaxed(&last_mark, SOLO_LOCK_THREAD) + SOLO_LOCK_THREAD;
  return solo_lock_mark = mark | SOLO_LOCK_HELD;
}

/* relaxed, all: the child has one thread */
void solo_lock_forked(void) {
  solo_store_relaxed(&last_dead, solo_load_relaxed(&last_mark));
  solo_store_relaxed(&survivor, solo_lock_mark);
}

void solo_lock_before_sleep(void (*function)(void)) {
  /* relaxed: the compare-and-swap in solo_fork_install_handlers() publishes it */
  solo_store_relaxed(&before_sleep, function);
}

/* Returns whether the owner in this lock word is a thread of this process. */
static int is_held(uint32_t word) {
  if (word == SOLO_LOCK_FREE) return 0;
  word = (word & ~(uint32_t)SOLO_LOCK_WAITED) | SOLO_LOCK_HELD;
  /* relaxed: both change only in the child of fork(2), while it has one thread */
  return word > (solo_load_relaxed(&last_dead) | SOLO_LOCK_HELD) ||
         word == solo_load_relaxed(&survivor);
}

int solo_lock_try_slow(solo_lock *lock) {
  uint32_t mark = own_mark();
  uint32_t word = solo_load_relaxed(&lock->word); /* relaxed: the compare-and-swap validates it */
  /* acquire: pairs with solo_lock_release */
  if (is_held(word) || !solo_cas_acquire(&lock->word, &word, mark)) return 0;
  solo_lock_check_locked(lock);
  return 1;
}

void solo_lock_slow(solo_lock *lock) {
  uint32_t mark = own_mark();
  for (int i = 0; i < SPINS; i++) {
    /* relaxed: spins on a load, because even a failed compare-and-swap transfers the cache line */
    uint32_t word = solo_load_relaxed(&lock->word);
    /* pairs with solo_lock_release */
    if (!is_held(word) && solo_cas_acquire(&lock->word, &word, mark)) {
      solo_lock_check_locked(lock);
      return;
    }
    solo_cpu_relax();
  }
  mark |= SOLO_LOCK_WAITED;
  void (*function)(void) =
      solo_load_relaxed(&before_sleep); /* relaxed: set before a second thread uses locks */
  if (function) function();
  for (;;) {
    uint32_t word = solo_load_relaxed(&lock->word); /* relaxed: the compare-and-swaps validate it */
    if (!is_held(word)) {
      /* Invariant: WAITED is set while a thread sleeps. It may stay set after the last sleeping
       *            thread wakes.
       * Ordering:  this acquire pairs with the release in solo_lock_release().
       * Otherwise: without WAITED in `mark`, this thread's unlock would not wake the other sleeping
       *            threads.
       */
      if (solo_cas_acquire(&lock->word, &word, mark)) break;
    } else if ((word & SOLO_LOCK_WAITED) ||
               /* relaxed: futex(2) compares the word again */
               solo_cas_relaxed(&lock->word, &word, word | SOLO_LOCK_WAITED)) {
      solo_futex_wait(&lock->word, word | SOLO_LOCK_WAITED, 0);
    }
  }
  solo_lock_check_locked(lock);
}

void solo_unlock_slow(solo_lock *lock) {
  solo_futex_wake(&lock->word, 1);
}
