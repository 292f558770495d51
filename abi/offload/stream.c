/* Queues of asynchronous devices (stream.h). The lock of a stream guards its members and its queue. */
#include "abi/offload/stream.h"

#include <stdlib.h>
#include <string.h>

struct ol_stream {
  ol_device *on;
  ol_stream *next; /* in a list of ol_stream_push() */
  solo_device *device;
  solo_bqueue *queue;
  solo_queue_lease *lease;
  int borrowed;
  uint32_t epoch; /* number of forks before the stream was opened */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  ol_work *first, **last; /* operations for the stream's thread */
  int busy;               /* the thread executes an operation */
  int has_thread;
  int closing;
  int used;            /* nonzero: an operation was added since the last sync */
  ol_result_t failure; /* first failure of an operation of the thread */
};

static _Atomic uint32_t epoch;
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t threads_changed = PTHREAD_COND_INITIALIZER;
static int threads; /* number of threads of closed streams */

void ol_streams_forked(void) {
  solo_add_relaxed(&epoch, 1); /* relaxed: the child has one thread */
  pthread_mutex_init(&threads_lock, NULL);
  pthread_cond_init(&threads_changed, NULL);
  threads = 0;
}

static int is_foreign(const ol_stream *s) {
  return s->epoch != solo_load_relaxed(&epoch); /* relaxed: see ol_streams_forked */
}

static ol_result_t usable(const ol_stream *s) {
  if (is_foreign(s))
    return ol_fail(OL_ERRC_BACKEND_FAILURE, "device %d cannot be used in the child of fork(2)",
                   s->device->number);
  if (solo_queue_is_stale(s->lease))
    return ol_fail(OL_ERRC_INVALID_QUEUE, "the device of the queue was closed");
  return OL_SUCCESS;
}

ol_result_t ol_stream_open(ol_device *on, solo_queue_lease *lease, ol_stream **out_stream) {
  ol_stream *s = calloc(1, sizeof *s);
  if (!s) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a queue");
  s->borrowed = lease != NULL;
  s->lease = lease;
  solo_status status = lease ? SOLO_OK : ol_core->lease_acquire(on->device, &s->lease);
  if (status != SOLO_OK) {
    free(s);
    return ol_failed(status);
  }
  s->on = on;
  s->device = on->device;
  s->queue = s->lease->queue;
  s->epoch = solo_load_relaxed(&epoch); /* relaxed: see ol_streams_forked */
  s->last = &s->first;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  *out_stream = s;
  return OL_SUCCESS;
}

solo_bqueue *ol_stream_queue(const ol_stream *stream) {
  return stream->queue;
}

solo_queue_lease *ol_stream_lease(const ol_stream *stream) {
  return stream->lease;
}

static void dispose(ol_stream *s) {
  if (!s->borrowed) ol_core->lease_release(s->lease);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->changed);
  free(s);
}

static ol_result_t record(ol_stream *s, const ol_work *w) {
  solo_status status = s->device->backend->event_record(s->queue, w->point->event);
  ol_result_t result = status == SOLO_OK ? OL_SUCCESS : ol_failed(status);
  ol_point_recorded(w->point, result);
  return result;
}

static ol_result_t wait_for(ol_stream *s, const ol_work *w) {
  const solo_backend *backend = s->device->backend;
  if (w->point->device->backend != backend) return ol_point_wait(w->point);
  OL_TRY(ol_point_wait_record(w->point));
  OL_TRY_STATUS(backend->queue_wait_event(s->queue, w->point->event));
  return OL_SUCCESS;
}

/* The calling thread has exclusive use of the queue: it holds the lock, or has set `busy`. */
static ol_result_t execute(ol_stream *s, const ol_work *w) {
  switch (w->kind) {
  case OL_WORK_COPY:
    OL_TRY_STATUS(ol_core->copy(s->device, s->queue, &w->copy));
    return OL_SUCCESS;
  case OL_WORK_COPY_PEER:
    OL_TRY_STATUS(ol_core->copy_peer(s->device, s->queue, w->peer, &w->copy));
    return OL_SUCCESS;
  case OL_WORK_FILL:
    OL_TRY_STATUS(ol_core->fill(s->device, s->queue, w->copy.to, w->value, w->copy.bytes));
    return OL_SUCCESS;
  case OL_WORK_LAUNCH:
    OL_TRY_STATUS(ol_core->launch(s->device, s->queue, w->kernel, &w->launch, NULL));
    return OL_SUCCESS;
  case OL_WORK_RECORD:
    return record(s, w);
  case OL_WORK_WAIT:
    return wait_for(s, w);
  default:
    break;
  }
  solo_status status = ol_core->wait(s->device, s->queue, NULL);
  w->function(w->data);
  return status == SOLO_OK ? OL_SUCCESS : ol_failed(status);
}

static void run_one(ol_stream *s) {
  ol_work *w = s->first;
  s->first = w->next;
  if (!s->first) s->last = &s->first;
  s->busy = 1;
  /* `busy` prevents other threads from using the queue */
  pthread_mutex_unlock(&s->lock);
  ol_result_t result = execute(s, w);
  ol_point_release(w->point);
  free(w);
  pthread_mutex_lock(&s->lock);
  s->busy = 0;
  if (!s->failure) s->failure = result;
  pthread_cond_broadcast(&s->changed);
}

static void *run(void *argument) {
  ol_stream *s = argument;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (s->first) run_one(s);
    if (s->closing) break;
    pthread_cond_wait(&s->changed, &s->lock);
  }
  pthread_mutex_unlock(&s->lock);
  (void)ol_core->wait(s->device, s->queue, NULL); /* the queue must be idle */
  dispose(s);
  pthread_mutex_lock(&threads_lock);
  threads--;
  pthread_cond_broadcast(&threads_changed);
  pthread_mutex_unlock(&threads_lock);
  return NULL;
}

static ol_result_t start(ol_stream *s) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, s))
    return ol_fail(OL_ERRC_OUT_OF_RESOURCES,
                   "cannot start a thread for the queue's host functions");
  pthread_detach(thread);
  s->has_thread = 1;
  return OL_SUCCESS;
}

/* Stores a copy of the operation for the stream's thread. */
static ol_result_t store(ol_stream *s, const ol_work *work) {
  size_t bytes = work->kind == OL_WORK_LAUNCH ? work->launch.argument_bytes : 0;
  if (!s->has_thread) OL_TRY(start(s));
  ol_work *w = malloc(sizeof *w + bytes);
  if (!w) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for an operation of a queue");
  *w = *work;
  w->next = NULL;
  if (bytes) memcpy(w->arguments, work->launch.arguments, bytes);
  if (work->kind == OL_WORK_LAUNCH) w->launch.arguments = w->arguments;
  if (w->point) ol_point_acquire(w->point);
  *s->last = w;
  s->last = &w->next;
  pthread_cond_broadcast(&s->changed);
  return OL_SUCCESS;
}

static int must_store(const ol_stream *s, const ol_work *work) {
  if (s->first || s->busy || work->kind == OL_WORK_CALL) return 1;
  if (work->kind != OL_WORK_WAIT) return 0;
  if (work->point->device->backend != s->device->backend) return 1;
  pthread_mutex_lock(&work->point->lock);
  int pending = work->point->pending;
  pthread_mutex_unlock(&work->point->lock);
  return pending;
}

ol_result_t ol_stream_add(ol_stream *stream, const ol_work *work) {
  OL_TRY(usable(stream));
  pthread_mutex_lock(&stream->lock);
  stream->used = 1;
  ol_result_t result = must_store(stream, work) ? store(stream, work) : execute(stream, work);
  pthread_mutex_unlock(&stream->lock);
  return result;
}

ol_result_t ol_stream_sync(ol_stream *stream) {
  OL_TRY(usable(stream));
  pthread_mutex_lock(&stream->lock);
  while (stream->first || stream->busy) pthread_cond_wait(&stream->changed, &stream->lock);
  ol_result_t result = stream->failure;
  stream->failure = OL_SUCCESS;
  stream->used = 0;
  solo_status status = ol_core->wait(stream->device, stream->queue, NULL);
  if (status != SOLO_OK && !result) result = ol_failed(status);
  pthread_mutex_unlock(&stream->lock);
  return result;
}

ol_result_t ol_stream_query(ol_stream *stream, int *out_empty) {
  ol_point *point;
  OL_TRY(usable(stream));
  pthread_mutex_lock(&stream->lock);
  *out_empty = !stream->used;
  pthread_mutex_unlock(&stream->lock);
  if (*out_empty) return OL_SUCCESS;
  OL_TRY(ol_point_new(stream->device, &point));
  pthread_mutex_lock(&stream->lock);
  int stored = stream->first || stream->busy;
  ol_result_t result = OL_SUCCESS;
  if (!stored) result = record(stream, &(ol_work){.kind = OL_WORK_RECORD, .point = point});
  pthread_mutex_unlock(&stream->lock);
  if (!stored && !result) result = ol_point_query(point, out_empty);
  ol_point_release(point);
  return result;
}

void ol_stream_close(ol_stream *stream) {
  if (is_foreign(stream)) return; /* the stream's lock and thread belong to the parent */
  pthread_mutex_lock(&stream->lock);
  int has_thread = stream->has_thread;
  if (has_thread) {
    pthread_mutex_lock(&threads_lock);
    threads++;
    pthread_mutex_unlock(&threads_lock);
  }
  stream->closing = 1;
  pthread_cond_broadcast(&stream->changed);
  if (!has_thread && !solo_queue_is_stale(stream->lease))
    (void)ol_core->wait(stream->device, stream->queue, NULL); /* the queue must be idle */
  pthread_mutex_unlock(&stream->lock);
  if (!has_thread) dispose(stream);
}

void ol_stream_push(ol_stream *stream, ol_stream **list) {
  stream->next = *list;
  *list = stream;
}

void ol_streams_end(ol_stream *list) {
  while (list) {
    ol_stream *next = list->next;
    ol_stream_close(list);
    list = next;
  }
  pthread_mutex_lock(&threads_lock);
  while (threads) pthread_cond_wait(&threads_changed, &threads_lock);
  pthread_mutex_unlock(&threads_lock);
}
