/* The staging areas of queues. Copies out end with a copy from the staging area to host memory,
 * which the caller must keep valid until then. No function waits for a server. */
#ifndef SOLO_REMOTE_STAGING_H
#define SOLO_REMOTE_STAGING_H

#include "backends/remote/remote.h"

/* Returns nonzero if bytes of the staging area are free from *out_start (counted since the queue
 * was opened). 0: wait for message *out_oldest. For the queue's user. */
int solo_remote_find_room(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                          uint64_t *out_oldest);

/* Reserves the piece until its posted message is complete. For the queue's user. */
void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece);

/* Finishes completed copies out of all queues, because queues of one program wait for each other.
 * Any thread. */
void solo_remote_deliver(void);

/* The device of the queue is lost. Uncompleted messages never complete, and no later completion
 * writes to host memory, which the program may reuse. Any thread. */
void solo_remote_give_up(solo_bqueue *queue);

/* Returns nonzero if the completed message was complete before solo_remote_give_up(). Call after
 * solo_remote_deliver(), which waits for it. */
SOLO_INLINE int solo_remote_is_kept(const solo_bqueue *queue, uint64_t ticket) {
  /* Invariant: kept is constant once is_given_up is set.
   * Ordering:  this acquire load pairs with the release store in solo_remote_give_up().
   * Otherwise: a reader could compare with an old value of kept.
   */
  int is_given_up = solo_load_acquire(&queue->is_given_up);
  return SOLO_LIKELY(!is_given_up) || ticket <= queue->kept;
}

/* The device is being closed, and the queue has no user. */
void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits for all threads in solo_remote_deliver(). Before a device is closed. */
void solo_remote_await_deliveries(void);

/* In a child of fork(2), which has no such threads. */
void solo_remote_leave_deliveries(void);

#endif
