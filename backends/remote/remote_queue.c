/* Queues and events. An event is a channel and a ticket, so operations on events need no answer. */
#include "backends/remote/remote.h"
#include "backends/remote/remote_fence.h"
#include "backends/remote/remote_staging.h"
#include "backends/remote/remote_tree.h"

#include <stdlib.h>
#include <string.h>

/* Opens a free channel, which neither side uses. QUEUE_OPEN has no answer; a failure is reported by
 * the queue's first sync. The caller holds the server's lock. */
static solo_status open_channel(solo_bdevice *device, solo_bqueue *queue) {
  solo_remote_server *s = device->server;
  uint32_t number = 0;
  while (number < SOLO_REMOTE_CHANNELS && s->channel_used[number]) number++;
  if (number == SOLO_REMOTE_CHANNELS)
    return solo_fail(SOLO_NOMEM, "remote: more than %d queues are open", SOLO_REMOTE_CHANNELS - 1);
  solo_remote_channel_of(s->link, number, &queue->channel);
  memset(queue->channel.shared, 0, offsetof(solo_remote_shared, ring));
  solo_remote_plain *m = solo_remote_message(&s->control, sizeof *m, SOLO_REMOTE_QUEUE_OPEN);
  if (!m) return solo_remote_fail_lost(&s->control);
  m->device = (uint32_t)device->ordinal;
  m->object = number;
  (void)solo_remote_post(&s->control, m);
  s->channel_used[number] = 1;
  /* Invariant: a queue in queues has an initialised channel.
   * Ordering:  this release store pairs with the acquire load in deliver().
   * Otherwise: solo_remote_deliver() could read a channel of zeros.
   */
  solo_store_release(&s->queues[number], queue);
  return SOLO_OK;
}

solo_status solo_remote_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  solo_lock_acquire(&device->lock);
  solo_bqueue *queue = device->idle;
  if (queue) device->idle = queue->next_idle;
  solo_lock_release(&device->lock);
  if (!queue) {
    queue = calloc(1, sizeof *queue);
    if (!queue) return solo_fail(SOLO_NOMEM, "remote: no host memory for a queue");
    queue->device = device;
    solo_lock_acquire(&device->server->lock);
    solo_status status = open_channel(device, queue);
    solo_lock_release(&device->server->lock);
    if (status != SOLO_OK) {
      free(queue);
      return status;
    }
  }
  *out_queue = queue;
  return SOLO_OK;
}

static void acknowledge_errors(solo_bqueue *queue) {
  solo_remote_shared *s = queue->channel.shared;
  /* Invariant: the server writes result only while errors_made equals errors_reported.
   * Ordering:  the acquire load pairs with note_error(); this release store pairs with the acquire
   *            load in note_error().
   * Otherwise: the server could overwrite a result that a sync still reads.
   */
  solo_store_release(&s->errors_reported, solo_load_acquire(&s->errors_made));
}

/* Keeps the queue and its channel for reuse, because events may refer to them, and starting a
 * thread in the server is slow. */
void solo_remote_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  acknowledge_errors(queue);
  solo_lock_acquire(&device->lock);
  queue->next_idle = device->idle;
  device->idle = queue;
  solo_lock_release(&device->lock);
}

solo_status solo_remote_mark(solo_bqueue *queue, uint64_t *out_ticket) {
  solo_remote_channel *channel = &queue->channel;
  if (queue->device->reports_all_completions && SOLO_LIKELY(!queue->has_failed))
    queue->marked = channel->count;
  if (queue->marked != channel->count) {
    solo_remote_head *m = solo_remote_message(channel, sizeof *m, SOLO_REMOTE_MARK);
    if (!m) return solo_remote_abandon_queue(queue);
    m->flags = SOLO_REMOTE_COMPLETE;
    queue->marked = solo_remote_post(channel, m);
    queue->marked_staged = queue->staged;
  }
  *out_ticket = channel->count;
  return SOLO_OK;
}

/* Returns the failure of messages up to `ticket`, unless a sync has reported it. */
static solo_status error_until(solo_bqueue *queue, uint64_t ticket) {
  solo_remote_shared *s = queue->channel.shared;
  if (!solo_remote_has_error(queue)) return SOLO_OK;
  return s->result.ticket <= ticket
             ? solo_remote_fail_result(&s->result, solo_remote_status(&s->result))
             : SOLO_OK;
}

solo_status solo_remote_reach(solo_bqueue *queue, uint64_t ticket) {
  solo_status status = solo_remote_wait(&queue->channel, ticket);
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    solo_remote_queue_abandon(queue);
    return status;
  }
  solo_remote_deliver();
  return solo_remote_completed_before_loss(queue, ticket) ? SOLO_OK
                                                          : solo_remote_abandon_queue(queue);
}

solo_status solo_remote_queue_sync(solo_bqueue *queue) {
  uint64_t ticket = 0;
  SOLO_TRY(solo_remote_mark(queue, &ticket));
  SOLO_TRY(solo_remote_reach(queue, ticket));
  if (SOLO_UNLIKELY(queue->device->server->log != NULL)) solo_remote_fetch_some_work(queue);
  solo_status status = error_until(queue, UINT64_MAX);
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    acknowledge_errors(queue);
    queue->marked = 0; /* the next sync posts a MARK, which detects a lost device */
  }
  queue->has_failed = status != SOLO_OK;
  return status;
}

solo_status solo_remote_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  solo_remote_copy *m = solo_remote_message(&queue->channel, sizeof *m, SOLO_REMOTE_FILL);
  if (!m) return solo_remote_abandon_queue(queue);
  m->value = (uint32_t)value & 0xff;
  m->device = dst;
  m->bytes = bytes;
  (void)solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}

solo_status solo_remote_event_open(solo_bdevice *device, solo_bevent **out_event) {
  (void)device;
  solo_bevent *event = calloc(1, sizeof *event);
  if (!event) return solo_fail(SOLO_NOMEM, "remote: no host memory for an event");
  *out_event = event;
  return SOLO_OK;
}

void solo_remote_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  free(event);
}

solo_status solo_remote_event_record(solo_bqueue *queue, solo_bevent *event) {
  uint64_t ticket = 0;
  SOLO_TRY(solo_remote_mark(queue, &ticket));
  event->queue = queue;
  event->ticket = ticket;
  return SOLO_OK;
}

solo_status solo_remote_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  if (!event->queue || event->queue == queue) return SOLO_OK;
  solo_remote_tree_remove(event->queue->device, event->queue);
  if (solo_remote_completed(&event->queue->channel) >= event->ticket) return SOLO_OK;
  int is_here = event->queue->device->server == queue->device->server;
  solo_remote_wait_for *m = solo_remote_message(&queue->channel, sizeof *m,
                                                is_here ? SOLO_REMOTE_WAIT : SOLO_REMOTE_GATE);
  if (!m) return solo_remote_abandon_queue(queue);
  if (!is_here) return solo_remote_fence(queue, event, m);
  m->channel = event->queue->channel.number;
  m->ticket = event->ticket;
  (void)solo_remote_post(&queue->channel, m);
  return SOLO_OK;
}

/* Returns an error if an incomplete event can no longer complete. */
static solo_status check_pending(solo_bevent *event) {
  solo_remote_channel *channel = &event->queue->channel;
  if (solo_remote_violates_protocol(channel)) {
    (void)solo_remote_fail_protocol(channel, "more completed messages than it received");
    solo_remote_queue_abandon(event->queue);
    return SOLO_DEVICE_LOST;
  }
  if (!channel->link->transport->is_alive(channel->link) &&
      solo_remote_completed(channel) < event->ticket)
    return solo_remote_abandon_queue(event->queue);
  return SOLO_OK;
}

solo_status solo_remote_event_query(solo_bevent *event, int *out_done) {
  int done = 1;
  if (event->queue) {
    solo_remote_channel *channel = &event->queue->channel;
    solo_remote_pass_fences();
    done = solo_remote_completed(channel) >= event->ticket;
    if (!done) {
      channel->link->transport->await(channel, event->ticket, 0);
      done = solo_remote_completed(channel) >= event->ticket;
    }
    if (!done) {
      SOLO_TRY(check_pending(event));
    } else {
      solo_remote_deliver();
      if (!solo_remote_completed_before_loss(event->queue, event->ticket))
        return solo_remote_abandon_queue(event->queue);
      SOLO_TRY(error_until(event->queue, event->ticket));
    }
  }
  *out_done = done;
  return SOLO_OK;
}

solo_status solo_remote_event_wait(solo_bevent *event) {
  if (!event->queue) return SOLO_OK;
  SOLO_TRY(solo_remote_reach(event->queue, event->ticket));
  return error_until(event->queue, event->ticket);
}
