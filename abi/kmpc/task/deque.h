/* A deque of ready tasks: the owner pushes and pops at the tail; thieves remove at the head.
 * Positions advance by two; an odd head means that a thief claims items. Thieves lock, because they
 * examine a task (OpenMP 5.2, 12.9) before they remove it. Proof: docs/design/host-tasks.md. */
#ifndef SOLO_KMPC_TASK_DEQUE_H
#define SOLO_KMPC_TASK_DEQUE_H

#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

enum { KMPC_DEQUE_PLACES = 256 };
enum { KMPC_DEQUE_MAX_STEAL = 16 };

typedef struct kmpc_deque {
  SOLO_ALIGNED(SOLO_CACHE_PAIR) _Atomic int64_t head;
  solo_lock lock;
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  _Atomic int64_t tail;
  SOLO_ALIGNED(SOLO_CACHE_LINE) void *_Atomic item[KMPC_DEQUE_PLACES];
} kmpc_deque;

/* Returns whether the thief may remove the item. During the call no other thread executes or frees
 * it. */
typedef int (*kmpc_deque_accept)(const void *item, const void *context);

SOLO_INLINE uint32_t solo_kmp_deque_place(int64_t position) {
  return (uint32_t)(position >> 1) & (KMPC_DEQUE_PLACES - 1);
}

SOLO_INLINE int solo_kmp_deque_push(kmpc_deque *deque, void *item) {
  int64_t tail = solo_load_relaxed(&deque->tail);
  /* pairs with steal_and_unlock: a place is reused only after the thief has read it */
  int64_t used = tail - solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(used > 2 * (KMPC_DEQUE_PLACES - KMPC_DEQUE_MAX_STEAL)) &&
      /* odd: a thief claims up to KMPC_DEQUE_MAX_STEAL items, which `used` does not include */
      (used & 1 || used >= 2 * KMPC_DEQUE_PLACES))
    return 0;
  solo_store_relaxed(&deque->item[solo_kmp_deque_place(tail)], item);
  /* pairs with steal_and_unlock: items below tail are initialised */
  solo_store_release(&deque->tail, tail + 2);
  return 1;
}

void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail);
SOLO_INLINE void *solo_kmp_deque_pop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail) - 2;
  int64_t head = solo_load_relaxed(&deque->head); /* relaxed: an even head never decreases */
  if (head > tail && !(head & 1)) return NULL;
  /* Lowers tail, then reads head; a thief raises head, then reads tail.
   * Invariant: thief or owner observes the other's store, so only one of them removes the item.
   * Ordering:  this fence pairs with the fence in steal_and_unlock(), and the release store with
   *            its acquire load.
   * Otherwise: a task could be executed twice.
   */
  solo_store_release(&deque->tail, tail);
  solo_fence_seq_cst();
  /* pairs with steal_and_unlock: a thief that refused the item does not read the task any more */
  head = solo_load_acquire(&deque->head);
  if (SOLO_UNLIKELY(head > tail)) return solo_kmp_deque_pop_contended(deque, tail);
  return solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]);
}

/* Inserts the last popped item again. solo_kmp_deque_push() could fail, because a claim occupies
 * slots. */
SOLO_INLINE void solo_kmp_deque_unpop(kmpc_deque *deque) {
  int64_t tail = solo_load_relaxed(&deque->tail);
  solo_store_release(&deque->tail, tail + 2); /* pairs with steal_and_unlock */
}

/* A hint: claimed items count as removed. */
SOLO_INLINE int solo_kmp_deque_seems_empty(kmpc_deque *deque) {
  return solo_load_relaxed(&deque->head) >= solo_load_relaxed(&deque->tail);
}

SOLO_INLINE int64_t solo_kmp_deque_count(kmpc_deque *deque) {
  return (solo_load_relaxed(&deque->tail) - solo_load_relaxed(&deque->head)) / 2;
}

/* A hint: a claimed item counts as present, because the thief may refuse it. Unsuitable for
 * polling: thieves would react to each other's claims. */
SOLO_INLINE int solo_kmp_deque_is_empty(kmpc_deque *deque) {
  int64_t head = solo_load_relaxed(&deque->head);
  return head >= solo_load_relaxed(&deque->tail) && !(head & 1);
}

/* Removes the oldest item if accept (NULL: always) permits it, else returns NULL. Threads: any. */
void *solo_kmp_deque_steal(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* Also returns NULL while another thief holds the lock. */
void *solo_kmp_deque_try_steal(kmpc_deque *deque, kmpc_deque_accept accept, const void *context);
/* Removes the older half of the items, at most KMPC_DEQUE_MAX_STEAL, and stops at the first refused
 * item. Returns the number of removed items. */
int solo_kmp_deque_try_steal_half(kmpc_deque *deque, kmpc_deque_accept accept, const void *context,
                                  void *items[KMPC_DEQUE_MAX_STEAL]);

#endif
