/* Copies of bytes that the transport moves or that follow the message. For GPUs, the bytes pass
 * through the staging area. */
#include "backends/remote/server/server.h"

#include <string.h>

static int move_bytes(server_queue *q, void *bytes, uint64_t size, solo_remote_way way) {
  const solo_remote_move what = {.bytes = bytes, .size = size, .way = way};
  return q->client->transport->move(&q->channel, &what);
}

static int move_between(server_queue *q, uint32_t server, uint32_t tag, solo_remote_way way,
                        void *bytes, uint64_t size) {
  const solo_remote_move what = {
      .bytes = bytes, .size = size, .way = way, .server = server, .tag = tag};
  return server ? q->client->transport->move(&q->channel, &what) : -1;
}

static solo_status move(server_queue *q, void *bytes, const solo_remote_copy *m) {
  solo_remote_way way = m->direction == SOLO_COPY_IN ? SOLO_REMOTE_RECEIVE : SOLO_REMOTE_SEND;
  if (move_bytes(q, bytes, m->bytes, way) == 0) return SOLO_OK;
  return solo_fail(SOLO_DEVICE_LOST, "the program ended during a transfer");
}

/* Forwards the message's bytes to the servers that the client's forward requests name. The message
 * is not complete yet, so the bytes have not changed. */
static void forward_received(server_queue *q, const void *there, uint64_t device, uint64_t bytes) {
  const solo_remote_transport *t = q->client->transport;
  solo_remote_forward g;
  while (t->forward && t->forward(&q->channel, &g) == 0) {
    int fits =
        g.device >= device && g.device - device <= bytes && g.bytes <= bytes - (g.device - device);
    int32_t verdict = fits ? SOLO_OK : SOLO_UNAVAILABLE;
    void *at = (void *)((uintptr_t)there + (fits ? g.device - device : 0));
    if (!move_between(q, g.server, g.tag, SOLO_REMOTE_SEND, &verdict, sizeof verdict) && fits)
      (void)move_between(q, g.server, g.tag, SOLO_REMOTE_SEND, at, g.bytes);
  }
}

/* Sets *out_part to the next part of the staging area, after its last copy has ended. */
static solo_status reserve_part(server_queue *q, void **out_part, uint32_t *out_number) {
  const solo_backend *b = q->device->backend;
  uint32_t n = q->next_buffer++ % SERVER_BUFFERS;
  server_lock_staging(q);
  *out_part = q->channel.staging + n * SOLO_REMOTE_PART_BYTES;
  *out_number = n;
  if (!q->filled[n]) return b->event_open(q->device->handle, &q->filled[n]);
  (void)b->event_wait(q->filled[n]); /* the next mark also reports a failure of this event */
  return SOLO_OK;
}

static solo_status copy_part(server_queue *q, const void *part, uint32_t n, uint64_t device,
                             uint64_t bytes) {
  const solo_backend *b = q->device->backend;
  SOLO_TRY(b->queue_copy(q->handle, device, (uint64_t)(uintptr_t)part, bytes, SOLO_COPY_IN));
  return b->event_record(q->handle, q->filled[n]);
}

static solo_status copy_in(server_queue *q, const solo_remote_copy *m) {
  void *part = NULL;
  uint32_t n = 0;
  solo_status status = reserve_part(q, &part, &n);
  if (!part) return status;
  if (m->head.flags & SOLO_REMOTE_INLINE)
    memcpy(part, m + 1, m->bytes);
  else
    SOLO_TRY(move(q, part, m));
  if (status == SOLO_OK) status = copy_part(q, part, n, m->device, m->bytes);
  const solo_error kept = *solo_error_last();
  if (m->head.flags & SOLO_REMOTE_DIRECT_COPY) forward_received(q, part, m->device, m->bytes);
  return status == SOLO_OK ? status : solo_fail_vendor(status, kept.vendor_code, "%s", kept.text);
}

/* Moves the bytes even if the copy has failed, because the client waits for them. */
static solo_status copy_out(server_queue *q, const solo_remote_copy *m) {
  const solo_backend *b = q->device->backend;
  void *part = NULL;
  uint32_t n = 0;
  solo_status status = reserve_part(q, &part, &n);
  if (status == SOLO_OK)
    status =
        b->queue_copy(q->handle, (uint64_t)(uintptr_t)part, m->device, m->bytes, SOLO_COPY_OUT);
  if (status == SOLO_OK) status = b->queue_sync(q->handle);
  solo_error kept = *solo_error_last();
  SOLO_TRY(move(q, part, m));
  return status == SOLO_OK ? status : solo_fail_vendor(status, kept.vendor_code, "%s", kept.text);
}

/* Moves the bytes and forwards received bytes, even after a failure, because other servers wait for
 * them. */
static solo_status move_and_forward(server_queue *q, void *there, const solo_remote_copy *m) {
  SOLO_TRY(move(q, there, m));
  if (m->direction == SOLO_COPY_IN) forward_received(q, there, m->device, m->bytes);
  return SOLO_OK;
}

static int is_malformed(const server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (bytes < sizeof *m || !m->bytes || !q->client->link->copies_directly) return 1;
  if (m->head.flags & SOLO_REMOTE_INLINE)
    return m->direction != SOLO_COPY_IN || m->head.flags & SOLO_REMOTE_DIRECT_COPY ||
           m->bytes > bytes - sizeof *m;
  return m->direction > SOLO_COPY_OUT ||
         m->bytes >
             (server_has_memory(q->device) ? SOLO_REMOTE_MAX_MOVE_BYTES : SOLO_REMOTE_PART_BYTES);
}

solo_status server_move(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (is_malformed(q, m, bytes)) return MALFORMED;
  if (!server_has_memory(q->device))
    return m->direction == SOLO_COPY_IN ? copy_in(q, m) : copy_out(q, m);
  void *there = (void *)(uintptr_t)m->device;
  if (m->head.flags & SOLO_REMOTE_DIRECT_COPY) return move_and_forward(q, there, m);
  memcpy(there, m + 1, m->bytes);
  return SOLO_OK;
}

solo_status server_move_bytes_only(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (is_malformed(q, m, bytes)) return MALFORMED;
  if (m->head.flags & SOLO_REMOTE_INLINE) return SOLO_OK;
  void *part = (void *)(uintptr_t)m->device;
  uint32_t n;
  if (!server_has_memory(q->device)) (void)reserve_part(q, &part, &n);
  return move_and_forward(q, part, m);
}

static int is_half_malformed(const server_queue *q, const solo_remote_between *m, uint32_t bytes) {
  return bytes < sizeof *m || !m->bytes || !q->client->transport->move ||
         m->bytes >
             (server_has_memory(q->device) ? SOLO_REMOTE_MAX_MOVE_BYTES : SOLO_REMOTE_PART_BYTES);
}

static solo_status find_bytes(server_queue *q, const solo_remote_between *m, void **out_bytes) {
  uint32_t n;
  *out_bytes = (void *)(uintptr_t)m->device;
  return server_has_memory(q->device) ? SOLO_OK : reserve_part(q, out_bytes, &n);
}

static solo_status fail_between(server_queue *q, int code, const solo_remote_between *m) {
  if (code < 0) return MALFORMED;
  return solo_fail(SOLO_UNAVAILABLE, "queue %u: server %u ended during a copy between the servers",
                   q->channel.number, m->server);
}

solo_status server_send_to(server_queue *q, const solo_remote_between *m, uint32_t bytes,
                           solo_status given) {
  if (is_half_malformed(q, m, bytes)) return MALFORMED;
  const solo_backend *b = q->device->backend;
  void *there = NULL;
  int32_t answer = SOLO_INTERNAL;
  solo_status status = find_bytes(q, m, &there);
  if (given != SOLO_OK) status = given;
  if (status == SOLO_OK && !server_has_memory(q->device))
    status =
        b->queue_copy(q->handle, (uint64_t)(uintptr_t)there, m->device, m->bytes, SOLO_COPY_OUT);
  if (status == SOLO_OK) status = b->queue_sync(q->handle);
  const solo_error kept = *solo_error_last();
  int code = move_between(q, m->server, m->tag, SOLO_REMOTE_SEND, there, m->bytes);
  if (!code) code = move_between(q, m->server, m->tag, SOLO_REMOTE_RECEIVE, &answer, sizeof answer);
  if (code) return fail_between(q, code, m);
  if (given != SOLO_OK) return SOLO_OK;
  if (status != SOLO_OK) return solo_fail_vendor(status, kept.vendor_code, "%s", kept.text);
  if (answer == SOLO_OK) return SOLO_OK;
  if (answer < 0 || answer >= SOLO_STATUS_COUNT) answer = SOLO_INTERNAL;
  return solo_fail((solo_status)answer, "server %u could not copy the received bytes to its device",
                   m->server);
}

/* If this half fails, the sender reports the failure. If the sender is lost, the client detects the
 * loss. */
solo_status server_receive_from(server_queue *q, const solo_remote_between *m, uint32_t bytes,
                                solo_status given) {
  if (is_half_malformed(q, m, bytes)) return MALFORMED;
  const solo_backend *b = q->device->backend;
  void *there = NULL;
  solo_status status = find_bytes(q, m, &there);
  if (given != SOLO_OK) status = given;
  int code = move_between(q, m->server, m->tag, SOLO_REMOTE_RECEIVE, there, m->bytes);
  if (code) return code < 0 ? MALFORMED : SOLO_OK;
  if (status == SOLO_OK && !server_has_memory(q->device))
    status =
        b->queue_copy(q->handle, m->device, (uint64_t)(uintptr_t)there, m->bytes, SOLO_COPY_IN);
  if (status == SOLO_OK) status = b->queue_sync(q->handle);
  int32_t answer = status;
  code = move_between(q, m->server, m->tag, SOLO_REMOTE_SEND, &answer, sizeof answer);
  return code < 0 ? MALFORMED : SOLO_OK;
}

static int receive_forwarded_bytes(server_queue *q, const solo_remote_between *m, void *there) {
  int32_t verdict = SOLO_INTERNAL;
  int code = move_between(q, m->server, m->tag, SOLO_REMOTE_RECEIVE, &verdict, sizeof verdict);
  if (!code && verdict == SOLO_OK)
    code = move_between(q, m->server, m->tag, SOLO_REMOTE_RECEIVE, there, m->bytes);
  q->has_requested = code > 0 || verdict != SOLO_OK;
  if (code < 0 || !q->has_requested) return code;
  return move_bytes(q, there, m->bytes, SOLO_REMOTE_OFFER);
}

solo_status server_receive_forwarded(server_queue *q, const solo_remote_between *m, uint32_t bytes,
                                     solo_status given) {
  if (is_half_malformed(q, m, bytes)) return MALFORMED;
  void *there = (void *)(uintptr_t)m->device;
  uint32_t n = 0;
  solo_status status = server_has_memory(q->device) ? SOLO_OK : reserve_part(q, &there, &n);
  int code = receive_forwarded_bytes(q, m, there);
  if (code) return fail_between(q, code, m);
  if (status == SOLO_OK && given == SOLO_OK && !server_has_memory(q->device))
    status = copy_part(q, there, n, m->device, m->bytes);
  const solo_error kept = *solo_error_last();
  forward_received(q, there, m->device, m->bytes);
  if (status == SOLO_OK || given != SOLO_OK) return SOLO_OK;
  return solo_fail_vendor(status, kept.vendor_code, "%s", kept.text);
}
