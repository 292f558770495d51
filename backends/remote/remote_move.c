/* Direct copies, which the transport carries outside the messages. If device memory is host memory
 * of the server, the pieces are long. Otherwise each piece passes through a part of the server's
 * staging area; its transfer overlaps with the device's copy of another piece. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_half.h"
#include "backends/remote/remote_tree.h"

#include <string.h>

enum {
  INLINE_BYTES = 2 << 10, /* limit of data that are sent in the message */
  LONG_PIECE_BYTES = 8 << 20,
  WAIT_NS = 50 * 1000, /* interval between checks of fences and of the server */
};

/* Starts a direct copy. If too many are in progress, waits and opens gates during the wait, because
 * a copy in progress may wait for another server's work. Returns nonzero if the server is lost. */
static int start_move(solo_remote_channel *c, void *host, uint64_t bytes, solo_remote_way way) {
  const solo_remote_transport *t = c->link->transport;
  const solo_remote_move move = {.bytes = host, .size = bytes, .way = way};
  int failed;
  while ((failed = t->move(c, &move)) < 0) {
    solo_remote_pass_fences();
    t->await(c, solo_remote_completed(c) + 1, WAIT_NS);
    if (!t->is_alive(c->link)) return 1;
  }
  return failed;
}

static solo_status move_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes,
                              solo_copy_direction direction) {
  solo_remote_channel *c = &queue->channel;
  int is_inline = direction == SOLO_COPY_IN && bytes <= INLINE_BYTES;
  solo_remote_copy *m =
      solo_remote_message(c, (uint32_t)(sizeof *m + (is_inline ? bytes : 0)), SOLO_REMOTE_COPY);
  if (!m) return solo_remote_abandon_queue(queue);
  m->direction = direction;
  m->value = 0;
  m->device = device;
  m->host = 0;
  m->bytes = bytes;
  m->head.flags = is_inline ? SOLO_REMOTE_INLINE : SOLO_REMOTE_DIRECT_COPY | SOLO_REMOTE_COMPLETE;
  if (is_inline)
    memcpy(m + 1, host, bytes);
  else if (start_move(c, host, bytes,
                      direction == SOLO_COPY_IN ? SOLO_REMOTE_SEND : SOLO_REMOTE_RECEIVE))
    return solo_remote_abandon_queue(queue);
  uint64_t ticket = solo_remote_post(c, m);
  if (!is_inline) queue->marked = ticket;
  return SOLO_OK;
}

/* Posts the receipt of a piece that another server (source) forwards. The client also offers the
 * bytes, in case that server cannot send them. */
static solo_status receive_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes,
                                 uint32_t source, uint32_t tag) {
  solo_remote_channel *c = &queue->channel;
  const solo_remote_between what = {.tag = tag, .device = device, .bytes = bytes};
  if (start_move(c, host, bytes, SOLO_REMOTE_OFFER)) return solo_remote_abandon_queue(queue);
  return solo_remote_post_half(queue, SOLO_REMOTE_RECEIVE_FORWARDED, source, &what);
}

/* Copies a piece to the device; through the copy tree if the tree has a source. */
static solo_status share_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes) {
  solo_remote_leaf leaf = {.queue = queue, .host = host, .device = device, .bytes = bytes};
  solo_status status = solo_remote_tree_find(&leaf)
                           ? receive_piece(queue, device, host, bytes, leaf.source, leaf.tag)
                           : move_piece(queue, device, host, bytes, SOLO_COPY_IN);
  if (status == SOLO_OK) solo_remote_tree_add(&leaf);
  return status;
}

solo_status solo_remote_copy_directly(solo_bqueue *queue, uint64_t device, uint64_t host,
                                      uint64_t bytes, solo_copy_direction direction) {
  uint64_t piece = queue->device->is_in_server ? LONG_PIECE_BYTES : SOLO_REMOTE_PART_BYTES;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t step = bytes - done < piece ? bytes - done : piece;
    void *there = (void *)(uintptr_t)(host + done);
    SOLO_TRY(direction == SOLO_COPY_IN && solo_remote_tree_is_usable(queue, step)
                 ? share_piece(queue, device + done, there, step)
                 : move_piece(queue, device + done, there, step, direction));
    done += step;
  }
  return SOLO_OK;
}
