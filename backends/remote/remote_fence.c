/* Waits of a queue for an event of another server's queue. A GATE message blocks the waiting queue.
 * Each thread that waits in this backend checks these events. The thread that finds an event reached
 * opens the gate by a control message. If the control message arrives before the GATE message, the
 * GATE message does not block. */
#include "backends/remote/remote_fence.h"

#include <stdlib.h>

typedef struct fence {
  struct fence *next;
  /* awaited: queue of the event; NULL: its device is closed, so the event counts as reached */
  solo_bqueue *waiting, *awaited;
  uint64_t gate, ticket;
} fence;

static solo_lock list_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER_QUEUE);
static fence *first, **last = &first;
static _Atomic uint32_t fences;

int solo_remote_has_fences(void) {
  /* relaxed: a hint */
  return solo_load_relaxed(&fences) != 0;
}

solo_status solo_remote_fence(solo_bqueue *queue, const solo_bevent *event,
                              solo_remote_wait_for *gate) {
  fence *f = calloc(1, sizeof *f);
  if (!f)
    return solo_fail(SOLO_NOMEM,
                     "remote: wait for an event of another server failed: no host memory");
  solo_lock_acquire(&list_lock);
  *f = (fence){
      .waiting = queue, .awaited = event->queue, .gate = ++queue->gates, .ticket = event->ticket};
  *last = f;
  last = &f->next;
  solo_add_relaxed(&fences, 1); /* relaxed: written under the lock */
  gate->channel = queue->channel.number;
  gate->unused = 0;
  gate->ticket = f->gate;
  (void)solo_remote_post(&queue->channel, gate);
  solo_lock_release(&list_lock);
  return SOLO_OK;
}

/* Failed or lost work counts as reached, because the waiting queue would otherwise block forever. */
static int is_reached(const fence *f) {
  if (!f->awaited) return 1;
  solo_remote_channel *channel = &f->awaited->channel;
  return solo_remote_completed(channel) >= f->ticket || solo_remote_violates_protocol(channel) ||
         !channel->link->transport->is_alive(channel->link);
}

/* Returns whether the fence's gate is open or not needed. Gates of a queue open in order. */
static int pass(const fence *f) {
  solo_bqueue *queue = f->waiting;
  solo_remote_server *s = queue->device->server;
  if (solo_remote_is_lost(&queue->channel)) return 1;
  if (f->gate != queue->gates_opened + 1 || !is_reached(f) || !solo_lock_try(&s->lock)) return 0;
  solo_remote_plain *m = solo_remote_try_message(&s->control, sizeof *m, SOLO_REMOTE_OPEN_GATE);
  if (m) {
    m->device = (uint32_t)queue->device->ordinal;
    m->object = queue->channel.number;
    m->value = f->gate;
    m->memory_kind = m->number = 0;
    (void)solo_remote_post(&s->control, m);
    queue->gates_opened = f->gate;
  }
  solo_lock_release(&s->lock);
  return m != NULL; /* 0: the ring is full; a later wait retries */
}

/* Removes the fences with gate 0, which are open or not needed. The caller holds list_lock. */
static void drop_passed(void) {
  for (fence **link = &first, *f; (f = *link);) {
    if (f->gate) {
      link = &f->next;
      continue;
    }
    *link = f->next;
    free(f);
    solo_sub_relaxed(&fences, 1); /* relaxed: written under the lock */
  }
  last = &first;
  while (*last) last = &(*last)->next;
}

void solo_remote_pass_fences(void) {
  if (SOLO_LIKELY(!solo_remote_has_fences()) || !solo_lock_try(&list_lock)) return;
  for (fence *f = first; f; f = f->next)
    if (pass(f)) f->gate = 0;
  drop_passed();
  solo_lock_release(&list_lock);
}

void solo_remote_fences_remove_device(const solo_bdevice *device) {
  solo_lock_acquire(&list_lock);
  for (fence *f = first; f; f = f->next) {
    if (f->awaited && f->awaited->device == device) f->awaited = NULL;
    if (f->waiting->device == device) f->gate = 0;
  }
  drop_passed();
  solo_lock_release(&list_lock);
}

void solo_remote_fences_reset_after_fork(void) {
  solo_lock_acquire(&list_lock);
  first = NULL;
  last = &first;
  solo_store_relaxed(&fences, 0); /* relaxed: written under the lock */
  solo_lock_release(&list_lock);
}
