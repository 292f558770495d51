/* Staging areas: which pieces of them are in use, and bringing home what was copied out (remote_staging.c).
 *
 * Ownership: the host's memory is the caller's, who keeps it until the copy is complete.
 * Threads: as said at each; nothing here waits for a server. Errors: none. */
#ifndef SOLO_REMOTE_STAGING_H
#define SOLO_REMOTE_STAGING_H

#include "backends/remote/remote.h"

/* Nonzero: from *out_start so many bytes may be used (counted from the queue's begin, contiguous). 0: there
 * is no room before the message *out_oldest is complete. From the queue's user. */
int solo_remote_find_room(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start,
                          uint64_t *out_oldest);

/* The piece is in use until its message, which was posted, is complete. From the queue's user. */
void solo_remote_add_piece(solo_bqueue *queue, const solo_remote_piece *piece);

/* Brings copies out that are complete to where they belong, of every queue of every server: one
 * queue's work may have waited for another's. Any thread. */
void solo_remote_deliver(void);

/* Of a queue whose device is lost: copies out that are not complete never arrive, whatever the server does from now on, since whoever
 * is told of the loss may use their memory for something else; nor is what they were posted for ever complete. Any thread. */
void solo_remote_give_up(solo_bqueue *queue);

/* Was the message, which is complete, so before its queue was given up? After solo_remote_deliver, which meets who gives it up. */
SOLO_INLINE int solo_remote_is_kept(const solo_bqueue *queue, uint64_t ticket) {
  int is_given_up = solo_load_acquire(&queue->is_given_up); /* pairs with solo_remote_give_up */
  return SOLO_LIKELY(!is_given_up) || ticket <= queue->kept;
}

/* From who closes its device, when nobody uses the queue. */
void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits until no thread is inside solo_remote_deliver that began before. From who closes a device. */
void solo_remote_await_deliveries(void);

/* In a child of fork(2): what arrives is the parent's, and so are the threads that deliver it. */
void solo_remote_leave_deliveries(void);

#endif
