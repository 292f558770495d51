/* Page-locks a queue's staging area at its first copy, so that a GPU copies asynchronously. */
#include "backends/remote/server/server.h"

void server_lock_staging(server_queue *q) {
  const solo_backend *b = q->device->backend;
  solo_devptr address;
  if (SOLO_LIKELY(q->staging != SERVER_STAGING_NEW)) return;
  /* fails for CPU devices, which need no page lock, and above the driver's limit */
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
