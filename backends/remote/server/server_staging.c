/* The staging area of a queue, as the driver of its device sees it. From memory that is page-locked a GPU copies
 * by itself, while the queue's thread goes on; other memory the driver copies once more, through its own.
 *
 * It is locked at the first copy that goes through it: a queue that only launches has no pages of it. */
#include "backends/remote/server/server.h"

void server_lock_staging(server_queue *q) {
  const solo_backend *b = q->device->backend;
  solo_devptr address; /* copies name it by the host's */
  if (SOLO_LIKELY(q->staging != SERVER_STAGING_NEW)) return;
  /* no driver (a CPU's), or one that may lock no more: copies work as they are, and tell what is lost */
  q->staging = b->mem_pin && b->mem_pin(q->device->handle, q->channel.staging,
                                        SOLO_REMOTE_STAGING_BYTES, &address) == SOLO_OK
                   ? SERVER_STAGING_LOCKED
                   : SERVER_STAGING_PAGEABLE;
}

void server_unlock_staging(server_queue *q) {
  if (q->staging == SERVER_STAGING_LOCKED)
    (void)q->device->backend->mem_unpin(q->device->handle, q->channel.staging);
  q->staging = SERVER_STAGING_NEW;
}
