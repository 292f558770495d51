/* The paths of the deque that take its lock: a thief, and the owner when a thief wants its last
 * item. */
#include "abi/kmpc/task/deque.h"

/* The owner wants the item at tail; a thief may have claimed it, or tail may be one too low. */
void *solo_kmp_deque_pop_contended(kmpc_deque *deque, int64_t tail) {
  void *item = NULL;
  solo_lock_acquire(&deque->lock);               /* after it nobody has a claim: head is even */
  if (solo_load_relaxed(&deque->head) <= tail) { /* written under the lock */
    solo_store_relaxed(&deque->tail, tail);      /* thieves read it after taking the lock */
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(tail)]); /* owner stored it */
  } else {
    solo_store_relaxed(&deque->tail, tail + 2); /* empty: head == tail again; nothing published */
  }
  solo_lock_release(&deque->lock);
  return item;
}

/* The lock is the caller's until here. */
static void *take_and_unlock(kmpc_deque *deque, kmpc_deque_accept accept, const void *context) {
  void *item = NULL;
  int64_t head = solo_load_relaxed(&deque->head); /* written under the lock */
  solo_store_relaxed(&deque->head, head + 1);     /* the claim; ordered by the fence */
  solo_fence_seq_cst();                           /* pairs with the fence in solo_kmp_deque_pop */
  if (head < solo_load_acquire(&deque->tail)) {   /* pairs with solo_kmp_deque_push */
    item = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]); /* after tail */
    if (accept && !accept(item, context)) item = NULL;
  }
  solo_store_release(&deque->head, item ? head + 2 : head); /* see solo_kmp_deque_push */
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
  int64_t head = solo_load_relaxed(&deque->head); /* written under the lock */
  /* relaxed: how many to claim; what is there is read below */
  int64_t claimed = (solo_load_relaxed(&deque->tail) - head + 2) / 4;
  if (claimed > KMPC_DEQUE_HALF_MOST) claimed = KMPC_DEQUE_HALF_MOST;
  if (claimed < 1) {
    solo_lock_release(&deque->lock);
    return 0;
  }
  solo_store_relaxed(&deque->head, head + 2 * claimed - 1); /* ordered by the fence */
  solo_fence_seq_cst();                           /* pairs with the fence in solo_kmp_deque_pop */
  int64_t tail = solo_load_acquire(&deque->tail); /* pairs with solo_kmp_deque_push */
  int count = 0;
  for (; count < claimed && head < tail; count++, head += 2) {
    items[count] = solo_load_relaxed(&deque->item[solo_kmp_deque_place(head)]); /* after tail */
    if (accept && !accept(items[count], context)) break;
  }
  solo_store_release(&deque->head, head); /* see solo_kmp_deque_push */
  solo_lock_release(&deque->lock);
  return count;
}
