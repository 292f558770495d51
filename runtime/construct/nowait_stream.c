#define _GNU_SOURCE
#include "runtime/construct/nowait_stream.h"

#include "runtime/base/assert.h"
#include "runtime/base/early.h"
#include "runtime/device/thread_cache.h"
#include "runtime/host_threads.h"
#include <sched.h>

enum { SPINS = 64, YIELDS = 1000, SLEEP_NS = 50000 };

void solo_nowait_append(solo_nowait_op *op) {
  solo_nowait_stream *stream = op->stream;
  op->in_stream = 1;
  op->number = ++stream->published;
  op->next = NULL;
  op->previous = stream->last;
  if (stream->last)
    stream->last->next = op;
  else
    stream->first = op;
  stream->last = op;
}

static void pop_first(solo_nowait_stream *stream) {
  solo_nowait_op *op = stream->first;
  stream->first = op->next;
  if (stream->first)
    stream->first->previous = NULL;
  else
    stream->last = NULL;
  stream->landed = op->number;
  op->in_stream = 0;
}

void solo_nowait_withdraw(solo_nowait_op *op) {
  if (op->in_stream) pop_first(op->stream);
}

/* Removes a completed operation from its stream and performs the host's part of its end. The caller
 * holds the nowait lock. */
static void land(solo_nowait_op *op, solo_status status) {
  solo_nowait_stream *stream = op->stream;
  pop_first(stream);
  if (SOLO_UNLIKELY(op->writeback_end)) {
    /* Invariant: op's copies to the host are complete before the count decreases.
     * Ordering:  pairs with the acquire load in solo_nowait_order_after_writebacks().
     * Otherwise: a construct could copy stale host data to the device.
     */
    solo_sub_release(&solo_nowait_device_of(stream->device)->pending_writebacks, 1);
    solo_nowait_clear_writeback(op);
  }
  op->status = status;
  op->reported = 0;
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    op->reported = solo_load_relaxed(&stream->failed); /* relaxed: nowait lock held */
    solo_error_save(&op->error);
    op->error.device = stream->device->number;
    solo_store_relaxed(&stream->failed, 1); /* a hint for build() */
  }
  solo_construct_land(&op->c);
  op->state = SOLO_NOWAIT_LANDED;
}

/* Lands the stream's operations until one is BUILDING or incomplete. */
static void land_finished(solo_nowait_stream *stream) {
  while (stream->first && stream->first->state == SOLO_NOWAIT_QUEUED) {
    int done = 0;
    solo_status status = SOLO_OP(stream->device->backend, event_query)(stream->first->event, &done);
    if (status == SOLO_OK && !done) return;
    land(stream->first, status);
  }
}

void solo_nowait_land_completed(solo_nowait_device *d, solo_nowait_stream *stream) {
  solo_saved_error before;
  SOLO_ASSERT(solo_lock_is_own(&d->lock),
              "a nowait construct ends without the device's nowait lock");
  solo_error_save(&before);
  if (stream)
    land_finished(stream);
  else
    for (int i = 0; i < SOLO_STREAMS; i++) land_finished(&d->streams[i]);
  (void)solo_error_restore(&before);
}

void solo_nowait_pause(unsigned round) {
  static _Atomic uint32_t never;
  if (round < SPINS)
    solo_cpu_relax();
  else if (round < YIELDS)
    sched_yield();
  else
    solo_futex_wait(&never, 0, SLEEP_NS);
}

void solo_nowait_wait_for_stream(solo_nowait_stream *stream) {
  solo_nowait_device *d = solo_nowait_device_of(stream->device);
  uint64_t target = 0;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    if (!round && stream->last)
      target = stream->last->number - (stream->last->state == SOLO_NOWAIT_BUILDING);
    solo_nowait_land_completed(d, stream);
    int over = stream->landed >= target;
    solo_lock_release(&d->lock);
    if (over) return;
    solo_nowait_pause(round);
  }
}

void solo_nowait_drain(solo_device *device) {
  solo_nowait_device *d = solo_nowait_device_of(device);
  for (int i = 0; d && i < SOLO_STREAMS; i++)
    if (d->streams[i].lease) solo_nowait_wait_for_stream(&d->streams[i]);
}

void solo_nowait_join_streams(void) {
  void *streams[SOLO_STREAMS];
  int32_t count = &solo_host_tasks ? solo_host_tasks.queues(streams, SOLO_STREAMS) : 0;
  for (int32_t i = 0; i < count; i++) solo_nowait_wait_for_stream(streams[i]);
}

solo_status solo_nowait_sync_stream(solo_nowait_stream *stream) {
  const solo_device *device = stream->device;
  solo_nowait_device *d = solo_nowait_device_of(device);
  solo_status status = solo_queue_wait(device, stream->lease->queue, NULL);
  solo_saved_error error;
  solo_error_save(&error);
  solo_lock_acquire(&d->lock);
  while (stream->first && stream->first->state == SOLO_NOWAIT_QUEUED) {
    int done;
    land(stream->first, SOLO_OP(device->backend, event_query)(stream->first->event, &done));
  }
  solo_store_relaxed(&stream->failed, 0); /* a hint for build() */
  solo_lock_release(&d->lock);
  (void)solo_error_restore(&error);
  return status;
}

solo_status solo_nowait_wait(solo_nowait_op *op) {
  return solo_nowait_sync_stream(op->stream);
}

void solo_nowait_wait_for_users(solo_device *device, solo_mapping *m) {
  solo_nowait_device *d = solo_nowait_device_of(device);
  if (SOLO_LIKELY(!d)) return;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    solo_nowait_land_completed(d, NULL);
    int pending = m->creating_op || solo_mapping_in_flight(m);
    int any = 0;
    for (int i = 0; i < SOLO_STREAMS; i++) any |= d->streams[i].first != NULL;
    solo_lock_release(&d->lock);
    /* without operations in streams, the uses belong to constructs that wait for their own work */
    if (!pending || !any) return;
    solo_nowait_pause(round);
  }
}

solo_status solo_nowait_publish_held(solo_nowait_op *op) {
  solo_status status =
      SOLO_OP(op->c.device->backend, event_record)(op->stream->lease->queue, op->event);
  if (status != SOLO_OK) return status;
  if (!op->in_stream) solo_nowait_append(op);
  for (solo_mapping *m = op->c.new_mappings; m; m = m->next_new) {
    m->creating_op = op;
    solo_mapping_data_enqueued(m);
  }
  return SOLO_OK;
}

solo_status solo_nowait_publish(solo_nowait_op *op) {
  solo_nowait_device *d = solo_nowait_device_of(op->c.device);
  solo_lock_acquire(&d->lock);
  solo_status status = solo_nowait_publish_held(op);
  solo_lock_release(&d->lock);
  return status;
}

static void free_records(const solo_device *device, solo_nowait_op *list) {
  while (list) {
    solo_nowait_op *op = list;
    list = op->next;
    SOLO_OP(device->backend, event_close)(device->handle, op->event);
    solo_scratch_free(&op->arena);
    solo_early_free(op);
  }
}

static void free_cached(solo_device *device, solo_thread_cache *cache) {
  free_records(device, cache->record);
  cache->record = NULL;
  cache->records = 0;
}

void solo_nowait_close(solo_device *device) {
  solo_nowait_device *d = solo_nowait_device_of(device);
  if (!d) return;
  for (int i = 0; i < SOLO_STREAMS; i++) {
    solo_nowait_stream *stream = &d->streams[i];
    if (!stream->lease) continue;
    solo_status status = solo_nowait_sync_stream(stream);
    (void)status;
    solo_queue_lease_release(stream->lease);
    stream->lease = NULL;
  }
  free_records(device, d->free);
  solo_thread_cache_each(device, free_cached);
  /* Invariant: device->nowait is not a freed record.
   * Ordering:  pairs with the acquire load in solo_nowait_device_of().
   * Otherwise: a reopened device could use a freed record.
   */
  solo_store_release(&device->nowait, NULL);
  solo_early_free(d);
}
