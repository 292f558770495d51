/* Events between queues of different servers. */
#ifndef SOLO_REMOTE_FENCE_H
#define SOLO_REMOTE_FENCE_H

#include "backends/remote/remote.h"

/* Makes later work of queue wait for an event of another server's queue. gate: space for a GATE
 * message, which this posts. NOMEM: no host memory. */
solo_status solo_remote_fence(solo_bqueue *queue, const solo_bevent *event,
                              solo_remote_wait_for *gate);

/* Opens the gates of reached events. Each wait calls it; never blocks. */
void solo_remote_pass_fences(void);

/* Are gates closed? */
int solo_remote_has_fences(void);

/* Removes the fences of a closed device. */
void solo_remote_fences_remove_device(const solo_bdevice *device);

/* In a child of fork(2). */
void solo_remote_fences_reset_after_fork(void);

#endif
