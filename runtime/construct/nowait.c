/* Lanes, and the constructs in them (construct/nowait.h). */
#define _GNU_SOURCE
#include "runtime/construct/nowait.h"

#include "runtime/base/early.h"
#include "runtime/host_threads.h"
#include "runtime/trace/observer.h"
#include <sched.h>

enum { SPINS = 64, YIELDS = 1000, NAP_NS = 50000, RECENT = 4, IN_FLIGHT_LOOKS = 4 };

typedef struct stream {
  solo_lock lock; /* held by who builds: the queue has one user */
  solo_device *device;
  solo_bqueue *queue; /* guarded by lock */
  /* guarded by the device's later lock */
  solo_nowait_op *first, *last; /* published, in order of work */
  uint64_t published, landed;
  uint32_t failed; /* its queue has an error that was told and not yet cleared */
} stream;

typedef enum state { BUILDING, QUEUED, LANDED } state;

struct solo_nowait_op {
  solo_construct c;
  solo_scratch_arena arena;
  solo_bevent *event;
  uint32_t opening; /* of the device */
  stream *stream;
  void *after[SOLO_STREAMS]; /* streams that it comes behind; for who builds */
  int32_t after_count;
  /* guarded by the device's later lock */
  solo_nowait_op *next, *previous; /* in the stream; next: free list */
  state state;
  uint32_t in_stream;
  uint64_t number; /* in the stream */
  /* hull of the ranges that others have taken over while its copies back are under way */
  uintptr_t writeback_begin, writeback_end;
  solo_status status;
  uint32_t reported;
  solo_kept_error error;
};

typedef struct solo_nowait_device {
  solo_lock lock;
  _Atomic uint32_t next_stream;
  _Atomic uint32_t
      pending_writebacks; /* constructs in streams with ranges given away; written under lock */
  stream streams[SOLO_STREAMS];
  solo_nowait_op *free;
} solo_nowait_device;

SOLO_INLINE solo_nowait_device *state_of(const solo_device *device) {
  return solo_load_acquire(&device->nowait); /* pairs with make_state */
}

static solo_status make_state(solo_device *device, solo_nowait_device **out) {
  solo_nowait_device *d = state_of(device);
  if (SOLO_UNLIKELY(!d)) {
    solo_device_lock(device);
    d = solo_load_relaxed(&device->nowait); /* lock held */
    if (!d) {
      d = solo_early_alloc(sizeof *d);
      if (d) solo_lock_init(&d->lock, SOLO_RANK_NOWAIT);
      for (int i = 0; d && i < SOLO_STREAMS; i++) {
        d->streams[i].device = device;
        solo_lock_init(&d->streams[i].lock, SOLO_RANK_STREAM);
      }
      if (d) solo_store_release(&device->nowait, d); /* pairs with state_of */
    }
    solo_lock_release(&device->lock);
  }
  *out = d;
  return d ? SOLO_OK : solo_fail(SOLO_NOMEM, "no host memory for the device's lanes");
}

/* --- lists; the later lock is held -------------------------------------------------------------*/

static void append(solo_nowait_op *r) {
  stream *l = r->stream;
  r->in_stream = 1;
  r->number = ++l->published;
  r->next = NULL;
  r->previous = l->last;
  if (l->last)
    l->last->next = r;
  else
    l->first = r;
  l->last = r;
}

static void take_first(stream *l) {
  solo_nowait_op *r = l->first;
  l->first = r->next;
  if (l->first)
    l->first->previous = NULL;
  else
    l->last = NULL;
  l->landed = r->number;
  r->in_stream = 0;
}

static void clear_writeback(solo_nowait_op *r) {
  r->writeback_begin = UINTPTR_MAX;
  r->writeback_end = 0;
}

static void land(solo_nowait_op *r, solo_status status) {
  stream *l = r->stream;
  take_first(l);
  if (SOLO_UNLIKELY(r->writeback_end)) {
    /* release: its copies back are done; pairs with solo_nowait_order_after_writebacks */
    solo_sub_release(&state_of(l->device)->pending_writebacks, 1);
    clear_writeback(r);
  }
  r->status = status;
  r->reported = 0;
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    r->reported = l->failed;
    solo_error_keep(&r->error);
    r->error.device = l->device->number;
    l->failed = 1;
  }
  solo_construct_land(&r->c);
  r->state = LANDED;
}

/* The constructs whose events are reached land. What is being built is not asked about. */
static void look_at(stream *l) {
  while (l->first && l->first->state == QUEUED) {
    int done = 0;
    solo_status status = SOLO_OP(l->device->backend, event_query)(l->first->event, &done);
    if (status == SOLO_OK && !done) return;
    land(l->first, status);
  }
}

static void look_at_all(solo_nowait_device *d) {
  for (int i = 0; i < SOLO_STREAMS; i++) look_at(&d->streams[i]);
}

/* Asking leaves no trace in the thread's record, unless somebody wants it. */
static void look_quietly(solo_nowait_device *d, stream *l) {
  solo_kept_error before;
  solo_error_keep(&before);
  if (l)
    look_at(l);
  else
    look_at_all(d);
  (void)solo_error_again(&before);
}

void solo_nowait_pause(unsigned round) {
  static _Atomic uint32_t never;
  if (round < SPINS)
    solo_cpu_relax();
  else if (round < YIELDS)
    sched_yield();
  else
    solo_futex_wait(&never, 0, NAP_NS); /* a timed sleep */
}

/* --- waiting on the host -----------------------------------------------------------------------*/

/* Until what was in the stream by now, and is not being built, has landed. */
static void wait_for_stream(solo_nowait_device *d, stream *l) {
  uint64_t target = 0;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    if (!round && l->last) target = l->last->number - (l->last->state == BUILDING);
    look_quietly(d, l);
    int over = l->landed >= target;
    solo_lock_release(&d->lock);
    if (over) return;
    solo_nowait_pause(round);
  }
}

void solo_nowait_drain(solo_device *device) {
  solo_nowait_device *d = state_of(device);
  for (int i = 0; d && i < SOLO_STREAMS; i++) wait_for_stream(d, &d->streams[i]);
}

void solo_nowait_join(void) {
  void *queues[SOLO_STREAMS];
  int32_t count = solo_task_queues ? solo_task_queues(queues, SOLO_STREAMS) : 0;
  for (int32_t i = 0; i < count; i++) {
    stream *l = queues[i];
    wait_for_stream(state_of(l->device), l);
  }
}

/* The stream's lock is held. Errors of constructs that were in it are theirs to tell. */
static solo_status wait_on_queue(stream *l) {
  solo_nowait_device *d = state_of(l->device);
  solo_status status = solo_is_observed() ? solo_observe_wait(l->device, l->queue, NULL)
                                          : SOLO_OP(l->device->backend, queue_sync)(l->queue);
  solo_kept_error error;
  solo_error_keep(&error);
  solo_lock_acquire(&d->lock);
  while (l->first && l->first->state == QUEUED) {
    int done;
    solo_status own = SOLO_OP(l->device->backend, event_query)(l->first->event, &done);
    land(l->first, own);
  }
  l->failed = 0;
  solo_lock_release(&d->lock);
  (void)solo_error_again(&error);
  if (status != SOLO_OK) solo_error_set_device(l->device->number);
  return status;
}

solo_status solo_nowait_wait(solo_nowait_op *nowait) {
  return wait_on_queue(nowait->stream);
}

void solo_nowait_help_close(solo_device *device, solo_mapping *m) {
  solo_nowait_device *d = state_of(device);
  if (SOLO_LIKELY(!d)) return;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    look_quietly(d, NULL);
    int pending = m->creating_op || solo_mapping_in_flight(m);
    int any = 0;
    for (int i = 0; i < SOLO_STREAMS; i++) any |= d->streams[i].first != NULL;
    solo_lock_release(&d->lock);
    if (!pending || !any) return; /* what is left is another thread's, which waits for its work */
    solo_nowait_pause(round);
  }
}

/* --- order -------------------------------------------------------------------------------------*/

/* c's queue comes behind r; the later lock is held. */
static solo_status wait_on(solo_construct *c, const solo_nowait_op *r) {
  if (r->state == LANDED || (c->nowait && c->nowait->stream == r->stream)) return SOLO_OK;
  c->enqueued = 1;
  return SOLO_OP(c->device->backend, queue_wait_event)(c->queue, r->event);
}

solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  if (!d) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  if (m->creating_op && m->creating_op != c->nowait) status = wait_on(c, m->creating_op);
  solo_lock_release(&d->lock);
  return status;
}

static int removes(solo_mapping **list, solo_mapping *m, int by_new) {
  while (*list && *list != m) list = by_new ? &(*list)->next_new : &(*list)->next;
  if (!*list) return 0;
  *list = by_new ? m->next_new : m->next;
  return 1;
}

/* The range is about to leave the table before r's copies back to it are done: whoever maps it
 * anew, c or a third construct that is quicker, must come behind r. */
static void note_writeback(solo_nowait_op *r, const solo_mapping *m) {
  /* relaxed: constant while it has a closer */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  /* relaxed: published with the removal, by the table's lock */
  if (!r->writeback_end) solo_add_relaxed(&state_of(r->stream->device)->pending_writebacks, 1);
  if (begin < r->writeback_begin) r->writeback_begin = begin;
  if (end > r->writeback_end) r->writeback_end = end;
}

/* r's closing of m is c's from now on: c's work comes behind r's. The later lock is held. */
static solo_status take_over(solo_construct *c, solo_nowait_op *r, solo_mapping *m) {
  SOLO_TRY(wait_on(c, r));
  note_writeback(r, m);
  if (m->creating_op) removes(&m->creating_op->c.new_mappings, m, 1);
  removes(&r->c.closing, m, 0);
  m->creating_op = m->closing_op = NULL;
  solo_block *block = solo_mapping_remove(&c->device->mappings, m);
  if (!block) return SOLO_OK;
  /* behind the same work the memory may serve again; back to the pool it goes only after it */
  solo_block **home = c->inherited_block ? &r->c.blocks : &c->inherited_block;
  block->next = *home;
  *home = block;
  return SOLO_OK;
}

solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *m, int *out_done) {
  solo_nowait_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  *out_done = 0;
  if (d) {
    solo_lock_acquire(&d->lock);
    look_quietly(d, NULL);
    solo_nowait_op *r = m->closing_op;
    /* relaxed: constant while it has a closer, which is guarded by the lock */
    uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
    uintptr_t asked_end = request->begin + request->size;
    int covered = request->begin <= begin && asked_end >= end;
    /* acquire: pairs with open_gate; being filled by its maker it cannot be taken over */
    uint32_t data_state = solo_load_acquire(&m->data_state);
    covered = covered && (data_state == SOLO_DATA_READY || data_state == SOLO_DATA_ENQUEUED);
    int landed = r && r->state == LANDED;
    if (landed) {
      (void)solo_construct_end(&r->c); /* its asker finds less to do */
      *out_done = m->closing_op == NULL;
    } else if (r && covered && r->state == QUEUED && !solo_mapping_in_flight(m) &&
               (c->device->info.flags & SOLO_DEVICE_COPIES_IN_TURN)) {
      status = take_over(c, r, m);
      *out_done = 1;
    }
    solo_lock_release(&d->lock);
  }
  return status;
}

solo_status solo_nowait_order_after_writebacks(solo_construct *c, uintptr_t begin, uintptr_t end) {
  solo_nowait_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  if (!d || !solo_load_acquire(&d->pending_writebacks)) return SOLO_OK; /* pairs with land */
  solo_lock_acquire(&d->lock);
  for (int i = 0; i < SOLO_STREAMS; i++)
    for (solo_nowait_op *r = d->streams[i].first; r && status == SOLO_OK; r = r->next)
      if (begin < r->writeback_end && r->writeback_begin < end) status = wait_on(c, r);
  solo_lock_release(&d->lock);
  return status;
}

static unsigned in_flight_of(const solo_nowait_op *r, const solo_mapping *m) {
  unsigned count = 0;
  for (const solo_in_flight *use = r->c.in_flight; use; use = use->next) count += use->mapping == m;
  return count;
}

solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *m, int *out_others) {
  solo_nowait_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  unsigned known = 0;
  *out_others = solo_mapping_in_flight(m) != 0;
  if (!d || !*out_others) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  look_quietly(d, NULL);
  for (int i = 0; i < SOLO_STREAMS; i++)
    for (solo_nowait_op *r = d->streams[i].last; r && status == SOLO_OK; r = r->previous) {
      unsigned in_flight = r->state == QUEUED ? in_flight_of(r, m) : 0;
      if (in_flight) status = wait_on(c, r);
      known += in_flight;
    }
  *out_others = solo_mapping_in_flight(m) > known;
  solo_lock_release(&d->lock);
  return status;
}

void solo_nowait_forget_creator(const solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = state_of(c->device);
  solo_lock_acquire(&d->lock);
  m->creating_op = NULL;
  solo_lock_release(&d->lock);
}

void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = state_of(c->device);
  solo_lock_acquire(&d->lock);
  solo_nowait_op *r = c->nowait->stream->last;
  for (int looks = 0; r && looks < RECENT; r = r->previous, looks++) {
    solo_in_flight **at = &r->c.in_flight;
    if (r == c->nowait) continue;
    for (int k = 0; *at && k < IN_FLIGHT_LOOKS; at = &(*at)->next, k++) {
      if ((*at)->mapping != m) continue;
      *at = (*at)->next; /* its memory is the construct's own */
      solo_mapping_drop_in_flight(m);
      solo_lock_release(&d->lock);
      return;
    }
  }
  solo_lock_release(&d->lock);
}

/* --- life --------------------------------------------------------------------------------------*/

static solo_status take_record(solo_nowait_device *d, solo_device *device, solo_nowait_op **out) {
  solo_lock_acquire(&d->lock);
  solo_nowait_op *r = d->free;
  if (r) d->free = r->next;
  solo_lock_release(&d->lock);
  if (!r) {
    r = solo_early_alloc(sizeof *r);
    if (!r) return solo_fail(SOLO_NOMEM, "no host memory for an asynchronous construct");
    solo_status status = SOLO_OP(device->backend, event_open)(device->handle, &r->event);
    if (status != SOLO_OK) {
      solo_early_free(r);
      return status;
    }
  }
  r->opening = device->openings;
  r->state = BUILDING;
  r->in_stream = 0;
  clear_writeback(r);
  *out = r;
  return SOLO_OK;
}

static void free_record(solo_nowait_device *d, solo_nowait_op *r) {
  solo_scratch_rewind(&r->arena);
  solo_lock_acquire(&d->lock);
  r->next = d->free;
  d->free = r;
  solo_lock_release(&d->lock);
}

solo_status solo_nowait_publish(solo_nowait_op *r) {
  solo_nowait_device *d = state_of(r->c.device);
  solo_lock_acquire(&d->lock);
  solo_status status = SOLO_OP(r->c.device->backend, event_record)(r->stream->queue, r->event);
  if (status == SOLO_OK) {
    if (!r->in_stream) append(r);
    for (solo_mapping *m = r->c.new_mappings; m; m = m->next_new) {
      m->creating_op = r;
      solo_mapping_data_enqueued(m);
    }
  }
  solo_lock_release(&d->lock);
  return status;
}

/* What the construct closes needs no gate any more: nobody else has a reference. */
static void open_closed(solo_nowait_op *r) {
  for (solo_mapping *m = r->c.closing; m; m = m->next)
    if (removes(&r->c.new_mappings, m, 1)) {
      m->creating_op = NULL;
      solo_mapping_data_ready(m);
    }
}

/* Everything is enqueued: the event is the construct's end. */
static solo_status leave(solo_nowait_op *r) {
  solo_nowait_device *d = state_of(r->c.device);
  SOLO_TRY(solo_nowait_publish(r));
  solo_lock_acquire(&d->lock);
  open_closed(r);
  solo_construct_return_inherited(&r->c);
  for (solo_mapping *m = r->c.closing; m; m = m->next) m->closing_op = r;
  r->state = QUEUED;
  solo_lock_release(&d->lock);
  return SOLO_OK;
}

/* It failed while it was built: it ends here, after what it had enqueued. */
static void give_up(solo_nowait_device *d, solo_nowait_op *r) {
  solo_kept_error error;
  solo_error_keep(&error);
  solo_status end = r->stream->queue ? wait_on_queue(r->stream) : SOLO_OK;
  (void)end; /* the first error is the one to report */
  solo_lock_acquire(&d->lock);
  if (r->in_stream) take_first(r->stream); /* what was before it has landed */
  solo_construct_land(&r->c);
  for (unsigned round = 0; !solo_construct_end(&r->c); round++) {
    look_quietly(d, NULL);
    solo_lock_release(&d->lock);
    solo_nowait_pause(round);
    solo_lock_acquire(&d->lock);
  }
  solo_lock_release(&d->lock);
  solo_construct_give_blocks(&r->c);
  (void)solo_error_again(&error);
}

/* The stream: where the work before it is, or one after the other. */
static stream *choose(solo_nowait_device *d, const solo_device *device, const solo_nowait_op *r) {
  for (int32_t i = 0; i < r->after_count; i++) {
    stream *l = r->after[i];
    if (l->device == device) return l;
  }
  /* relaxed: any stream will do */
  return &d->streams[solo_add_relaxed(&d->next_stream, 1) % SOLO_STREAMS];
}

/* The stream's lock is held. */
static solo_status wait_on_streams(solo_nowait_op *r) {
  solo_nowait_device *d = state_of(r->c.device);
  for (int32_t i = 0; i < r->after_count; i++) {
    stream *l = r->after[i];
    solo_status status = SOLO_OK;
    if (l == r->stream) continue;
    if (l->device != r->c.device) {
      wait_for_stream(state_of(l->device), l);
      continue;
    }
    solo_lock_acquire(&d->lock);
    if (l->last) status = wait_on(&r->c, l->last);
    solo_lock_release(&d->lock);
    SOLO_TRY(status);
  }
  return SOLO_OK;
}

solo_status solo_nowait_before_host_read(solo_construct *c) {
  solo_nowait_op *r = c->nowait;
  if (!r || !r->after_count) return SOLO_OK;
  SOLO_TRY(solo_construct_publish_data(c));
  for (int32_t i = 0; i < r->after_count; i++) {
    stream *l = r->after[i];
    wait_for_stream(state_of(l->device), l);
  }
  r->after_count = 0;
  return SOLO_OK;
}

/* With the stream's lock and the arena. */
static solo_status build(solo_nowait_op *r, const solo_nowait_request *order) {
  solo_device *device = order->device;
  solo_nowait_device *d = state_of(device);
  stream *l = r->stream;
  if (!l->queue) SOLO_TRY(SOLO_OP(device->backend, queue_open)(device->handle, &l->queue));
  solo_lock_acquire(&d->lock);
  uint32_t failed = l->failed;
  solo_lock_release(&d->lock);
  if (SOLO_UNLIKELY(failed)) {
    solo_status reported = wait_on_queue(l);
    (void)reported; /* by the construct that failed */
  }
  r->c.queue = l->queue;
  SOLO_TRY(wait_on_streams(r));
  SOLO_TRY(order->work(&r->c, order->context));
  return r->c.wait_status;
}

solo_status solo_nowait_start(const solo_nowait_request *order, solo_nowait_op **out_op) {
  solo_nowait_device *d;
  solo_nowait_op *r = NULL;
  *out_op = NULL;
  SOLO_TRY(make_state(order->device, &d));
  SOLO_TRY(take_record(d, order->device, &r));
  r->after_count = solo_task_queues ? solo_task_queues(r->after, SOLO_STREAMS) : 0;
  stream *l = r->stream = choose(d, order->device, r);
  solo_lock_acquire(&l->lock);
  solo_scratch_swap(&r->arena);
  solo_construct_open_nowait(&r->c, order->device, order->where, r);
  solo_status status = build(r, order);
  int waits = r->c.restores != NULL; /* the host's part is what comes after it needs */
  if (status == SOLO_OK) status = leave(r);
  if (SOLO_UNLIKELY(status != SOLO_OK)) give_up(d, r);
  solo_scratch_swap(&r->arena);
  solo_lock_release(&l->lock);
  if (status != SOLO_OK) {
    free_record(d, r);
    return status;
  }
  if (!waits && solo_task_queued_on) solo_task_queued_on(l);
  *out_op = r;
  return SOLO_OK;
}

const char *solo_nowait_where(const solo_nowait_op *nowait) {
  return nowait->c.where;
}

int solo_nowait_query(solo_nowait_op *r, solo_status *out_status, int *out_reported) {
  solo_nowait_device *d = state_of(r->c.device);
  /* it ended with its device, or is that of the process that this one was forked from */
  if (SOLO_UNLIKELY(r->opening != r->c.device->openings)) {
    *out_status = SOLO_OK;
    *out_reported = 1;
    solo_scratch_free(&r->arena);
    solo_early_free(r);
    return 1;
  }
  solo_lock_acquire(&d->lock);
  if (r->state != LANDED) look_quietly(d, r->stream);
  int over = r->state == LANDED && solo_construct_end(&r->c);
  if (!over && r->state == LANDED) look_quietly(d, NULL); /* others' pins may go */
  solo_lock_release(&d->lock);
  if (!over) return 0;
  *out_status = r->status;
  *out_reported = (int)r->reported;
  if (r->status != SOLO_OK) (void)solo_error_again(&r->error);
  solo_construct_give_blocks(&r->c);
  free_record(d, r);
  return 1;
}

void solo_nowait_close(solo_device *device) {
  solo_nowait_device *d = state_of(device);
  if (!d) return;
  for (int i = 0; i < SOLO_STREAMS; i++) {
    stream *l = &d->streams[i];
    if (!l->queue) continue;
    solo_status status = wait_on_queue(l);
    (void)status; /* each construct has its own */
    SOLO_OP(device->backend, queue_close)(device->handle, l->queue);
    l->queue = NULL;
  }
  while (d->free) {
    solo_nowait_op *r = d->free;
    d->free = r->next;
    SOLO_OP(device->backend, event_close)(device->handle, r->event);
    solo_scratch_free(&r->arena);
    solo_early_free(r);
  }
  solo_store_release(&device->nowait, NULL); /* pairs with state_of */
  solo_early_free(d);
}
