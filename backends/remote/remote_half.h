/* A copy between servers has two halves: a send and a receive with the same tag. */
#ifndef SOLO_REMOTE_HALF_H
#define SOLO_REMOTE_HALF_H

#include "backends/remote/remote.h"

/* Posts the send or the receive (kind). `server`: number of the server that executes the other
 * half. DEVICE_LOST: the server is lost. Only the thread that uses the queue calls this function. */
solo_status solo_remote_post_half(solo_bqueue *queue, solo_remote_kind kind, uint32_t server,
                                  const solo_remote_between *what);
uint32_t solo_remote_next_tag(void);

#endif
