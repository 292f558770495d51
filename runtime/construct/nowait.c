#include "runtime/construct/nowait.h"

#include "runtime/base/early.h"
#include "runtime/construct/nowait_order.h"
#include "runtime/construct/nowait_stream.h"
#include "runtime/device/thread_cache.h"
#include "runtime/host_threads.h"

static solo_status make_device(solo_device *device, solo_nowait_device **out) {
  solo_nowait_device *d = solo_nowait_device_of(device);
  if (SOLO_UNLIKELY(!d)) {
    solo_device_lock(device);
    d = solo_load_relaxed(&device->nowait); /* relaxed: lock held */
    if (!d) {
      d = solo_early_allocate(sizeof *d);
      if (d) solo_lock_init(&d->lock, SOLO_RANK_NOWAIT);
      for (int i = 0; d && i < SOLO_STREAMS; i++) {
        d->streams[i].device = device;
        solo_lock_init(&d->streams[i].lock, SOLO_RANK_STREAM);
      }
      device->nowait_drain = solo_nowait_drain;
      device->nowait_close = solo_nowait_close;
      /* Invariant: a published record is initialised.
       * Ordering:  pairs with the acquire load in solo_nowait_device_of().
       * Otherwise: a thread could use an uninitialised lock.
       */
      if (d) solo_store_release(&device->nowait, d);
    }
    solo_lock_release(&device->lock);
  }
  *out = d;
  return d ? SOLO_OK : solo_fail(SOLO_NOMEM, "no host memory for the device's streams");
}

static solo_nowait_op *pop_free_record(solo_nowait_device *d, solo_thread_cache *cache) {
  solo_nowait_op *op = cache ? cache->record : NULL;
  if (op) {
    cache->record = op->next;
    cache->records--;
    return op;
  }
  solo_lock_acquire(&d->lock);
  op = d->free;
  if (op) d->free = op->next;
  solo_lock_release(&d->lock);
  return op;
}

static solo_status allocate_record(solo_nowait_device *d, solo_device *device,
                                   solo_thread_cache *cache, solo_nowait_op **out) {
  solo_nowait_op *op = pop_free_record(d, cache);
  if (!op) {
    op = solo_early_allocate(sizeof *op);
    if (!op) return solo_fail(SOLO_NOMEM, "no host memory for an asynchronous construct");
    solo_status status = SOLO_OP(device->backend, event_open)(device->handle, &op->event);
    if (status != SOLO_OK) {
      solo_early_free(op);
      return status;
    }
  }
  op->opening = device->openings;
  op->state = SOLO_NOWAIT_BUILDING;
  op->in_stream = 0;
  solo_nowait_clear_writeback(op);
  *out = op;
  return SOLO_OK;
}

static void free_record(solo_nowait_device *d, solo_device *device, solo_nowait_op *op) {
  solo_thread_cache *cache = solo_thread_cache_of(device);
  solo_scratch_rewind(&op->arena);
  if (cache && cache->records < SOLO_THREAD_RECORDS) {
    op->next = cache->record;
    cache->record = op;
    cache->records++;
    return;
  }
  solo_lock_acquire(&d->lock);
  op->next = d->free;
  d->free = op;
  solo_lock_release(&d->lock);
}

/* For mappings that op has both created and closed: removes them from op->c.new_mappings,
 * because no other construct refers to them. */
static void drop_closed(solo_nowait_op *op) {
  for (solo_mapping *m = op->c.closing; m; m = m->next) {
    if (m->creating_op != op) continue;
    solo_nowait_unlink_new(&op->c, m);
    m->creating_op = NULL;
    solo_mapping_data_ready(m);
  }
}

static solo_status enqueued(solo_nowait_op *op) {
  solo_nowait_device *d = solo_nowait_device_of(op->c.device);
  solo_lock_acquire(&d->lock);
  SOLO_ASSERT_SOUND(solo_construct_check(&op->c));
  solo_status status = solo_nowait_publish_held(op);
  if (SOLO_LIKELY(status == SOLO_OK)) {
    drop_closed(op);
    solo_construct_return_spare(&op->c);
    for (solo_mapping *m = op->c.closing; m; m = m->next) m->closing_op = op;
    op->state = SOLO_NOWAIT_QUEUED;
  }
  solo_lock_release(&d->lock);
  return status;
}

/* Ends a construct that failed in state BUILDING. Preserves the error record. */
static void abandon(solo_nowait_device *d, solo_nowait_op *op) {
  solo_saved_error error;
  solo_error_save(&error);
  solo_status end = op->stream->lease ? solo_nowait_sync_stream(op->stream) : SOLO_OK;
  (void)end;
  solo_lock_acquire(&d->lock);
  /* all earlier operations have already landed (solo_nowait_sync_stream) */
  solo_nowait_withdraw(op);
  solo_construct_land(&op->c);
  for (unsigned round = 0; !solo_construct_end(&op->c); round++) {
    solo_nowait_land_completed(d, NULL);
    solo_lock_release(&d->lock);
    solo_nowait_pause(round);
    solo_lock_acquire(&d->lock);
  }
  solo_lock_release(&d->lock);
  solo_construct_free_blocks(&op->c);
  (void)solo_error_restore(&error);
}

/* Locks a stream of the device: one of op->after, the streams that op's task must follow; else an
 * unlocked stream; else the thread's next stream. */
static solo_nowait_stream *choose(solo_nowait_device *d, const solo_device *device,
                                  solo_thread_cache *cache, const solo_nowait_op *op) {
  uint32_t first = cache ? cache->next_stream++ : 0;
  solo_nowait_stream *chosen = &d->streams[first % SOLO_STREAMS];
  for (int32_t i = 0; i < op->after_count; i++) {
    solo_nowait_stream *stream = op->after[i];
    if (stream->device != device) continue;
    solo_lock_acquire(&stream->lock);
    return stream;
  }
  for (uint32_t i = 0; i < SOLO_STREAMS; i++) {
    solo_nowait_stream *stream = &d->streams[(first + i) % SOLO_STREAMS];
    if (solo_lock_try(&stream->lock)) return stream;
  }
  solo_lock_acquire(&chosen->lock);
  return chosen;
}

/* Orders op after the streams op->after, on the device or by a wait on the host. The caller holds
 * the lock of op's stream. */
static solo_status wait_on_streams(solo_nowait_op *op, uint32_t flags) {
  solo_nowait_device *d = solo_nowait_device_of(op->c.device);
  for (int32_t i = 0; i < op->after_count; i++) {
    solo_nowait_stream *stream = op->after[i];
    solo_status status = SOLO_OK;
    if ((flags & SOLO_NOWAIT_READS_HOST) || stream->device != op->c.device) {
      solo_nowait_wait_for_stream(stream);
      continue;
    }
    if (stream == op->stream) continue;
    solo_lock_acquire(&d->lock);
    if (stream->last) status = solo_nowait_wait_on(&op->c, stream->last);
    solo_lock_release(&d->lock);
    SOLO_TRY(status);
  }
  return SOLO_OK;
}

static solo_status build(solo_nowait_op *op, const solo_nowait_request *request) {
  solo_device *device = request->device;
  solo_nowait_stream *stream = op->stream;
  if (!stream->lease) SOLO_TRY(solo_queue_lease_acquire(device, &stream->lease));
  /* relaxed: a hint; the next construct handles a later failure */
  if (SOLO_UNLIKELY(solo_load_relaxed(&stream->failed))) {
    solo_status reported = solo_nowait_sync_stream(stream);
    (void)reported;
  }
  op->c.queue = stream->lease->queue;
  SOLO_TRY(wait_on_streams(op, request->flags));
  SOLO_TRY(request->work(&op->c, request->context));
  return op->c.wait_status;
}

solo_status solo_nowait_start(const solo_nowait_request *request, solo_nowait_op **out_op) {
  solo_nowait_device *d;
  solo_nowait_op *op = NULL;
  *out_op = NULL;
  SOLO_TRY(make_device(request->device, &d));
  solo_thread_cache *cache = solo_thread_cache_of(request->device);
  SOLO_TRY(allocate_record(d, request->device, cache, &op));
  op->after_count = &solo_host_tasks ? solo_host_tasks.queues(op->after, SOLO_STREAMS) : 0;
  solo_nowait_stream *stream = op->stream = choose(d, request->device, cache, op);
  solo_scratch_swap(&op->arena);
  solo_construct_start(&op->c, request->device, request->where, op);
  solo_status status = build(op, request);
  /* dependent tasks need the restored pointers, so they must wait for the end of op */
  int waits = op->c.restores != NULL;
  if (status == SOLO_OK) status = enqueued(op);
  if (SOLO_UNLIKELY(status != SOLO_OK)) abandon(d, op);
  solo_scratch_swap(&op->arena);
  solo_lock_release(&stream->lock);
  if (status != SOLO_OK) {
    free_record(d, request->device, op);
    return status;
  }
  if (!waits && &solo_host_tasks) solo_host_tasks.queued_on(stream);
  *out_op = op;
  return SOLO_OK;
}

const char *solo_nowait_where(const solo_nowait_op *op) {
  return op->c.where;
}

int solo_nowait_query(solo_nowait_op *op, solo_status *out_status, int *out_reported) {
  solo_device *device = op->c.device;
  solo_nowait_device *d = solo_nowait_device_of(device);
  /* the device was closed after the start of op, or op belongs to the parent process */
  if (SOLO_UNLIKELY(op->opening != device->openings)) {
    *out_status = SOLO_OK;
    *out_reported = 1;
    solo_scratch_free(&op->arena);
    solo_early_free(op);
    return 1;
  }
  solo_lock_acquire(&d->lock);
  if (op->state != SOLO_NOWAIT_LANDED) solo_nowait_land_completed(d, op->stream);
  int over = op->state == SOLO_NOWAIT_LANDED && solo_construct_end(&op->c);
  /* other streams may have completed operations that use op's mappings */
  if (!over && op->state == SOLO_NOWAIT_LANDED) solo_nowait_land_completed(d, NULL);
  solo_lock_release(&d->lock);
  if (!over) return 0;
  *out_status = op->status;
  *out_reported = (int)op->reported;
  if (op->status != SOLO_OK) (void)solo_error_restore(&op->error);
  solo_construct_free_blocks(&op->c);
  free_record(d, device, op);
  return 1;
}
