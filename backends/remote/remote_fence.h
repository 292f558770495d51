/* Waits for events of other servers' queues (remote_fence.c). */
#ifndef SOLO_REMOTE_FENCE_H
#define SOLO_REMOTE_FENCE_H

#include "backends/remote/remote.h"

/* Makes later work of queue wait for the event. gate: a reserved GATE message of the queue, which
 * this function fills in and posts. NOMEM: no host memory is left. */
solo_status solo_remote_fence(solo_bqueue *queue, const solo_bevent *event,
                              solo_remote_wait_for *gate);

/* Opens the gates of reached events. Each waiting loop of the remote backend calls this function.
 * Never blocks. */
void solo_remote_pass_fences(void);

/* Returns whether a posted GATE may still block its queue (a hint). */
int solo_remote_has_fences(void);

void solo_remote_fences_remove_device(const solo_bdevice *device);

void solo_remote_fences_reset_after_fork(void);

#endif
