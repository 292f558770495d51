/* The two halves of a copy between servers, matched by a tag. Threads: the queue's user. Errors:
 * DEVICE_LOST. */
#ifndef SOLO_REMOTE_HALF_H
#define SOLO_REMOTE_HALF_H

#include "backends/remote/remote.h"

/* Posts one half; server has the other. */
solo_status solo_remote_post_half(solo_bqueue *queue, solo_remote_kind kind, uint32_t server,
                                  const solo_remote_between *what);
uint32_t solo_remote_next_tag(void);

#endif
