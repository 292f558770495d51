/* The life of a construct (construct/construct.h). */
#define _GNU_SOURCE
#include "runtime/construct/construct.h"

#include "runtime/construct/nowait.h"
#include "runtime/device/fork.h"
#include "runtime/table/claim.h"
#include <sched.h>

enum { SPINS = 64 };

/* Ids: 24 bits of thread, 40 bits of count, so that no two constructs share one. */
static _Atomic uint64_t threads_seen;
static _Thread_local uint64_t next_id;

static SOLO_COLD uint64_t first_id(void) {
  solo_store_relaxed(&solo_fork_is_mine,
                     solo_construct_is_mine); /* read by a child of one thread */
  solo_fork_thread();
  /* relaxed: only uniqueness matters */
  return ((solo_add_relaxed(&threads_seen, 1) + 1) << 40) | 1;
}

int solo_construct_is_mine(uint64_t id) {
  return next_id && id >> 40 == next_id >> 40;
}

static void start(solo_construct *c, solo_device *device, const char *where) {
  c->device = device;
  c->where = where;
  c->id = next_id ? next_id : first_id();
  next_id = c->id + 1;
  c->closing = NULL;
  c->new_mappings = NULL;
  c->in_flight = NULL;
  c->restores = NULL;
  c->transfers = NULL;
  c->transfers_end = &c->transfers;
  c->blocks = NULL;
  c->inherited_block = NULL;
  c->enqueued = 0;
  c->keep = 0;
  c->wait_status = SOLO_OK;
  c->wait_error = NULL;
}

solo_status solo_construct_open(solo_construct *c, solo_device *device, const char *where) {
  start(c, device, where);
  c->nowait = NULL;
  c->scratch = solo_scratch_begin();
  return solo_device_queue(device, &c->queue);
}

void solo_construct_open_nowait(solo_construct *c, solo_device *device, const char *where,
                                solo_nowait_op *op) {
  start(c, device, where);
  c->nowait = op;
}

solo_status solo_construct_wait(solo_construct *c) {
  if (!c->enqueued) return SOLO_OK;
  c->enqueued = 0;
  return solo_construct_op(c) ? solo_nowait_wait(c->nowait)
                              : solo_queue_sync(c->device, c->queue, c->where);
}

void solo_construct_failed(solo_construct *c, solo_status status) {
  if (SOLO_LIKELY(status == SOLO_OK) || c->wait_status != SOLO_OK) return;
  c->wait_status = status;
  c->wait_error = solo_scratch_take(sizeof *c->wait_error);
  if (c->wait_error) solo_error_keep(c->wait_error);
}

void solo_construct_wait_early(solo_construct *c) {
  solo_construct_failed(c, solo_construct_wait(c));
}

void solo_construct_transfer(solo_construct *c, const solo_transfer *what) {
  solo_transfer *transfer = solo_scratch_take(sizeof *transfer);
  if (!transfer) {
    solo_construct_failed(c, solo_fail(SOLO_NOMEM, "no host memory to note a copy to the device"));
    return;
  }
  *transfer = *what;
  transfer->next = NULL;
  *c->transfers_end = transfer;
  c->transfers_end = &transfer->next;
}

static void data_is_ready(solo_construct *c) {
  while (c->new_mappings) {
    solo_mapping *m = c->new_mappings;
    c->new_mappings = m->next_new;
    if (solo_construct_op(c)) m->creating_op = NULL;
    solo_mapping_data_ready(m);
  }
}

solo_status solo_construct_publish_data(solo_construct *c) {
  if (!c->new_mappings) return SOLO_OK;
  if (solo_construct_op(c)) return solo_nowait_publish(c->nowait);
  solo_status status = solo_construct_wait(c);
  data_is_ready(c);
  return status;
}

int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) {
  uint32_t state = solo_load_acquire(&m->data_state); /* as in solo_construct_is_others */
  if (state == SOLO_DATA_ENQUEUED && !solo_device_is_synchronous(c->device))
    solo_construct_failed(c, solo_nowait_order_after_data(c, m));
  return state != SOLO_DATA_READY && state != SOLO_DATA_ENQUEUED;
}

/* The new mapping was deleted by another thread before its data was sent: nothing is sent to it any
 * more, and the other thread may end it. */
static void give_up_new(solo_construct *c, solo_mapping *m) {
  solo_transfer **at = &c->transfers;
  while (*at) {
    if ((*at)->mapping == m)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  c->transfers_end = at;
  if (solo_construct_op(c)) solo_nowait_forget_creator(c, m);
  solo_mapping_data_ready(m);
}

void solo_construct_pause(unsigned turn) {
  if (turn < SPINS)
    solo_cpu_relax();
  else
    sched_yield();
}

solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) {
  int done = 0;
  if (!solo_device_is_synchronous(c->device))
    SOLO_TRY(solo_nowait_order_after_closing(c, request, mapping, &done));
  if (done) return SOLO_OK;
  for (solo_mapping **link = &c->new_mappings; *link;) {
    solo_mapping *m = *link;
    if (solo_mapping_is_closing(m)) {
      *link = m->next_new;
      give_up_new(c, m);
    } else {
      link = &m->next_new;
    }
  }
  solo_construct_pause(turn);
  return SOLO_OK;
}

static SOLO_COLD void report_removed(const solo_construct *c, const solo_mapping *m) {
  solo_info_variable variable;
  SOLO_INFO(
      SOLO_INFO_MAPPING_CHANGED, c->device->number,
      "Removing map entry with HstPtrBegin=0x%016lx, TgtPtrBegin=0x%016llx, Size=%zu, Name=%s",
      (unsigned long)solo_load_relaxed(&m->begin), /* own mapping: constant */
      (unsigned long long)solo_load_relaxed(&m->device),
      (size_t)(solo_load_relaxed(&m->end) - solo_load_relaxed(&m->begin)),
      solo_info_variable_of(m->name, &variable));
  if (!m->block) return;
  solo_trace_event event = {.kind = SOLO_TRACE_DELETE,
                            .device = c->device->number,
                            .peer = c->device->number,
                            .to = solo_load_relaxed(&m->device)}; /* own mapping: constant */
  solo_observe_begin_any(&event);
  (void)solo_observe_end_any(&event, SOLO_OK);
}

static void remove_closed(solo_construct *c, solo_mapping *m) {
  const uint32_t reported = SOLO_INFO_MAPPING_CHANGED | SOLO_OBSERVED;
  /* relaxed: the bits are settings, nothing is ordered by them */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & reported)) report_removed(c, m);
  if (SOLO_LIKELY(solo_mapping_sleep(&c->device->mappings, m))) return;
  solo_block *block = solo_mapping_remove(&c->device->mappings, m);
  if (!block) return;
  block->next = c->blocks;
  c->blocks = block;
}

static SOLO_NOINLINE void end_closing(solo_construct *c) {
  while (c->closing) {
    solo_mapping *m = c->closing;
    c->closing = m->next;
    /* map(delete:) may have closed a mapping whose creating construct still sends its data: that
     * construct marks it ready. Acquire: as in solo_mapping_wait_data */
    if (SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY))
      solo_mapping_wait_data(m);
    if (!solo_device_is_synchronous(c->device)) solo_nowait_help_close(c->device, m);
    remove_closed(c, m);
  }
}

void solo_construct_land(solo_construct *c) {
  solo_construct_drop_in_flight(c);
  for (solo_restore *restore = c->restores; restore; restore = restore->next)
    *restore->pointer = restore->value;
  c->restores = NULL;
  data_is_ready(c);
}

int solo_construct_end(solo_construct *c) {
  solo_mapping **at = &c->closing;
  while (*at) {
    solo_mapping *m = *at;
    /* acquire: pairs with solo_mapping_data_ready; its creator has let go of it */
    if (solo_mapping_in_flight(m) || solo_load_acquire(&m->data_state) != SOLO_DATA_READY) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    m->closing_op = NULL;
    remove_closed(c, m);
  }
  return c->closing == NULL;
}

void solo_construct_return_inherited(solo_construct *c) {
  if (!c->inherited_block) return;
  c->inherited_block->next = c->blocks;
  c->blocks = c->inherited_block;
  c->inherited_block = NULL;
}

void solo_construct_give_blocks(solo_construct *c) {
  solo_construct_return_inherited(c);
  while (c->blocks) {
    solo_block *block = c->blocks;
    c->blocks = block->next;
    solo_pool_give(c->device, block);
  }
}

static solo_status close_all(solo_construct *c) {
  solo_status end = solo_construct_wait(c);
  if (SOLO_UNLIKELY(c->wait_status != SOLO_OK)) {
    end = c->wait_status;
    if (c->wait_error) (void)solo_error_again(c->wait_error);
  }
  solo_construct_land(c);
  if (c->closing) end_closing(c);
  if (c->blocks || c->inherited_block) solo_construct_give_blocks(c);
  solo_scratch_end(c->scratch);
  return end;
}

/* The first error is the one to report: later ones must not overwrite its record. */
static SOLO_COLD solo_status close_failed(solo_construct *c, solo_status status) {
  solo_kept_error first;
  solo_error_keep(&first);
  (void)close_all(c);
  (void)solo_error_again(&first);
  return status;
}

solo_status solo_construct_close(solo_construct *c, solo_status status) {
  return SOLO_LIKELY(status == SOLO_OK) ? close_all(c) : close_failed(c, status);
}
