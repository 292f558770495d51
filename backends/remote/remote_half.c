#include "backends/remote/remote_half.h"

static _Atomic uint32_t tags;

uint32_t solo_remote_next_tag(void) {
  /* relaxed: a counter; a tag repeats after 0x8000 copies, and fewer are in progress */
  return solo_add_relaxed(&tags, 1) & SOLO_REMOTE_MAX_TAG;
}

solo_status solo_remote_post_half(solo_bqueue *queue, solo_remote_kind kind, uint32_t server,
                                  const solo_remote_between *what) {
  solo_remote_between *m = solo_remote_message(&queue->channel, sizeof *m, kind);
  if (!m) return solo_remote_abandon_queue(queue);
  m->server = server;
  m->tag = what->tag;
  m->device = what->device;
  m->bytes = what->bytes;
  m->head.flags = SOLO_REMOTE_COMPLETE;
  queue->marked = solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}
