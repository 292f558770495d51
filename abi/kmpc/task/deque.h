/* A thread's deque of ready tasks: its owner pushes and pops at the tail (last in, first out),
 * others take at the head (first in, first out).
 *
 * Why not the usual lock-free deque: a thief must look into a task before it may take it (the task
 * scheduling constraint, OpenMP 5.2, 12.9), and the task must not be run and freed meanwhile. So
 * thieves serialise on a lock and claim the head before they look; the owner meets the lock only
 * when it and a thief want the same last task. A push is two stores, a pop one fence.
 *
 *      head          tail       Positions count in twos. Odd head: claimed by a thief, who then
 * takes v             v        it (next even number) or refuses it (the even number before). So an
 *    . . t t t t t t t . .      owner that finds an even head at its tail knows that nothing is
 *                               left, and one that finds an odd head there asks again under the
 * lock. A thief that takes several claims them all at once: then an odd head is one below the end of the claim,
 * which may lie beyond the tail.
 *
 * Capacity is fixed; a full deque refuses, and the caller runs the task at once (which also bounds
 * the memory of a program that makes a million tasks in a row).
 *
 * Ownership: items are the caller's. Threads: push and pop by the owner alone, take by anyone.
 * Errors: none. Held by tests/unit/test_task_deque.c.
 */
#ifndef SOLO_KMPC_TASK_DEQUE_H
#define SOLO_KMPC_TASK_DEQUE_H

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

enum { KMPC_DEQUE_PLACES = 256 };   /* a power of two */
enum { KMPC_DEQUE_HALF_MOST = 16 }; /* that a thief takes at once */

typedef struct kmpc_deque {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic int64_t head; /* written under lock */
  solo_lock lock;                                     /* guards head */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  _Atomic int64_t tail; /* owner writes, as it does the items beside */
  SOLO_ALIGNED(SOLO_CACHE_LINE) void *_Atomic item[KMPC_DEQUE_PLACES];
} kmpc_deque;

/* May the thief have this item? The item is claimed: nobody else runs or frees it meanwhile. */
typedef int (*kmpc_deque_accept)(const void *item, const void *context);

SOLO_INLINE uint32_t solo_kmp_deque_place(int64_t position) {
  return (uint32_t)(position >> 1) & (KMPC_DEQUE_PLACES - 1);
}

/* 0: full. */
SOLO_INLINE int solo_kmp_deque_push(kmpc_deque *deque, void *item) {
  int64_t tail = solo_load_relaxed(&deque->tail); /* the owner's own value */
  /* pairs with solo_kmp_deque_take, which has read the place; a claimed item still counts */
  int64_t used = tail - solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(used > 2 * (KMPC_DEQUE_PLACES - KMPC_DEQUE_HALF_MOST)) &&
      (used & 1 || used >= 2 * KMPC_DEQUE_PLACES)) /* odd: up to HALF_MOST more are claimed */
    return 0;
  solo_store_relaxed(&deque->item[solo_kmp_deque_place(tail)], item); /* published by tail */
  solo_store_release(&deque->tail, tail + 2); /* pairs with solo_kmp_deque_take */
  return 1;
}

/* The owner's last item, or NULL: none. */
void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail);
SOLO_INLINE void *solo_kmp_deque_pop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail) - 2; /* the owner's own value */
  int64_t head = solo_load_relaxed(&deque->head);     /* old is lower: the check below finds it */
  if (head > tail && !(head & 1)) return NULL;
  /* release: a thief that sees this tail sees what is in the items before it; pairs with take_and_unlock. The
   * order to the load below is the fence's. */
  solo_store_release(&deque->tail, tail);
  solo_fence_seq_cst(); /* pairs with the fence in solo_kmp_deque_take */
  /* pairs with solo_kmp_deque_take: who refused the item has looked at it before we use it */
  head = solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(head > tail)) return solo_kmp_deque_pop_contended(deque, tail);
  return solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]); /* the owner stored it */
}

/* The owner's last pop did not happen: its item is still in its place, which only the owner writes. Not a push, which
 * may be refused while a thief has claimed more than is left. */
SOLO_INLINE void solo_kmp_deque_unpop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail); /* the owner's own value */
  solo_store_release(&deque->tail, tail + 2);     /* pairs with solo_kmp_deque_take */
}

/* Is there anything? An answer that may be old when it arrives. */
SOLO_INLINE int solo_kmp_deque_looks_empty(kmpc_deque *deque) {
  /* relaxed: a hint; take decides */
  return solo_load_relaxed(&deque->head) >= solo_load_relaxed(&deque->tail);
}

/* How many there are, as old. */
SOLO_INLINE int64_t solo_kmp_deque_count(kmpc_deque *deque) {
  return (solo_load_relaxed(&deque->tail) - solo_load_relaxed(&deque->head)) / 2; /* a hint */
}

/* The same, but what a thief has claimed and may refuse is there. Not for who asks again and again: thieves would keep
 * one another at it. */
SOLO_INLINE int solo_kmp_deque_is_empty(kmpc_deque *deque) {
  int64_t head = solo_load_relaxed(&deque->head); /* relaxed: a hint; take decides */
  return head >= solo_load_relaxed(&deque->tail) && !(head & 1);
}

/* The oldest item that is there, if accept (NULL: always) says yes; else NULL. */
void *solo_kmp_deque_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* The same; returns NULL also when another thief is at work: try elsewhere. */
void *solo_kmp_deque_try_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* The older half of the items that are there, no more than KMPC_DEQUE_HALF_MOST and none behind one that accept refuses;
 * their number. 0 also when another thief is at work. */
int solo_kmp_deque_try_take_half(kmpc_deque *deque, kmpc_deque_accept accept, const void *context,
                                 void *items[KMPC_DEQUE_HALF_MOST]);

#endif
