#define _GNU_SOURCE
#include "abi/kernel_language/kl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct kl_stream {
  kl_stream *next;
  int device;
  unsigned flags;
  tgt_event_t last;
};

/* The time of an event is the host time at which its completion is first observed. Therefore each
 * call that orders work polls all events, and a wait for a stream waits for its events one by one. */
struct kl_event {
  tgt_event_t event; /* NULL: not recorded, or complete */
  int recorded;
  double seconds; /* time of completion; 0: not observed yet */
  kl_stream *stream;
  kl_event *next;
};

/* solo_kl_lock has no lock rank, because its holder acquires locks of the core. */
pthread_mutex_t solo_kl_lock = PTHREAD_MUTEX_INITIALIZER;
/* solo_kl_lock guards the following lists. */
static kl_stream *streams;
static tgt_event_t null_last[KL_MOST_DEVICES];
/* recorded events without an observed completion, in order of recording */
static kl_event *pending;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void leave_pending(const kl_event *event) {
  kl_event **link = &pending;
  while (*link && *link != event) link = &(*link)->next;
  if (*link) *link = event->next;
}

static void poll_events(void) {
  pthread_mutex_lock(&solo_kl_lock);
  if (pending) {
    int done = 0;
    (void)solo_completion_query(pending->event, &done);
    for (kl_event **link = &pending; *link;) {
      kl_event *e = *link;
      if (__tgt_rtl_event_status(e->event) < 0) {
        link = &e->next;
        continue;
      }
      e->seconds = now();
      *link = e->next;
    }
  }
  pthread_mutex_unlock(&solo_kl_lock);
}

/* Waits one by one for the pending events of the stream (NULL: of all streams) that precede `stop` (NULL: for all). */
static void wait_for_events(const kl_stream *stream, const kl_event *stop) {
  for (;;) {
    tgt_event_t first = NULL;
    pthread_mutex_lock(&solo_kl_lock);
    kl_event *e = pending;
    while (e && e != stop && stream && e->stream != stream) e = e->next;
    if (e && e != stop) __tgt_rtl_event_retain(first = e->event);
    pthread_mutex_unlock(&solo_kl_lock);
    if (!first) return;
    (void)__tgt_rtl_event_wait(first);
    __tgt_rtl_event_release(first);
    poll_events();
  }
}

static void add_event(kl_order *order, tgt_event_t event) {
  if (!event || order->count == KL_MOST_AFTER) return;
  __tgt_rtl_event_retain(event);
  order->after[order->count++] = event;
}

static void drop_all(kl_order *order) {
  for (int i = 0; i < order->count; i++) __tgt_rtl_event_release(order->after[i]);
  order->count = 0;
}

/* Waits for the null stream and the streams of the device, except streams with a flag of `but`.
 * Returns the first failure. */
static int wait_streams(int device, unsigned but) {
  size_t count = 1, used = 0;
  pthread_mutex_lock(&solo_kl_lock);
  for (const kl_stream *s = streams; s; s = s->next) count++;
  tgt_event_t *events = calloc(count, sizeof *events);
  if (events && null_last[device]) events[used++] = null_last[device];
  for (const kl_stream *s = streams; s && events; s = s->next)
    if (s->device == device && !(s->flags & but) && s->last) events[used++] = s->last;
  for (size_t i = 0; i < used; i++) __tgt_rtl_event_retain(events[i]);
  pthread_mutex_unlock(&solo_kl_lock);
  if (!events) return solo_kl_fail(KL_NO_MEMORY, "list of %zu streams to wait for", count);
  int status = 0;
  for (size_t i = 0; i < used; i++) {
    int one = __tgt_rtl_event_wait(events[i]);
    if (one && !status) status = one;
    __tgt_rtl_event_release(events[i]);
  }
  free(events);
  /* discards failures, because the waits have returned them */
  while (__tgt_rtl_process_dep() != 0) continue;
  if (!status) return KL_OK;
  return solo_kl_fail(KL_LAUNCH_FAILURE, "an operation of a stream failed on device %d", device);
}

void solo_kl_order_begin(kl_stream *stream, kl_order *out) {
  *out = (kl_order){.device = stream ? stream->device : solo_kl_current()};
  poll_events();
  pthread_mutex_lock(&solo_kl_lock);
  if (stream) add_event(out, stream->last);
  if (!stream || !(stream->flags & KL_NONBLOCKING)) add_event(out, null_last[out->device]);
  for (kl_stream *s = streams; s && !stream; s = s->next)
    if (s->device == out->device && !(s->flags & KL_NONBLOCKING)) add_event(out, s->last);
  pthread_mutex_unlock(&solo_kl_lock);
  if (out->count < KL_MOST_AFTER) return;
  /* `after` may lack events, so waits for all events now. */
  drop_all(out);
  (void)wait_streams(out->device, KL_NONBLOCKING);
}

void solo_kl_order_end(kl_stream *stream, kl_order *order, tgt_event_t event) {
  drop_all(order);
  if (!event) return;
  pthread_mutex_lock(&solo_kl_lock);
  tgt_event_t *last = stream ? &stream->last : &null_last[order->device];
  tgt_event_t old = *last;
  *last = event;
  pthread_mutex_unlock(&solo_kl_lock);
  __tgt_rtl_event_release(old);
}

int solo_kl_stream_create(kl_stream **out_stream, unsigned flags) {
  kl_stream *s = out_stream ? calloc(1, sizeof *s) : NULL;
  if (!s)
    return solo_kl_fail(out_stream ? KL_NO_MEMORY : KL_INVALID_VALUE, "a stream cannot be created");
  s->device = solo_kl_current();
  s->flags = flags;
  pthread_mutex_lock(&solo_kl_lock);
  s->next = streams;
  streams = s;
  pthread_mutex_unlock(&solo_kl_lock);
  *out_stream = s;
  return KL_OK;
}

static int wait_all(kl_order *order) {
  int status = 0;
  for (int i = 0; i < order->count; i++) {
    int one = __tgt_rtl_event_wait(order->after[i]);
    if (one && !status) status = one;
  }
  while (__tgt_rtl_process_dep() != 0) continue;
  drop_all(order);
  if (!status) return KL_OK;
  return solo_kl_fail(KL_LAUNCH_FAILURE, "an operation of the stream failed on device %d",
                      order->device);
}

int solo_kl_stream_sync(kl_stream *stream) {
  kl_order order;
  wait_for_events(stream, NULL);
  solo_kl_order_begin(stream, &order);
  return wait_all(&order);
}

static int is_stream(const kl_stream *stream) {
  pthread_mutex_lock(&solo_kl_lock);
  const kl_stream *s = streams;
  while (s && s != stream) s = s->next;
  pthread_mutex_unlock(&solo_kl_lock);
  return s != NULL;
}

int solo_kl_stream_destroy(kl_stream *stream) {
  if (!stream) return solo_kl_fail(KL_INVALID_HANDLE, "the null stream cannot be destroyed");
  if (!is_stream(stream))
    return solo_kl_fail(KL_INVALID_HANDLE, "%p is not a stream, or was destroyed already",
                        (void *)stream);
  int error = solo_kl_stream_sync(stream);
  pthread_mutex_lock(&solo_kl_lock);
  kl_stream **link = &streams;
  while (*link && *link != stream) link = &(*link)->next;
  if (*link) *link = stream->next;
  pthread_mutex_unlock(&solo_kl_lock);
  __tgt_rtl_event_release(stream->last);
  free(stream);
  return error;
}

static int is_done(tgt_event_t event, int *out_status) {
  int done = 1;
  *out_status = solo_completion_query(event, &done);
  return done;
}

int solo_kl_stream_query(kl_stream *stream) {
  kl_order order;
  int result = KL_OK, status;
  solo_kl_order_begin(stream, &order);
  for (int i = 0; i < order.count && result == KL_OK; i++) {
    if (!is_done(order.after[i], &status))
      result = KL_NOT_READY;
    else if (status)
      result = solo_kl_fail(KL_LAUNCH_FAILURE, "an operation of the stream failed");
  }
  drop_all(&order);
  return result;
}

static int merge(kl_stream *stream, tgt_event_t more, tgt_event_t *out) {
  kl_order order;
  tgt_event_t event = NULL;
  solo_kl_order_begin(stream, &order);
  add_event(&order, more);
  int status = __tgt_rtl_async_dep(order.device, order.count, order.after, &event);
  if (out && event) {
    __tgt_rtl_event_retain(event);
    *out = event;
  }
  solo_kl_order_end(stream, &order, event);
  return solo_kl_status(status);
}

int solo_kl_stream_wait(kl_stream *stream, kl_event *event) {
  if (!event) return solo_kl_fail(KL_INVALID_HANDLE, "the event is NULL");
  return event->event ? merge(stream, event->event, NULL) : KL_OK;
}

int solo_kl_device_sync(void) {
  wait_for_events(NULL, NULL);
  return wait_streams(solo_kl_current(), 0);
}

int solo_kl_event_create(kl_event **out_event) {
  kl_event *e = out_event ? calloc(1, sizeof *e) : NULL;
  if (!e)
    return solo_kl_fail(out_event ? KL_NO_MEMORY : KL_INVALID_VALUE, "an event cannot be created");
  *out_event = e;
  return KL_OK;
}

int solo_kl_event_destroy(kl_event *event) {
  if (!event) return solo_kl_fail(KL_INVALID_HANDLE, "the event is NULL");
  pthread_mutex_lock(&solo_kl_lock);
  leave_pending(event);
  pthread_mutex_unlock(&solo_kl_lock);
  __tgt_rtl_event_release(event->event);
  free(event);
  return KL_OK;
}

int solo_kl_event_query(kl_event *event) {
  int status = 0;
  if (!event) return solo_kl_fail(KL_INVALID_HANDLE, "the event is NULL");
  if (!event->event) return KL_OK;
  poll_events();
  if (!is_done(event->event, &status)) return KL_NOT_READY;
  poll_events();
  return status ? solo_kl_fail(KL_LAUNCH_FAILURE, "an operation before the event failed") : KL_OK;
}

int solo_kl_event_record(kl_event *event, kl_stream *stream) {
  if (!event) return solo_kl_fail(KL_INVALID_HANDLE, "the event is NULL");
  tgt_event_t made = NULL;
  int error = merge(stream, NULL, &made);
  if (error) return error;
  pthread_mutex_lock(&solo_kl_lock);
  leave_pending(event);
  tgt_event_t old = event->event;
  *event = (kl_event){.event = made, .recorded = 1, .stream = stream};
  kl_event **link = &pending;
  while (*link) link = &(*link)->next;
  *link = event;
  pthread_mutex_unlock(&solo_kl_lock);
  __tgt_rtl_event_release(old);
  poll_events(); /* if the stream is idle, observes the event at once */
  return KL_OK;
}

int solo_kl_event_sync(kl_event *event) {
  if (!event) return solo_kl_fail(KL_INVALID_HANDLE, "the event is NULL");
  if (!event->event) return KL_OK;
  wait_for_events(event->stream, event);
  (void)__tgt_rtl_event_wait(event->event);
  return solo_kl_event_query(event);
}

int solo_kl_elapsed(float *out_ms, kl_event *start, kl_event *stop) {
  if (!out_ms || !start || !stop || !start->recorded || !stop->recorded)
    return solo_kl_fail(KL_INVALID_HANDLE, "an event is NULL or was not recorded");
  int error = solo_kl_event_query(start);
  if (!error) error = solo_kl_event_query(stop);
  if (error) return error;
  *out_ms = (float)((stop->seconds - start->seconds) * 1e3);
  return KL_OK;
}
