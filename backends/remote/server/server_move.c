/* Copies whose bytes come beside their message, or in it: straight into memory of a device that is this
 * process's own, else through parts of the queue's staging area. */
#include "backends/remote/server/server.h"

#include <string.h>

static int is_in_server(const server_queue *q) {
  return (q->device->info.flags & SOLO_DEVICE_SURVIVES_FORK) != 0;
}

static solo_status move(server_queue *q, void *bytes, const solo_remote_copy *m) {
  solo_remote_way way = m->direction == SOLO_COPY_IN ? SOLO_REMOTE_RECEIVE : SOLO_REMOTE_SEND;
  if (q->client->transport->move(&q->channel, bytes, m->bytes, way) == 0) return SOLO_OK;
  return solo_fail(SOLO_DEVICE_LOST, "the program went away while its bytes were on their way");
}

/* The next part of the staging area, when nothing is copied from it any more. */
static solo_status take_part(server_queue *q, void **out_part, uint32_t *out_number) {
  const solo_backend *b = q->device->backend;
  uint32_t n = q->next_buffer++ % SERVER_BUFFERS;
  *out_part = q->channel.staging + n * SOLO_REMOTE_PART_BYTES;
  *out_number = n;
  if (!q->filled[n]) return b->event_open(q->device->handle, &q->filled[n]);
  (void)b->event_wait(q->filled[n]); /* a failure comes by the queue's next mark, too */
  return SOLO_OK;
}

static solo_status copy_in(server_queue *q, const solo_remote_copy *m) {
  const solo_backend *b = q->device->backend;
  void *part = NULL;
  uint32_t n = 0;
  solo_status status = take_part(q, &part, &n);
  if (!part) return status;
  if (m->head.flags & SOLO_REMOTE_INLINE)
    memcpy(part, m + 1, m->bytes);
  else
    SOLO_TRY(move(q, part, m));
  SOLO_TRY(status);
  SOLO_TRY(b->queue_copy(q->handle, m->device, (uint64_t)(uintptr_t)part, m->bytes, SOLO_COPY_IN));
  return b->event_record(q->handle, q->filled[n]);
}

/* Bytes go whatever happens: the program waits for them. */
static solo_status copy_out(server_queue *q, const solo_remote_copy *m) {
  const solo_backend *b = q->device->backend;
  void *part = NULL;
  uint32_t n = 0;
  solo_status status = take_part(q, &part, &n);
  if (status == SOLO_OK)
    status =
        b->queue_copy(q->handle, (uint64_t)(uintptr_t)part, m->device, m->bytes, SOLO_COPY_OUT);
  if (status == SOLO_OK) status = b->queue_sync(q->handle);
  solo_error kept = *solo_error_last();
  SOLO_TRY(move(q, part, m));
  return status == SOLO_OK ? status : solo_fail_vendor(status, kept.vendor_code, "%s", kept.text);
}

static int is_malformed(const server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (bytes < sizeof *m || !m->bytes || !q->client->transport->move) return 1;
  if (m->head.flags & SOLO_REMOTE_INLINE)
    return m->direction != SOLO_COPY_IN || m->head.flags & SOLO_REMOTE_BESIDE ||
           m->bytes > bytes - sizeof *m;
  return m->direction > SOLO_COPY_OUT ||
         m->bytes > (is_in_server(q) ? SOLO_REMOTE_LONGEST_MOVE : SOLO_REMOTE_PART_BYTES);
}

solo_status server_move(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (is_malformed(q, m, bytes)) return MALFORMED;
  if (!is_in_server(q)) return m->direction == SOLO_COPY_IN ? copy_in(q, m) : copy_out(q, m);
  void *there = (void *)(uintptr_t)m->device;
  if (m->head.flags & SOLO_REMOTE_BESIDE) return move(q, there, m);
  memcpy(there, m + 1, m->bytes);
  return SOLO_OK;
}

solo_status server_drop_move(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (is_malformed(q, m, bytes)) return MALFORMED;
  if (m->head.flags & SOLO_REMOTE_INLINE) return SOLO_OK;
  if (is_in_server(q)) return move(q, (void *)(uintptr_t)m->device, m);
  void *part = NULL;
  uint32_t n;
  (void)take_part(q, &part, &n);
  return move(q, part, m);
}
