/* The staging areas of queues. The host memory of a copy from a device must stay valid until the
 * copy is complete. No function waits for a server. */
#ifndef SOLO_REMOTE_STAGING_H
#define SOLO_REMOTE_STAGING_H

#include "backends/remote/remote.h"

/* Returns whether `bytes` bytes of the staging area are free at *out_start (counted since the queue
 * was opened). If not, the caller waits for message *out_oldest and retries. Only the thread that
 * uses the queue calls it. */
int solo_remote_find_space(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                           uint64_t *out_oldest);

/* Reserves the piece until its message, which is already posted, is complete. */
void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece);

/* Copies the data of completed device-to-host copies from the staging areas to host memory. Handles
 * all queues, because queues may wait for each other. */
void solo_remote_deliver(void);

/* For a lost device: incomplete messages never complete, and host memory is not written after this
 * call. Any thread. */
void solo_remote_queue_abandon(solo_bqueue *queue);

/* Returns whether message `ticket`, which is complete, was so before solo_remote_queue_abandon().
 * The caller has called solo_remote_deliver(), which waits for an abandon in progress. */
SOLO_INLINE int solo_remote_completed_before_loss(const solo_bqueue *queue, uint64_t ticket) {
  /* Invariant: kept is constant once is_abandoned is set.
   * Ordering:  this acquire load pairs with the release store in solo_remote_queue_abandon().
   * Otherwise: a lost copy could count as complete.
   */
  int is_abandoned = solo_load_acquire(&queue->is_abandoned);
  return SOLO_LIKELY(!is_abandoned) || ticket <= queue->kept;
}

void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits for the end of each solo_remote_deliver() that began before. */
void solo_remote_await_deliveries(void);

void solo_remote_deliveries_reset_after_fork(void);

#endif
