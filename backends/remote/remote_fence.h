/* Events between queues of different servers (remote_fence.c).
 *
 * Threads: as said at each. Errors: NOMEM of the host's memory. */
#ifndef SOLO_REMOTE_FENCE_H
#define SOLO_REMOTE_FENCE_H

#include "backends/remote/remote.h"

/* What is enqueued later on queue waits for the event, which is of another server's queue. gate: room of the
 * queue's channel for a message of that kind, which is posted. From the queue's user. */
solo_status solo_remote_fence(solo_bqueue *queue, const solo_bevent *event,
                              solo_remote_wait_for *gate);

/* Passes on what has been reached since. From every wait; any thread, never blocks. */
void solo_remote_pass_fences(void);

/* Is there any that is not passed on? */
int solo_remote_has_fences(void);

/* The device is closed: nobody waits for its queues, and they wait for nobody. */
void solo_remote_forget_fences(const solo_bdevice *device);

/* In a child of fork(2): all are the parent's. */
void solo_remote_leave_fences(void);

#endif
