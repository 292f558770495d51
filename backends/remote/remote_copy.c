/* Copies: their bytes pass through the queue's staging area, in pieces, so that of a long copy the
 * server moves one piece while the program moves the next. */
#include "backends/remote/remote.h"
#include "runtime/base/stream.h"

#include <string.h>

static _Atomic uint32_t arriving;   /* pieces of copies out that are not delivered yet */
static _Atomic uint32_t deliveries; /* threads inside solo_remote_deliver */

enum { PIECE_BYTES = 128 << 10, PIECE_ALIGN = 4 * SOLO_REMOTE_ALIGN };
/* Copies of so many bytes and more go past the caches: measured (README.md, What it costs). */
enum { STREAM_FROM = 16 << 20 };

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address;
}

static void copy_bytes(void *to, const void *from, uint64_t bytes, uint32_t flags) {
  if (flags & SOLO_REMOTE_STREAM)
    solo_stream_copy(to, from, bytes);
  else
    memcpy(to, from, bytes);
}

/* --- the staging area ------------------------------------------------------------------------- */

/* Frees what is complete, from the oldest on; the queue's lock is held. */
static void retire_pieces(solo_bqueue *queue) {
  uint64_t completed = solo_remote_completed(&queue->channel);
  while (queue->first_piece != queue->last_piece) {
    const solo_remote_piece *piece = &queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES];
    if (piece->ticket > completed) return;
    if (piece->to) {
      copy_bytes(piece->to, queue->channel.staging + piece->offset, piece->bytes, piece->flags);
      /* pairs with solo_remote_deliver: who sees none arriving sees the bytes */
      solo_sub_release(&arriving, 1);
    }
    queue->freed = piece->end;
    queue->first_piece++;
  }
}

static void deliver(solo_remote_server *server) {
  for (int n = 0; n < SOLO_REMOTE_CHANNELS; n++) {
    solo_bqueue *queue = solo_load_acquire(&server->queues[n]); /* pairs with open_channel */
    if (!queue) continue;
    solo_lock_acquire(&queue->lock);
    retire_pieces(queue);
    solo_lock_release(&queue->lock);
  }
}

void solo_remote_deliver(void) {
  if (SOLO_LIKELY(!solo_load_acquire(&arriving))) return; /* pairs with retire_pieces */
  solo_add_relaxed(&deliveries, 1);                       /* ordered by the fence */
  solo_fence_seq_cst(); /* pairs with await_deliveries: it sees us, or we see no such queue */
  int count = solo_remote_server_count();
  for (int n = 0; n < count; n++) deliver(solo_remote_server_at(n));
  solo_sub_release(&deliveries, 1); /* pairs with solo_remote_await_deliveries */
}

void solo_remote_await_deliveries(void) {
  solo_fence_seq_cst();                                       /* pairs with solo_remote_deliver */
  while (solo_load_acquire(&deliveries)) (void)sched_yield(); /* pairs with solo_remote_deliver */
}

void solo_remote_drop_pieces(solo_bqueue *queue) {
  for (; queue->first_piece != queue->last_piece; queue->first_piece++)
    if (queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES].to)
      solo_sub_release(&arriving, 1); /* as in retire_pieces */
}

/* Where bytes of the staging area start if they are taken now; the queue's lock is held. Nonzero:
 * they are free. */
static int fits(const solo_bqueue *queue, uint64_t bytes, uint64_t *out_start) {
  uint64_t start = queue->staged, at = start % SOLO_REMOTE_STAGING_BYTES;
  if (at + bytes > SOLO_REMOTE_STAGING_BYTES) start += SOLO_REMOTE_STAGING_BYTES - at;
  *out_start = start;
  return start + bytes - queue->freed <= SOLO_REMOTE_STAGING_BYTES &&
         queue->last_piece - queue->first_piece < SOLO_REMOTE_PIECES;
}

/* Waits for room for a piece; only the queue's user takes any. */
static solo_status take_room(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start) {
  for (;;) {
    solo_lock_acquire(&queue->lock);
    int found = fits(queue, bytes, out_start);
    if (!found) {
      retire_pieces(queue);
      found = fits(queue, bytes, out_start);
    }
    uint64_t oldest = queue->pieces[queue->first_piece % SOLO_REMOTE_PIECES].ticket;
    solo_lock_release(&queue->lock);
    if (found) return SOLO_OK;
    uint64_t ticket;
    if (oldest > queue->told) SOLO_TRY(solo_remote_mark(queue, &ticket));
    SOLO_TRY(solo_remote_wait(&queue->channel, oldest));
  }
}

/* One piece of a copy in or out: room, message, and what is to be done when it is complete. flags:
 * SOLO_REMOTE_STREAM or 0. */
static solo_status copy_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes,
                              solo_copy_direction direction, uint16_t flags) {
  uint64_t start;
  uint64_t room = (bytes + PIECE_ALIGN - 1) & ~(uint64_t)(PIECE_ALIGN - 1);
  SOLO_TRY(take_room(queue, room, &start));
  uint32_t offset = (uint32_t)(start % SOLO_REMOTE_STAGING_BYTES);
  if (direction == SOLO_COPY_IN) copy_bytes(queue->channel.staging + offset, host, bytes, flags);
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_COPY);
  if (!m) return solo_remote_fail_lost(&queue->channel);
  m->direction = direction;
  m->value = 0;
  m->device = device;
  m->host = offset;
  m->bytes = bytes;
  int tell = start + room - queue->told_staged >= SOLO_REMOTE_STAGING_BYTES / 4;
  m->head.flags = (uint16_t)(flags | (tell ? SOLO_REMOTE_COMPLETE : 0));
  int out = direction == SOLO_COPY_OUT;
  /* relaxed: who delivers has been told that the message is complete, which comes after this */
  if (out) solo_add_relaxed(&arriving, 1);
  uint64_t ticket = solo_remote_post(&queue->channel, m);
  solo_lock_acquire(&queue->lock);
  queue->pieces[queue->last_piece++ % SOLO_REMOTE_PIECES] =
      (solo_remote_piece){.ticket = ticket,
                          .end = start + room,
                          .to = out ? host : NULL,
                          .offset = offset,
                          .bytes = (uint32_t)bytes,
                          .flags = flags};
  queue->staged = start + room;
  solo_lock_release(&queue->lock);
  if (tell) {
    queue->told = ticket;
    queue->told_staged = start + room;
  }
  return SOLO_OK;
}

/* --- operations ------------------------------------------------------------------------------- */

static solo_status copy_within(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes) {
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_COPY);
  if (!m) return solo_remote_fail_lost(&queue->channel);
  m->direction = SOLO_COPY_WITHIN;
  m->value = 0;
  m->device = dst;
  m->host = src;
  m->bytes = bytes;
  (void)solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}

solo_status solo_remote_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                   solo_copy_direction direction) {
  if (direction == SOLO_COPY_WITHIN) return copy_within(queue, dst, src, bytes);
  uint64_t device = direction == SOLO_COPY_IN ? dst : src;
  uint64_t host = direction == SOLO_COPY_IN ? src : dst;
  if (queue->channel.link->transport->move)
    return solo_remote_copy_beside(queue, device, host, bytes, direction);
  uint16_t flags = queue->device->is_in_server && bytes >= STREAM_FROM ? SOLO_REMOTE_STREAM : 0;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t step = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
    SOLO_TRY(copy_piece(queue, device + done, pointer(host + done), step, direction, flags));
    done += step;
  }
  return SOLO_OK;
}
