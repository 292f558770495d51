/* Copies by a transport that moves bytes beside its messages: they go from where they are to where they
 * belong if the device's memory is the server's own, in long pieces; else in pieces that fit into a
 * part of the server's staging area, so that the device takes one while the next is on its way. */
#include "backends/remote/remote.h"

#include <string.h>

enum {
  INLINE_BYTES = 2 << 10, /* so few go in the message itself */
  LONG_PIECE_BYTES = 8 << 20,
};

static solo_status move_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes,
                              solo_copy_direction direction) {
  solo_remote_channel *c = &queue->channel;
  int is_inline = direction == SOLO_COPY_IN && bytes <= INLINE_BYTES;
  solo_remote_copy *m =
      solo_remote_message(c, (uint32_t)(sizeof *m + (is_inline ? bytes : 0)), SOLO_REMOTE_COPY);
  if (!m) return solo_remote_fail_lost(c);
  m->direction = direction;
  m->value = 0;
  m->device = device;
  m->host = 0;
  m->bytes = bytes;
  m->head.flags = is_inline ? SOLO_REMOTE_INLINE : SOLO_REMOTE_BESIDE | SOLO_REMOTE_COMPLETE;
  if (is_inline)
    memcpy(m + 1, host, bytes);
  else if (c->link->transport->move(
               c, host, bytes, direction == SOLO_COPY_IN ? SOLO_REMOTE_SEND : SOLO_REMOTE_RECEIVE))
    return solo_remote_fail_lost(c);
  uint64_t ticket = solo_remote_post(c, m);
  if (!is_inline) queue->told = ticket;
  return SOLO_OK;
}

solo_status solo_remote_copy_beside(solo_bqueue *queue, uint64_t device, uint64_t host,
                                    uint64_t bytes, solo_copy_direction direction) {
  uint64_t piece = queue->device->is_in_server ? LONG_PIECE_BYTES : SOLO_REMOTE_PART_BYTES;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t step = bytes - done < piece ? bytes - done : piece;
    SOLO_TRY(move_piece(queue, device + done, (void *)(uintptr_t)(host + done), step, direction));
    done += step;
  }
  return SOLO_OK;
}
