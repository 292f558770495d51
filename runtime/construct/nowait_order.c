#include "runtime/construct/nowait_order.h"

#include "runtime/construct/nowait_stream.h"

enum { RECENT = 4 };

solo_status solo_nowait_wait_on(solo_construct *c, const solo_nowait_op *op) {
  if (op->state == SOLO_NOWAIT_LANDED || (c->nowait && c->nowait->stream == op->stream))
    return SOLO_OK;
  c->enqueued = 1;
  return SOLO_OP(c->device->backend, queue_wait_event)(c->queue, op->event);
}

solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  if (!d) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  solo_status status = m->creating_op && m->creating_op != c->nowait
                           ? solo_nowait_wait_on(c, m->creating_op)
                           : SOLO_OK;
  solo_lock_release(&d->lock);
  return status;
}

void solo_nowait_unlink_new(solo_construct *c, const solo_mapping *m) {
  solo_mapping **at = &c->new_mappings;
  while (*at && *at != m) at = &(*at)->next_new;
  if (*at) *at = m->next_new;
}

static void unlink_closing(solo_construct *c, const solo_mapping *m) {
  solo_mapping **at = &c->closing;
  while (*at && *at != m) at = &(*at)->next;
  if (*at) *at = m->next;
}

/* Called when another construct removes m before op's copies to the host are complete. Constructs
 * that map the range again must execute after op; otherwise they would copy stale data. */
static void note_writeback(solo_nowait_op *op, const solo_mapping *m) {
  /* relaxed: constant while closing_op is set */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  /* Invariant: pending_writebacks counts the operations that still copy data of removed mappings to
   *            the host.
   * Ordering:  relaxed; the table's lock publishes the count together with the removal.
   * Otherwise: a new mapping could be copied to the device before the copy to the host.
   */
  if (!op->writeback_end)
    solo_add_relaxed(&solo_nowait_device_of(op->c.device)->pending_writebacks, 1);
  if (begin < op->writeback_begin) op->writeback_begin = begin;
  if (end > op->writeback_end) op->writeback_end = end;
}

/* Removes m in place of op, which has closed m. c executes after op, so c can reuse the memory of
 * m. The caller holds the nowait lock. */
static solo_status take_over(solo_construct *c, solo_nowait_op *op, solo_mapping *m) {
  SOLO_TRY(solo_nowait_wait_on(c, op));
  note_writeback(op, m);
  if (m->creating_op) solo_nowait_unlink_new(&m->creating_op->c, m);
  unlink_closing(&op->c, m);
  m->creating_op = m->closing_op = NULL;
  solo_block *block = solo_mapping_remove(&c->device->mappings, m);
  if (!block) return SOLO_OK;
  /* c can reuse one block; op frees any other block when op ends */
  if (c->spare_block)
    solo_construct_add_block(&op->c, block);
  else
    c->spare_block = block;
  return SOLO_OK;
}

/* Returns whether c can remove m in place of op: the request covers m, the data of m is enqueued,
 * and only op uses m. */
static int can_take_over(const solo_construct *c, const solo_nowait_op *op, const solo_mapping *m,
                         const solo_request *request) {
  /* relaxed: constant while closing_op is set */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  /* acquire: pairs with solo_mapping_data_enqueued and solo_mapping_data_ready */
  uint32_t state = solo_load_acquire(&m->data_state);
  return op->state == SOLO_NOWAIT_QUEUED && request->begin <= begin &&
         request->begin + request->size >= end &&
         (state == SOLO_DATA_READY || state == SOLO_DATA_ENQUEUED) && !solo_mapping_in_flight(m) &&
         (c->device->info.flags & SOLO_DEVICE_COPIES_IN_TURN);
}

solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *m, int *out_done) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  solo_status status = SOLO_OK;
  *out_done = 0;
  if (!d) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  solo_nowait_land_completed(d, NULL);
  solo_nowait_op *op = m->closing_op;
  if (op && op->state == SOLO_NOWAIT_LANDED) {
    (void)solo_construct_end(&op->c); /* the thread that queries op completes its end */
    *out_done = m->closing_op == NULL;
  } else if (op && can_take_over(c, op, m, request)) {
    status = take_over(c, op, m);
    *out_done = 1;
  }
  solo_lock_release(&d->lock);
  return status;
}

static solo_status wait_on_writebacks(solo_construct *c, const solo_nowait_stream *stream) {
  for (const solo_nowait_op *op = stream->first; op; op = op->next) {
    const solo_mapping *m = c->new_mappings;
    if (!op->writeback_end) continue;
    /* relaxed: c inserted these mappings */
    while (m && (solo_load_relaxed(&m->begin) >= op->writeback_end ||
                 op->writeback_begin >= solo_load_relaxed(&m->end)))
      m = m->next_new;
    if (m) SOLO_TRY(solo_nowait_wait_on(c, op));
  }
  return SOLO_OK;
}

solo_status solo_nowait_order_after_writebacks(solo_construct *c) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  solo_status status = SOLO_OK;
  /* acquire: the copies to the host are complete; pairs with land */
  if (!d || !solo_load_acquire(&d->pending_writebacks)) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  for (int i = 0; i < SOLO_STREAMS && status == SOLO_OK; i++)
    status = wait_on_writebacks(c, &d->streams[i]);
  solo_lock_release(&d->lock);
  return status;
}

static unsigned uses_of(const solo_nowait_op *op, const solo_mapping *m) {
  unsigned count = 0;
  if (op->state != SOLO_NOWAIT_QUEUED) return 0;
  for (const solo_in_flight *use = op->c.in_flight; use; use = use->next)
    count += use->mapping == m;
  return count;
}

solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *m, int *out_others) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  solo_status status = SOLO_OK;
  unsigned known = 0;
  *out_others = solo_mapping_in_flight(m) != 0;
  if (!d || !*out_others) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  solo_nowait_land_completed(d, NULL);
  for (int i = 0; i < SOLO_STREAMS; i++)
    for (solo_nowait_op *op = d->streams[i].last; op && status == SOLO_OK; op = op->previous) {
      unsigned uses = uses_of(op, m);
      if (uses) status = solo_nowait_wait_on(c, op);
      known += uses;
    }
  *out_others = solo_mapping_in_flight(m) > known;
  solo_lock_release(&d->lock);
  return status;
}

void solo_nowait_clear_creator(const solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  solo_lock_acquire(&d->lock);
  m->creating_op = NULL;
  solo_lock_release(&d->lock);
}

static int end_use(solo_nowait_op *op, solo_mapping *m) {
  solo_in_flight **at = &op->c.in_flight;
  for (int compared = 0; *at && compared < RECENT; at = &(*at)->next, compared++) {
    if ((*at)->mapping != m) continue;
    *at = (*at)->next;
    solo_mapping_drop_in_flight(m);
    return 1;
  }
  return 0;
}

void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *m) {
  solo_nowait_device *d = solo_nowait_device_of(c->device);
  int ended = 0;
  solo_lock_acquire(&d->lock);
  solo_nowait_op *op = c->nowait->stream->last;
  for (int compared = 0; op && compared < RECENT && !ended; op = op->previous, compared++)
    if (op != c->nowait) ended = end_use(op, m);
  solo_lock_release(&d->lock);
}
