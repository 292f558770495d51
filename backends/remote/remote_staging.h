/* The staging areas of queues. The host memory of a copy from a device must remain valid until the
 * copy completes. No function waits for a server. */
#ifndef SOLO_REMOTE_STAGING_H
#define SOLO_REMOTE_STAGING_H

#include "backends/remote/remote.h"

/* Returns whether bytes of staging area are free from *out_start (counted since the queue was
 * opened). 0: the caller waits for message *out_oldest and retries. For the thread that uses the
 * queue. */
int solo_remote_find_room(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                          uint64_t *out_oldest);

/* Reserves the piece until its message, which is already posted, is complete. */
void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece);

/* Moves the bytes of completed copies from devices to host memory, for all queues: queues may wait
 * for each other. */
void solo_remote_deliver(void);

/* For a lost device: incomplete messages never complete, and nothing is written to host memory
 * afterwards. Any thread. */
void solo_remote_queue_abandon(solo_bqueue *queue);

/* Returns whether a complete message was complete before solo_remote_queue_abandon(). The caller
 * has called solo_remote_deliver(), which waits for an abandon in progress. */
SOLO_INLINE int solo_remote_completed_before_loss(const solo_bqueue *queue, uint64_t ticket) {
  /* Invariant: kept is constant once is_abandoned is set.
   * Ordering:  this acquire load pairs with the release store in solo_remote_queue_abandon().
   * Otherwise: a lost copy could count as complete.
   */
  int is_abandoned = solo_load_acquire(&queue->is_abandoned);
  return SOLO_LIKELY(!is_abandoned) || ticket <= queue->kept;
}

/* Drops all pieces of a queue that no thread uses. */
void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits until no thread is in a solo_remote_deliver() that began earlier. */
void solo_remote_await_deliveries(void);

void solo_remote_deliveries_reset_after_fork(void);

#endif
