/* A deque of ready tasks. The owner pushes and pops at the tail, thieves remove tasks at the head.
 * Positions advance in steps of two; an odd head marks a claim. Thieves lock, because a thief must
 * examine a task (task scheduling constraint, OpenMP 5.2, 12.9) before it removes it. Proof:
 * docs/design/host-tasks.md. */
#ifndef SOLO_KMPC_TASK_DEQUE_H
#define SOLO_KMPC_TASK_DEQUE_H

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

enum { KMPC_DEQUE_PLACES = 256 };   /* a power of two */
enum { KMPC_DEQUE_HALF_MOST = 16 }; /* items per steal */

typedef struct kmpc_deque {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic int64_t head; /* written under lock */
  solo_lock lock;                                     /* guards head */
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  _Atomic int64_t tail; /* written by the owner */
  SOLO_ALIGNED(SOLO_CACHE_LINE) void *_Atomic item[KMPC_DEQUE_PLACES];
} kmpc_deque;

/* Returns nonzero if the thief may remove the item. The item is claimed: no other thread executes
 * or frees it. */
typedef int (*kmpc_deque_accept)(const void *item, const void *context);

SOLO_INLINE uint32_t solo_kmp_deque_place(int64_t position) {
  return (uint32_t)(position >> 1) & (KMPC_DEQUE_PLACES - 1);
}

/* Returns 0 if the deque is full. */
SOLO_INLINE int solo_kmp_deque_push(kmpc_deque *deque, void *item) {
  /* relaxed, also below: only the owner writes tail */
  int64_t tail = solo_load_relaxed(&deque->tail);
  /* Invariant: a place is reused only after the thief that removed its item has read it.
   * Ordering:  this acquire load pairs with the release store of head in take_and_unlock().
   * Otherwise: the owner could overwrite an item that a thief is about to read.
   */
  int64_t used = tail - solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(used > 2 * (KMPC_DEQUE_PLACES - KMPC_DEQUE_HALF_MOST)) &&
      /* odd: up to KMPC_DEQUE_HALF_MOST more items are claimed */
      (used & 1 || used >= 2 * KMPC_DEQUE_PLACES))
    return 0;
  solo_store_relaxed(&deque->item[solo_kmp_deque_place(tail)], item);
  /* Invariant: each item below tail is stored and its task is initialised.
   * Ordering:  this release store pairs with the acquire load of tail in take_and_unlock().
   * Otherwise: a thief could execute a task that is not initialised.
   */
  solo_store_release(&deque->tail, tail + 2);
  return 1;
}

/* Removes the youngest item. Returns NULL if the deque is empty. */
void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail);
SOLO_INLINE void *solo_kmp_deque_pop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail) - 2; /* relaxed: only the owner writes tail */
  int64_t head = solo_load_relaxed(&deque->head);     /* relaxed: an even head never decreases */
  if (head > tail && !(head & 1)) return NULL;
  /* Lowers tail, then reads head; a thief stores its claim in head, then reads tail.
   * Invariant: the owner and a thief never both remove an item, because one of them observes the
   *            other's store.
   * Ordering:  the fence pairs with the fence in take_and_unlock(). The release store pairs with
   *            the acquire load of tail there.
   * Otherwise: a task could be executed twice.
   */
  solo_store_release(&deque->tail, tail);
  solo_fence_seq_cst();
  /* Invariant: a thief that has refused an item does not read its task any more.
   * Ordering:  this acquire load pairs with the release store of head in take_and_unlock().
   * Otherwise: the owner could free a task that accept() still reads.
   */
  head = solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(head > tail)) return solo_kmp_deque_pop_contended(deque, tail);
  /* relaxed: the owner stored it */
  return solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]);
}

/* Cancels the last pop of the owner. The item is still in its place. A push could fail here while a
 * thief has claimed more items than are left. */
SOLO_INLINE void solo_kmp_deque_unpop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail); /* relaxed: only the owner writes tail */
  solo_store_release(&deque->tail, tail + 2); /* pairs with the acquire load in take_and_unlock */
}

/* A hint. Claimed items count as removed. */
SOLO_INLINE int solo_kmp_deque_looks_empty(kmpc_deque *deque) {
  /* relaxed: a hint */
  return solo_load_relaxed(&deque->head) >= solo_load_relaxed(&deque->tail);
}

SOLO_INLINE int64_t solo_kmp_deque_count(kmpc_deque *deque) {
  /* relaxed: a hint */
  return (solo_load_relaxed(&deque->tail) - solo_load_relaxed(&deque->head)) / 2;
}

/* A hint. A claimed item counts as present, because the thief may refuse it. Not for polling: idle
 * thieves would react to each other's claims. */
SOLO_INLINE int solo_kmp_deque_is_empty(kmpc_deque *deque) {
  int64_t head = solo_load_relaxed(&deque->head); /* relaxed: a hint */
  return head >= solo_load_relaxed(&deque->tail) && !(head & 1);
}

/* Removes the oldest item if accept permits it (NULL: always). Returns NULL if not. Called by any
 * thread. */
void *solo_kmp_deque_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* Also returns NULL while another thief holds the lock. */
void *solo_kmp_deque_try_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* Removes the older half of the items, at most KMPC_DEQUE_HALF_MOST, up to the first that accept
 * refuses. Returns their number; 0 also while another thief holds the lock. */
int solo_kmp_deque_try_take_half(kmpc_deque *deque, kmpc_deque_accept accept, const void *context,
                                 void *items[KMPC_DEQUE_HALF_MOST]);

#endif
