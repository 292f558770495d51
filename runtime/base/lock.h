/* A four-byte mutex over futex(2) and a once-flag, for the writers' side of the runtime.
 *
 * Why not pthread_mutex_t: it is ten times as large, its size differs between libcs, and a lock of
 * ours can be counted (solo_lock_count), which is how tests prove that the hot path takes none.
 *
 * Each lock has a rank (solo_lock_rank). A thread that waits for a lock holds only locks of lower
 * ranks; so no circle of waiting threads can form. Of one rank a thread holds one lock at a time,
 * except in fork(2), which takes the locks of all devices in the order of their numbers. The check
 * variants verify both at every acquisition.
 */
#ifndef SOLO_BASE_LOCK_H
#define SOLO_BASE_LOCK_H

#include "runtime/base/assert.h"
#include "runtime/base/atomic.h"

/*        lock                 unlock
 *  FREE ------> HELD ------------------> FREE
 *                |  second thread arrives
 *                v
 *           HELD | WAITED --unlock, wake one--> FREE
 *
 * The bits above say by which thread: after fork(2) a lock that was held by a thread that the child
 * does not have counts as free, and the next thread that waits for it or tries it takes it. What the forking
 * thread held it holds in the child, too. (What a lock guards may have been half changed; base/fork.h
 * says which locks fork waits for.)
 */
enum { SOLO_LOCK_FREE = 0, SOLO_LOCK_HELD = 1, SOLO_LOCK_WAITED = 2, SOLO_LOCK_THREAD = 4 };

/* HELD by the calling thread; 0: it has not taken a lock yet. */
extern SOLO_HIDDEN _Thread_local uint32_t solo_lock_mark;

/* Called in the child of fork(2), before it has a second thread; calling it twice is harmless. */
void solo_lock_forked(void);
/* What a thread does before it sleeps for a lock: the holder may be in another process (fork.c). Set once, before
 * a second thread takes locks. */
void solo_lock_before_sleep(void (*look)(void));

/* The order in which locks are taken, the outermost first. This is the only list of it. */
typedef enum solo_lock_rank {
  SOLO_RANK_NONE, /* not in the order: a program's (critical, omp_lock_t), or held over nothing */
  SOLO_RANK_FORK, /* base: one thread forks at a time */
  SOLO_RANK_OBSERVER,     /* trace: the observers; a tool starts under it */
  SOLO_RANK_RTL_TABLES,   /* abi/rtl: the tables that stand for libraries; held across loading */
  SOLO_RANK_RTL_STREAM,   /* abi/rtl: a stream of the RTL interface */
  SOLO_RANK_RTL_EVENTS,   /* abi/rtl: the graph of synchronization events */
  SOLO_RANK_STREAM,       /* construct: a stream, while a construct is built in it */
  SOLO_RANK_DEVICE,       /* device: opening, loading, unloading; held across driver calls */
  SOLO_RANK_NUMBERING,    /* device: the search for devices; held across driver calls */
  SOLO_RANK_REGISTRY,     /* device: the list of libraries */
  SOLO_RANK_SCAN,         /* device: the one scan of a library */
  SOLO_RANK_LARGE,        /* map: the thread that maps something large; held across driver calls */
  SOLO_RANK_NOWAIT,       /* construct: which constructs are in flight */
  SOLO_RANK_MAPPING,      /* table: writers of a mapping table; no driver call under it */
  SOLO_RANK_SHARD,        /* table: the same of a part of a table */
  SOLO_RANK_POOL,         /* device: lists of device memory */
  SOLO_RANK_FPTR,         /* device: tables of function pointers */
  SOLO_RANK_DRIVER,       /* backends: a device of a backend */
  SOLO_RANK_DRIVER_QUEUE, /* backends: queues, events, modules of a device */
  SOLO_RANK_PLACES,       /* abi/kmpc: the first look at the machine's places */
  SOLO_RANK_ICV,          /* abi/kmpc: the first reading of the environment */
  SOLO_RANK_WORKERS,      /* abi/kmpc: idle worker teams */
  SOLO_RANK_SETTINGS,     /* base: the first reading of the environment */
  SOLO_RANK_LEAF,         /* anything under which no lock is taken */
  SOLO_RANKS
} solo_lock_rank;

typedef struct solo_lock {
  _Atomic uint32_t word;
#ifdef SOLO_CHECK
  uint32_t rank; /* solo_lock_rank */
#endif
} solo_lock;

#ifdef SOLO_CHECK
#define SOLO_LOCK_INIT(its_rank)                                                                   \
  { SOLO_LOCK_FREE, (its_rank) }
#else
#define SOLO_LOCK_INIT(its_rank)                                                                   \
  { SOLO_LOCK_FREE }
#endif

/* For a lock in memory that is not static. Zeroed memory is a free lock of no rank. */
SOLO_INLINE void solo_lock_init(solo_lock *lock, solo_lock_rank rank) {
  solo_store_relaxed(&lock->word, SOLO_LOCK_FREE); /* no other thread knows it yet */
#ifdef SOLO_CHECK
  lock->rank = (uint32_t)rank;
#else
  (void)rank;
#endif
}

/* What the calling thread holds, by rank; nothing where SOLO_CHECK is not defined. */
#ifdef SOLO_CHECK
void solo_lock_check_order(const solo_lock *lock); /* it is about to wait for it */
void solo_lock_check_taken(const solo_lock *lock);
void solo_lock_check_given(const solo_lock *lock);
/* Between them the thread may take several locks of one rank. */
void solo_lock_check_several(int how_many_more);
#else
#define solo_lock_check_order(lock)            ((void)0)
#define solo_lock_check_taken(lock)            ((void)0)
#define solo_lock_check_given(lock)            ((void)0)
#define solo_lock_check_several(how_many_more) ((void)0)
#endif

int solo_lock_try_slow(solo_lock *lock); /* free, or its holder is gone: taken, nonzero */
void solo_lock_slow(solo_lock *lock);
void solo_unlock_slow(solo_lock *lock);

/* Does the calling thread hold it? */
SOLO_INLINE int solo_lock_is_own(const solo_lock *lock) {
  uint32_t word = solo_load_relaxed(&lock->word); /* equal only if this thread stored it */
  return solo_lock_mark && (word & ~(uint32_t)SOLO_LOCK_WAITED) == solo_lock_mark;
}

#ifdef SOLO_COUNT_LOCKS
extern _Atomic uint64_t solo_lock_count; /* acquisitions in this process, for tests */
#endif

/* The common case: the lock is free, and the thread has a mark. */
SOLO_INLINE int solo_lock_take_free(solo_lock *lock) {
  uint32_t word = SOLO_LOCK_FREE, mark = solo_lock_mark;
  /* acquire: pairs with solo_lock_release */
  if (SOLO_UNLIKELY(!mark) || !solo_cas_acquire(&lock->word, &word, mark)) return 0;
  solo_lock_check_taken(lock);
  return 1;
}

/* Nonzero: taken. Does not wait. */
SOLO_INLINE int solo_lock_try(solo_lock *lock) {
  return solo_lock_take_free(lock) || solo_lock_try_slow(lock);
}

SOLO_INLINE void solo_lock_acquire(solo_lock *lock) {
#ifdef SOLO_COUNT_LOCKS
  solo_add_relaxed(&solo_lock_count, 1); /* a counter: orders nothing */
#endif
  solo_lock_check_order(lock);
  if (!solo_lock_take_free(lock)) solo_lock_slow(lock);
}

SOLO_INLINE void solo_lock_release(solo_lock *lock) {
  solo_lock_check_given(lock);
  /* pairs with solo_lock_acquire and solo_lock_slow */
  if (solo_exchange_release(&lock->word, SOLO_LOCK_FREE) & SOLO_LOCK_WAITED) solo_unlock_slow(lock);
}

/* The same of a lock that all its users take by solo_lock_try: nobody sleeps for it, so a store will do. */
SOLO_INLINE void solo_lock_release_tried(solo_lock *lock) {
  solo_lock_check_given(lock);
  SOLO_ASSERT(!(solo_load_relaxed(&lock->word) & SOLO_LOCK_WAITED), "a tried lock is waited for");
  solo_store_release(&lock->word, SOLO_LOCK_FREE); /* pairs with solo_lock_try */
}

#endif
