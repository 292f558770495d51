/* Copies through the queue's staging area, in pieces. While the server copies a piece, the client
 * copies the next one. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_area.h"
#include "backends/remote/remote_staging.h"

#include <string.h>

enum { PIECE_BYTES = 128 << 10, PIECE_ALIGN = 4 * SOLO_REMOTE_ALIGN };

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address;
}

static solo_status await_space(solo_bqueue *queue, uint64_t bytes, uint64_t *out_start) {
  uint64_t oldest, ticket;
  while (!solo_remote_find_space(queue, bytes, out_start, &oldest)) {
    if (oldest > queue->marked) SOLO_TRY(solo_remote_mark(queue, &ticket));
    SOLO_TRY(solo_remote_reach(queue, oldest));
  }
  return SOLO_OK;
}

static solo_status copy_piece(solo_bqueue *queue, uint64_t device, void *host, uint64_t bytes,
                              solo_copy_direction direction) {
  uint64_t start;
  uint64_t space = (bytes + PIECE_ALIGN - 1) & ~(uint64_t)(PIECE_ALIGN - 1);
  SOLO_TRY(await_space(queue, space, &start));
  solo_remote_piece piece = {.end = start + space,
                             .to = direction == SOLO_COPY_OUT ? host : NULL,
                             .offset = (uint32_t)(start % SOLO_REMOTE_STAGING_BYTES),
                             .bytes = (uint32_t)bytes};
  if (direction == SOLO_COPY_IN) memcpy(queue->channel.staging + piece.offset, host, bytes);
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_COPY);
  if (!m) return solo_remote_abandon_queue(queue);
  m->direction = direction;
  m->value = 0;
  m->device = device;
  m->host = piece.offset;
  m->bytes = bytes;
  int reports = piece.end - queue->marked_staged >= SOLO_REMOTE_STAGING_BYTES / 4;
  if (reports) m->head.flags |= SOLO_REMOTE_COMPLETE;
  piece.ticket = solo_remote_post(&queue->channel, m);
  solo_remote_add_piece(queue, &piece);
  if (reports) {
    queue->marked = piece.ticket;
    queue->marked_staged = piece.end;
  }
  return SOLO_OK;
}

static solo_status copy_within(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes) {
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_COPY);
  if (!m) return solo_remote_abandon_queue(queue);
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
  if (queue->channel.link->copies_directly)
    return solo_remote_copy_directly(queue, device, host, bytes, direction);
  void *there = bytes > SOLO_REMOTE_STAGING_BYTES
                    ? solo_remote_area_find(queue->device, device, bytes)
                    : NULL;
  if (there)
    return direction == SOLO_COPY_IN ? solo_remote_area_copy(queue, there, pointer(host), bytes)
                                     : solo_remote_area_copy(queue, pointer(host), there, bytes);
  for (uint64_t done = 0; done < bytes;) {
    uint64_t step = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
    SOLO_TRY(copy_piece(queue, device + done, pointer(host + done), step, direction));
    done += step;
  }
  return SOLO_OK;
}
