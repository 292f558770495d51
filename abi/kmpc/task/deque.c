#include "abi/kmpc/task/deque.h"

/* Called by a pop that has seen a claim or an empty deque. A thief may claim the item at tail. */
void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail) {
  void *item = NULL;
  solo_lock_acquire(&deque->lock); /* no claim exists under the lock: head is even */
  if (solo_load_relaxed(&deque->head) <= tail) {
    solo_store_relaxed(&deque->tail, tail); /* relaxed: thieves read `tail` under the lock */
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]);
  } else {
    solo_store_relaxed(&deque->tail, tail + 2);
  }
  solo_lock_release(&deque->lock);
  return item;
}

/* Claims the item at head, removes it if accept permits, and unlocks. The fence pairs with
 * solo_kmp_deque_pop, which has the invariant; the acquire load pairs with solo_kmp_deque_push. */
static void *steal_and_unlock(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  void *item = NULL;
  int64_t head = solo_load_relaxed(&deque->head);
  solo_store_relaxed(&deque->head, head + 1);
  solo_fence_seq_cst();
  if (head < solo_load_acquire(&deque->tail)) {
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]);
    if (accept && !accept(item, context)) item = NULL;
  }
  /* Invariant: after this store the thief does not read the slot of the item or a refused task.
   * Ordering:  this release store pairs with the acquire loads in solo_kmp_deque_push() and
   *            solo_kmp_deque_pop().
   * Otherwise: the owner could reuse the slot or free the task too early.
   */
  solo_store_release(&deque->head, item ? head + 2 : head);
  solo_lock_release(&deque->lock);
  return item;
}

void *solo_kmp_deque_steal(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  if (solo_kmp_deque_is_empty(deque)) return NULL;
  solo_lock_acquire(&deque->lock);
  return steal_and_unlock(deque, accept, context);
}

void *solo_kmp_deque_try_steal(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  if (solo_kmp_deque_seems_empty(deque) || !solo_lock_try(&deque->lock)) return NULL;
  return steal_and_unlock(deque, accept, context);
}

int solo_kmp_deque_try_steal_half(kmpc_deque *deque, kmpc_deque_accept accept, const void *context,
                                  void *items[KMPC_DEQUE_MAX_STEAL]) {
  if (solo_kmp_deque_seems_empty(deque) || !solo_lock_try(&deque->lock)) return 0;
  int64_t head = solo_load_relaxed(&deque->head);
  /* relaxed: affects only the size of the claim */
  int64_t claimed = (solo_load_relaxed(&deque->tail) - head + 2) / 4;
  if (claimed > KMPC_DEQUE_MAX_STEAL) claimed = KMPC_DEQUE_MAX_STEAL;
  if (claimed < 1) {
    solo_lock_release(&deque->lock);
    return 0;
  }
  /* As in steal_and_unlock: the fence pairs with the fence in solo_kmp_deque_pop */
  solo_store_relaxed(&deque->head, head + 2 * claimed - 1);
  solo_fence_seq_cst();
  int64_t tail = solo_load_acquire(&deque->tail);
  int count = 0;
  for (; count < claimed && head < tail; count++, head += 2) {
    items[count] = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]);
    if (accept && !accept(items[count], context)) break;
  }
  solo_store_release(&deque->head, head); /* pairs with solo_kmp_deque_push */
  solo_lock_release(&deque->lock);
  return count;
}
