/* A copy between servers has two halves, a send and a receive, which a tag matches. Threads: only
 * the thread that uses the queue. Errors: DEVICE_LOST. */
#ifndef SOLO_REMOTE_HALF_H
#define SOLO_REMOTE_HALF_H

#include "backends/remote/remote.h"

/* Posts one half to queue; the server with this number has the other half. */
solo_status solo_remote_post_half(solo_bqueue *queue, solo_remote_kind kind, uint32_t server,
                                  const solo_remote_between *what);
uint32_t solo_remote_next_tag(void);

#endif
