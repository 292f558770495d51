/* The staging areas of queues. Copies out end in host memory, which must remain valid until then.
 * No function waits for a server. */
#ifndef SOLO_REMOTE_STAGING_H
#define SOLO_REMOTE_STAGING_H

#include "backends/remote/remote.h"

/* Nonzero: bytes are free from *out_start (bytes since the queue was opened). 0: wait for message
 * *out_oldest. For the queue's user. */
int solo_remote_find_room(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                          uint64_t *out_oldest);

/* Reserves the piece until its posted message is complete. */
void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece);

/* Finishes completed copies out of all queues: queues may wait for each other. */
void solo_remote_deliver(void);

/* The device is lost: incomplete messages never complete, and nothing writes to host memory any
 * more. Any thread. */
void solo_remote_queue_abandon(solo_bqueue *queue);

/* Was the completed message complete before solo_remote_queue_abandon()? After solo_remote_deliver(),
 * which waits for it. */
SOLO_INLINE int solo_remote_completed_before_loss(const solo_bqueue *queue, uint64_t ticket) {
  /* Invariant: kept is constant once is_abandoned is set.
   * Ordering:  this acquire load pairs with the release store in solo_remote_queue_abandon().
   * Otherwise: a lost copy could count as complete.
   */
  int is_abandoned = solo_load_acquire(&queue->is_abandoned);
  return SOLO_LIKELY(!is_abandoned) || ticket <= queue->kept;
}

/* The queue has no user. */
void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits for all threads in solo_remote_deliver(). */
void solo_remote_await_deliveries(void);

/* In a child of fork(2). */
void solo_remote_deliveries_reset_after_fork(void);

#endif
