/* The thread of a queue. On an asynchronous device it enqueues operations, records an event after
 * each message with SOLO_REMOTE_COMPLETE, and polls these events. */
#include "backends/remote/server/server.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SPIN_NS = 100 * 1000,
  POLLS_PER_TIME = 16,
  LONGEST_SLEEP_NS = 200 * 1000 * 1000,
  CHECK_MARKS_NS = 50 * 1000, /* poll interval of events */
};

static int is_ending(const server_queue *q) {
  /* relaxed: a late read is harmless */
  return solo_load_relaxed(&q->closing) || solo_load_relaxed(&q->client->link->lost);
}

/* Stores a failure for the client, unless an earlier failure is still unreported. */
static SOLO_COLD void note_error(server_queue *q, uint64_t ticket, solo_status status) {
  solo_remote_shared *s = q->channel.shared;
  uint32_t made = solo_load_relaxed(&s->errors_made); /* relaxed: no other writer */
  /* acquire: pairs with acknowledge_errors() */
  if (made != solo_load_acquire(&s->errors_reported)) return;
  const solo_error *error = solo_error_last();
  s->result.status = status;
  s->result.vendor_code = error->vendor_code;
  s->result.ticket = ticket;
  snprintf(s->result.text, sizeof s->result.text, "%s", error->text);
  /* Invariant: result is complete while errors_made differs from errors_reported.
   * Ordering:  this release store pairs with the acquire load in solo_remote_has_error().
   * Otherwise: a sync could report half of a text.
   */
  solo_store_release(&s->errors_made, made + 1);
}

/* Returns whether a failure is unreported. Then messages are skipped, because they may depend on
 * the failed work. */
static int has_failed(const server_queue *q) {
  const solo_remote_shared *s = q->channel.shared;
  /* relaxed: no other writer; acquire: pairs with acknowledge_errors() */
  return solo_load_relaxed(&s->errors_made) != solo_load_acquire(&s->errors_reported);
}

static void complete_to(server_queue *q, uint64_t ticket) {
  q->completed = ticket;
  q->client->transport->complete(&q->channel, ticket);
}

static void finish_all(server_queue *q, uint64_t ticket) {
  solo_status status = q->device->backend->queue_sync(q->handle);
  if (status != SOLO_OK) note_error(q, q->completed + 1, status);
  for (; q->first_mark != q->last_mark; q->first_mark++)
    server_end_work(q, &q->marks[q->first_mark % SERVER_MARKS].work);
  complete_to(q, ticket);
}

static void add_mark(server_queue *q, const server_work *work) {
  const solo_backend *b = q->device->backend;
  uint64_t ticket = q->channel.count;
  server_mark *mark = &q->marks[q->last_mark % SERVER_MARKS];
  if (q->last_mark - q->first_mark == SERVER_MARKS) {
    finish_all(q, ticket);
    server_end_work(q, work);
    return;
  }
  if (!mark->event && b->event_open(q->device->handle, &mark->event) != SOLO_OK) {
    mark->event = NULL;
    finish_all(q, ticket);
    server_end_work(q, work);
    return;
  }
  if (b->event_record(q->handle, mark->event) != SOLO_OK) {
    finish_all(q, ticket);
    server_end_work(q, work);
    return;
  }
  mark->ticket = ticket;
  mark->work = *work;
  q->last_mark++;
}

static void check_marks(server_queue *q) {
  while (q->first_mark != q->last_mark) {
    server_mark *mark = &q->marks[q->first_mark % SERVER_MARKS];
    int done = 0;
    uint64_t newest = q->marks[(q->last_mark - 1) % SERVER_MARKS].ticket;
    solo_status status = q->device->backend->event_query(mark->event, &done);
    if (status != SOLO_OK) {
      note_error(q, q->completed + 1,
                 /* stored now, not at a sync, because the driver reports the text only once */
                 status);
      finish_all(q, newest);
      return;
    }
    if (!done) return;
    q->first_mark++;
    server_end_work(q, &mark->work);
    complete_to(q, mark->ticket);
  }
}

static solo_status launch(server_queue *q, const solo_remote_launch *m, uint32_t bytes) {
  if (bytes < sizeof *m || m->argument_bytes > bytes - sizeof *m ||
      m->kernel >= SOLO_REMOTE_KERNELS)
    return MALFORMED;
  server_kernel *kernel = server_kernel_of(q, m->kernel);
  if (!kernel)
    return solo_fail(SOLO_INVALID, "launch of a kernel that the device has not loaded (handle %u)",
                     m->kernel);
  const solo_launch_record record = {
      .teams = {m->teams[0], m->teams[1], m->teams[2]},
      .threads = {m->threads[0], m->threads[1], m->threads[2]},
      .shared_bytes = m->shared_bytes,
      .argument_bytes = m->argument_bytes,
      .arguments = m->arguments,
      .trip_count = m->trip_count,
  };
  return q->device->backend->queue_launch(q->handle, kernel->handle, &record);
}

static solo_status copy(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  const solo_backend *b = q->device->backend;
  if (bytes < sizeof *m || !m->bytes) return MALFORMED;
  if (m->direction == SOLO_COPY_WITHIN)
    return b->queue_copy(q->handle, m->device, m->host, m->bytes, SOLO_COPY_WITHIN);
  if (m->host > SOLO_REMOTE_STAGING_BYTES || m->bytes > SOLO_REMOTE_STAGING_BYTES - m->host ||
      m->direction > SOLO_COPY_OUT)
    return MALFORMED;
  server_lock_staging(q);
  uint64_t host = (uint64_t)(uintptr_t)(q->channel.staging + m->host);
  return m->direction == SOLO_COPY_IN
             ? b->queue_copy(q->handle, m->device, host, m->bytes, SOLO_COPY_IN)
             : b->queue_copy(q->handle, host, m->device, m->bytes, SOLO_COPY_OUT);
}

static solo_status fill(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (bytes < sizeof *m || !m->bytes) return MALFORMED;
  return solo_backend_queue_fill(q->device->backend, q->handle, m->device, (int)m->value, m->bytes);
}

static solo_status copy_peer(server_queue *q, const solo_remote_copy *m, uint32_t bytes) {
  if (bytes < sizeof *m || !m->bytes || m->value >= q->client->device_count) return MALFORMED;
  server_device *to = q->client->devices[m->value];
  /* relaxed: ordered by server_begin_use */
  if (to->backend != q->device->backend || !solo_load_relaxed(&q->client->device_open[m->value]))
    return solo_fail(SOLO_INVALID, "copy to a device of another kind, or one that is not open");
  return solo_backend_queue_copy_peer(q->device->backend, q->handle, to->handle, m->device, m->host,
                                      m->bytes);
}

/* Blocks the queue's thread until message m->ticket of m->channel is complete. The client has posted
 * that message, but its queue may not be open yet. */
static solo_status wait_for(server_queue *q, const solo_remote_wait_for *m, uint32_t bytes) {
  if (bytes < sizeof *m || m->channel >= SOLO_REMOTE_CHANNELS) return MALFORMED;
  if (m->channel == 0 || m->channel == q->channel.number) return SOLO_OK;
  solo_remote_channel other;
  solo_remote_channel_of(q->client->link, m->channel, &other);
  solo_remote_shared *s = other.shared;
  /* relaxed: the client posted the awaited message before this one */
  if (m->ticket > solo_load_relaxed(&s->posted))
    return solo_load_relaxed(&q->client->queues[m->channel]) ? MALFORMED : SOLO_OK;
  uint64_t end = solo_now_ns() + SPIN_NS;
  while (solo_load_acquire(&s->completed) < m->ticket &&
         !is_ending(q)) { /* pairs with solo_remote_shm_complete() */
    /* relaxed: a late read is harmless. A count below the ticket: the channel was reopened */
    if (solo_load_relaxed(&s->posted) < m->ticket) break;
    /* the awaited queue may wait for messages that these marks complete */
    if (q->first_mark != q->last_mark) check_marks(q);
    int pending = q->first_mark != q->last_mark;
    if (solo_now_ns() < end)
      (void)sched_yield();
    else
      q->client->transport->await(&other, m->ticket, pending ? CHECK_MARKS_NS : LONGEST_SLEEP_NS);
  }
  return SOLO_OK;
}

/* Skips a message after a failure: only transfers its bytes, for which another process waits. */
static solo_status skip(server_queue *q, const solo_remote_head *m, uint32_t bytes) {
  const void *message = m;
  if (m->kind == SOLO_REMOTE_COPY && m->flags & SOLO_REMOTE_DIRECT_COPY)
    return server_move_bytes_only(q, message, bytes);
  if (m->kind == SOLO_REMOTE_SEND_TO) return server_send_to(q, message, bytes, SOLO_INTERNAL);
  if (m->kind == SOLO_REMOTE_RECEIVE_FROM)
    return server_receive_from(q, message, bytes, SOLO_INTERNAL);
  if (m->kind == SOLO_REMOTE_RECEIVE_FORWARDED)
    return server_receive_forwarded(q, message, bytes, SOLO_INTERNAL);
  return SOLO_OK;
}

static solo_status wait_for_gate(server_queue *q, const solo_remote_wait_for *m, uint32_t bytes) {
  if (bytes < sizeof *m || m->ticket != q->gates + 1) return MALFORMED;
  uint64_t gate = ++q->gates, end = solo_now_ns() + SPIN_NS;
  for (;;) {
    /* first, so that a change during the checks below ends the await */
    solo_remote_read_bells(&q->channel);
    /* pairs with server_open_gate() */
    if (solo_load_acquire(&q->gates_open) >= gate || is_ending(q)) break;
    /* the server of the awaited event may wait for pending marks of this queue */
    if (q->first_mark != q->last_mark) check_marks(q);
    int pending = q->first_mark != q->last_mark;
    if (solo_now_ns() < end)
      (void)sched_yield();
    else
      q->client->transport->await(&q->channel, SOLO_REMOTE_NEVER,
                                  pending ? CHECK_MARKS_NS : LONGEST_SLEEP_NS);
  }
  return SOLO_OK;
}

static solo_status open_handle(server_queue *q) {
#ifdef SOLO_CHECK
  int is_to_fail = q->is_to_fail;
  q->is_to_fail = 0;
  if (is_to_fail)
    return solo_fail(SOLO_DEVICE_NOMEM, "queue %u was ordered to fail", q->channel.number);
#endif
  return q->device->backend->queue_open(q->device->handle, &q->handle);
}

static solo_status execute(server_queue *q, const solo_remote_head *m, uint32_t bytes) {
#ifdef SOLO_CHECK
  if (m->flags & SOLO_REMOTE_FAIL && m->kind == SOLO_REMOTE_GATE) q->gates++;
  if (m->flags & SOLO_REMOTE_FAIL && skip(q, m, bytes) != MALFORMED)
    return solo_fail(SOLO_DEVICE_NOMEM, "message %llu of queue %u was ordered to fail",
                     (unsigned long long)q->channel.count, q->channel.number);
#endif
  const void *message = m;
  /* after a failure was reported, tries again to open the queue */
  if (SOLO_UNLIKELY(!q->handle) && !has_failed(q) && m->kind != SOLO_REMOTE_MARK &&
      m->kind != SOLO_REMOTE_GATE)
    SOLO_TRY(open_handle(q));
  if (SOLO_UNLIKELY(has_failed(q)) && m->kind != SOLO_REMOTE_MARK && m->kind != SOLO_REMOTE_GATE)
    return skip(q, m, bytes);
  switch (m->kind) {
  case SOLO_REMOTE_LAUNCH:
    return launch(q, message, bytes);
  case SOLO_REMOTE_COPY:
    return m->flags & (SOLO_REMOTE_DIRECT_COPY | SOLO_REMOTE_INLINE)
               ? server_move(q, message, bytes)
               : copy(q, message, bytes);
  case SOLO_REMOTE_FILL:
    return fill(q, message, bytes);
  case SOLO_REMOTE_COPY_PEER:
    return copy_peer(q, message, bytes);
  case SOLO_REMOTE_WAIT:
    return wait_for(q, message, bytes);
  case SOLO_REMOTE_GATE:
    return wait_for_gate(q, message, bytes);
  case SOLO_REMOTE_SEND_TO:
    return server_send_to(q, message, bytes, SOLO_OK);
  case SOLO_REMOTE_RECEIVE_FROM:
    return server_receive_from(q, message, bytes, SOLO_OK);
  case SOLO_REMOTE_RECEIVE_FORWARDED:
    return server_receive_forwarded(q, message, bytes, SOLO_OK);
  case SOLO_REMOTE_MARK: /* on a synchronous device, this sync detects a lost device */
    return q->synchronous && q->handle ? q->device->backend->queue_sync(q->handle) : SOLO_OK;
  default:
    return MALFORMED;
  }
}

/* Returns whether the message uses a module or another device. */
static int is_user(const server_queue *q, const solo_remote_head *m, uint32_t bytes,
                   const server_device **out_device) {
  *out_device = q->device;
  if (m->kind == SOLO_REMOTE_LAUNCH) return 1;
  const solo_remote_copy *copy = (const void *)m;
  if (m->kind != SOLO_REMOTE_COPY_PEER || bytes < sizeof *copy ||
      copy->value >= q->client->device_count)
    return 0;
  *out_device = q->client->devices[copy->value];
  return 1;
}

static void handle(server_queue *q, const solo_remote_head *m, uint32_t bytes) {
  server_work work = {0};
  const server_device *used;
  int uses = is_user(q, m, bytes, &used);
  if (uses) server_begin_use(q, used);
  if (SOLO_UNLIKELY(solo_load_relaxed(&q->client->log) != NULL)) /* relaxed: a late read is fine */
    server_begin_work(q, m, &work);
  solo_status status = execute(q, m, bytes);
  if (uses) server_end_use(q);
  if (SOLO_UNLIKELY(status == MALFORMED)) {
    server_refuse(q->client, &q->channel, m);
    return;
  }
  if (SOLO_UNLIKELY(status != SOLO_OK)) note_error(q, q->channel.count, status);
  if (m->kind == SOLO_REMOTE_RECEIVE_FORWARDED) server_set_forwarded_kind(q, &work);
  if (q->synchronous || SOLO_UNLIKELY(!q->handle)) {
    server_end_work(q, &work);
    complete_to(q, q->channel.count);
  } else if (m->flags & SOLO_REMOTE_COMPLETE || work.begin_ns) {
    add_mark(q, &work);
  }
}

/* relaxed: a late read is harmless */
static int has_message(const server_queue *q) {
  return solo_load_relaxed(&q->channel.shared->head) != q->channel.head;
}

/* Pauses. The first pauses are short, to reduce the latency of launches. */
static void idle(server_queue *q, uint64_t *since) {
  int pending = q->first_mark != q->last_mark;
  if (pending) check_marks(q);
  for (int i = 0; i < (pending ? 1 : POLLS_PER_TIME); i++) {
    solo_cpu_relax();
    if (has_message(q)) return;
  }
  uint64_t now = solo_now_ns();
  if (!*since) *since = now;
  if (!solo_remote_may_sleep(&q->channel, now - *since, SPIN_NS)) return;
  uint64_t ns = (now - *since) / 8;
  if (ns > CHECK_MARKS_NS) ns = CHECK_MARKS_NS;
  solo_remote_read_bells(&q->channel);
  /* server_stop_queue() may have changed the futex word before this thread read it */
  if (is_ending(q)) return;
  q->client->transport->await(&q->channel, SOLO_REMOTE_NEXT_MESSAGE,
                              pending ? ns : LONGEST_SLEEP_NS);
}

static void *run(void *queue) {
  server_queue *q = queue;
  SOLO_ALIGNED(64) uint8_t buffer[SOLO_REMOTE_MESSAGE_BYTES];
  uint64_t idle_since = 0;
  solo_status status = open_handle(q);
  if (status != SOLO_OK) note_error(q, q->channel.count + 1, status);
  while (!is_ending(q)) {
    int bytes = q->client->transport->receive(&q->channel, buffer);
    if (bytes > 0) {
      idle_since = 0;
      handle(q, (const solo_remote_head *)(const void *)buffer, (uint32_t)bytes);
    } else if (bytes < 0) {
      server_refuse(q->client, &q->channel, NULL);
    } else {
      idle(q, &idle_since);
    }
  }
  return NULL;
}

static solo_status start_thread(server_queue *q) {
#ifdef SOLO_CHECK
  int is_refused = !q->was_refused && getenv("SOLO_TEST_NO_THREAD");
  q->was_refused = 1;
#else
  enum { is_refused = 0 };
#endif
  if (is_refused || pthread_create(&q->thread, NULL, run, q) != 0)
    return solo_fail(SOLO_NOMEM, "the device server cannot create a thread for a queue");
  q->has_thread = 1;
  return SOLO_OK;
}

void server_open_queue(server_client *client, uint32_t device, uint32_t channel, int is_to_fail) {
  server_queue *q = &client->storage[channel];
  *q = (server_queue){.client = client, .device = client->devices[device], .number = device};
  q->synchronous = (q->device->info.flags & SOLO_DEVICE_SYNCHRONOUS) != 0;
#ifdef SOLO_CHECK
  q->is_to_fail = is_to_fail;
#else
  (void)is_to_fail;
#endif
  solo_remote_channel_of(client->link, channel, &q->channel);
  /* relaxed: queues only test the pointer for NULL */
  solo_store_relaxed(&client->queues[channel], q);
  client->objects++;
  solo_status status = start_thread(q);
  if (status == SOLO_OK) return;
  note_error(q, 1, status);
  client->threadless++;
}

/* Lets the queue's messages fail. After the client has received a failure, tries again to start the
 * thread. */
static void serve_without_thread(server_queue *q) {
  SOLO_ALIGNED(64) uint8_t buffer[SOLO_REMOTE_MESSAGE_BYTES];
  const solo_remote_head *m = (const solo_remote_head *)(const void *)buffer;
  solo_status status = has_failed(q) ? SOLO_OK : start_thread(q);
  if (q->has_thread) {
    q->client->threadless--;
    return;
  }
  for (int bytes; (bytes = q->client->transport->receive(&q->channel, buffer)) != 0;) {
    if (bytes < 0) {
      server_refuse(q->client, &q->channel, NULL);
      return;
    }
    if (status != SOLO_OK) note_error(q, q->channel.count, status);
    /* does not wait for the gate, because this thread itself opens gates */
    if (m->kind == SOLO_REMOTE_GATE) {
      q->gates++;
      complete_to(q, q->channel.count);
    } else {
      handle(q, m, (uint32_t)bytes);
    }
  }
}

int server_serve_threadless(server_client *client) {
  for (uint32_t n = 1; n < SOLO_REMOTE_CHANNELS && client->threadless; n++) {
    /* relaxed: no other writer */
    server_queue *q = solo_load_relaxed(&client->queues[n]);
    if (q && !q->has_thread) serve_without_thread(q);
  }
  return client->threadless != 0;
}

void server_open_gate(server_client *client, uint32_t channel, uint64_t gate) {
  /* relaxed: no other writer */
  server_queue *q = solo_load_relaxed(&client->queues[channel]);
  if (!q) return;
  /* Invariant: the other server's work is complete before its gate opens.
   * Ordering:  this release store pairs with the acquire load in wait_for_gate().
   * Otherwise: the queue could read memory too early.
   */
  solo_store_release(&q->gates_open, gate);
  solo_remote_wake(&q->channel);
}

void server_stop_queue(server_client *client, uint32_t channel) {
  /* relaxed: no other writer */
  server_queue *q = solo_load_relaxed(&client->queues[channel]);
  if (!q) return;
  solo_store_relaxed(&q->closing, 1); /* relaxed: a late read is harmless */
  solo_remote_wake(&q->channel);
}

static void close_handle(server_queue *q) {
  const solo_backend *b = q->device->backend;
  (void)b->queue_sync(q->handle);
  b->queue_close(q->device->handle, q->handle);
}

void server_close_queue(server_client *client, uint32_t channel) {
  /* relaxed: no other writer */
  server_queue *q = solo_load_relaxed(&client->queues[channel]);
  if (!q) return;
  const solo_backend *b = q->device->backend;
  if (q->has_thread)
    pthread_join(q->thread, NULL);
  else
    client->threadless--;
  if (q->handle) close_handle(q);
  server_unlock_staging(q);
  for (int n = 0; n < SERVER_MARKS; n++)
    if (q->marks[n].event) b->event_close(q->device->handle, q->marks[n].event);
  for (int n = 0; n < SERVER_BUFFERS; n++)
    if (q->filled[n]) b->event_close(q->device->handle, q->filled[n]);
  /* relaxed: no more posts. Messages that were not executed count as complete */
  complete_to(q, solo_load_relaxed(&q->channel.shared->posted));
  /* relaxed: queues only test the pointer for NULL */
  solo_store_relaxed(&client->queues[channel], NULL);
  client->objects--;
}
