/* Paths of the deque that lock: thieves, and the owner when it competes with a thief for an item. */
#include "abi/kmpc/task/deque.h"

/* The item at tail is unclaimed, or a thief claims it, or the deque is empty. */
void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail) {
  void *item = NULL;
  solo_lock_acquire(&deque->lock); /* no thief holds a claim under the lock: head is even */
  if (solo_load_relaxed(&deque->head) <= tail) { /* relaxed: written under the lock */
    solo_store_relaxed(&deque->tail, tail);      /* relaxed: thieves read it under the lock */
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]); /* the owner stored it */
  } else {
    solo_store_relaxed(&deque->tail, tail + 2); /* empty; no item is published */
  }
  solo_lock_release(&deque->lock);
  return item;
}

/* The caller holds the lock, which this function releases. Claims the oldest item, then reads tail;
 * the owner lowers tail, then reads head.
 * Invariant: the owner and a thief never both remove an item.
 * Ordering:  the fence pairs with the fence in solo_kmp_deque_pop(). The acquire load of tail pairs
 *            with the release store in solo_kmp_deque_push().
 * Otherwise: a task could be executed twice, or before it is initialised.
 */
static void *take_and_unlock(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  void *item = NULL;
  int64_t head = solo_load_relaxed(&deque->head);
  solo_store_relaxed(&deque->head, head + 1);
  solo_fence_seq_cst();
  if (head < solo_load_acquire(&deque->tail)) {
    /* relaxed: read after tail */
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]);
    if (accept && !accept(item, context)) item = NULL;
  }
  /* Ends the claim.
   * Invariant: the thief has read the place, and the task if it refused it.
   * Ordering:  this release store pairs with the acquire load in solo_kmp_deque_push() and in
   *            solo_kmp_deque_pop().
   * Otherwise: the owner could reuse the place or free the task too early.
   */
  solo_store_release(&deque->head, item ? head + 2 : head);
  solo_lock_release(&deque->lock);
  return item;
}

void *solo_kmp_deque_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  if (solo_kmp_deque_is_empty(deque)) return NULL;
  solo_lock_acquire(&deque->lock);
  return take_and_unlock(deque, accept, context);
}

void *solo_kmp_deque_try_take(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  if (solo_kmp_deque_looks_empty(deque) || !solo_lock_try(&deque->lock)) return NULL;
  return take_and_unlock(deque, accept, context);
}

int solo_kmp_deque_try_take_half(kmpc_deque *deque, kmpc_deque_accept accept, const void *context,
                                 void *items[KMPC_DEQUE_HALF_MOST]) {
  if (solo_kmp_deque_looks_empty(deque) || !solo_lock_try(&deque->lock)) return 0;
  int64_t head = solo_load_relaxed(&deque->head);
  /* relaxed: only the size of the claim */
  int64_t claimed = (solo_load_relaxed(&deque->tail) - head + 2) / 4;
  if (claimed > KMPC_DEQUE_HALF_MOST) claimed = KMPC_DEQUE_HALF_MOST;
  if (claimed < 1) {
    solo_lock_release(&deque->lock);
    return 0;
  }
  /* Same invariant as in take_and_unlock(). The fence pairs with the fence in solo_kmp_deque_pop(),
   * the load of tail pairs with solo_kmp_deque_push(). */
  solo_store_relaxed(&deque->head, head + 2 * claimed - 1);
  solo_fence_seq_cst();
  int64_t tail = solo_load_acquire(&deque->tail);
  int count = 0;
  for (; count < claimed && head < tail; count++, head += 2) {
    items[count] = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]);
    if (accept && !accept(items[count], context)) break;
  }
  solo_store_release(&deque->head, head); /* pairs with the acquire load in solo_kmp_deque_push */
  solo_lock_release(&deque->lock);
  return count;
}
