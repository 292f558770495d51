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

/* Copies out of a queue that is lost never arrive, whatever its server does from now on: whoever is told of the loss may
 * use their memory for something else. Any thread. */
void solo_remote_drop_pieces(solo_bqueue *queue);

/* Waits until no thread is inside solo_remote_deliver that began before. From who closes a device. */
void solo_remote_await_deliveries(void);

/* In a child of fork(2): what arrives is the parent's, and so are the threads that deliver it. */
void solo_remote_leave_deliveries(void);

#endif
