#define _GNU_SOURCE
#include "runtime/construct/construct.h"

#include "runtime/construct/nowait_order.h"
#include "runtime/construct/nowait_stream.h"
#include "runtime/device/pool.h"
#include "runtime/device/thread_cache.h"
#include <sched.h>

enum { SPINS = 64 };

solo_status solo_construct_open(solo_construct *c, solo_device *device, const char *where) {
  solo_construct_start(c, device, where, NULL);
  c->scratch = solo_scratch_begin();
  return solo_device_queue(device, &c->queue);
}

solo_status solo_construct_wait(solo_construct *c) {
  if (!c->enqueued) return SOLO_OK;
  c->enqueued = 0;
  return solo_construct_op(c) ? solo_nowait_wait(c->nowait)
                              : solo_queue_sync(c->device, c->queue, c->where);
}

void solo_construct_wait_early(solo_construct *c) {
  solo_construct_record_failure(c, solo_construct_wait(c));
}

solo_status solo_construct_publish_data(solo_construct *c) {
  if (!c->new_mappings) return SOLO_OK;
  if (solo_construct_op(c)) return solo_nowait_publish(c->nowait);
  solo_status status = solo_construct_wait(c);
  solo_construct_data_ready(c);
  return status;
}

int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) {
  /* acquire: creating_op is set before ENQUEUED; pairs with solo_mapping_data_enqueued */
  uint32_t state = solo_load_acquire(&m->data_state);
  if (state == SOLO_DATA_ENQUEUED && !solo_device_is_synchronous(c->device))
    solo_construct_record_failure(c, solo_nowait_order_after_data(c, m));
  return state != SOLO_DATA_READY && state != SOLO_DATA_ENQUEUED;
}

/* For a mapping m that c created and another thread deleted: drops c's transfers to m, so that m
 * can be removed. */
static void release_deleted_mappings(solo_construct *c, solo_mapping *m) {
  solo_transfer **at = &c->transfers;
  while (*at) {
    if ((*at)->mapping == m)
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  c->transfers_end = at;
  if (solo_construct_op(c)) solo_nowait_clear_creator(c, m);
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
      release_deleted_mappings(c, m);
    } else {
      link = &m->next_new;
    }
  }
  solo_construct_pause(turn);
  return SOLO_OK;
}

/* Reverses c->closing into the order of releases, in which LIBOMPTARGET_INFO reports removals. */
static SOLO_COLD void reverse_closing(solo_construct *c) {
  solo_mapping *first = NULL;
  while (c->closing) {
    solo_mapping *m = c->closing;
    c->closing = m->next;
    m->next = first;
    first = m;
  }
  c->closing = first;
}

static SOLO_NOINLINE void end_closing(solo_construct *c) {
  /* relaxed: a setting */
  if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_INFO_MAPPING_CHANGED))
    reverse_closing(c);
  while (c->closing) {
    solo_mapping *m = c->closing;
    c->closing = m->next;
    /* map(delete:) may close a mapping before its creator has copied the data.
     * Ordering:  pairs with the release in solo_mapping_data_ready().
     * Otherwise: the creator could copy into freed memory. */
    if (SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY))
      solo_mapping_wait_data(m);
    if (!solo_device_is_synchronous(c->device)) solo_nowait_wait_for_users(c->device, m);
    solo_construct_remove(c, m);
  }
}

static solo_status close_all(solo_construct *c) {
  SOLO_ASSERT_SOUND(solo_construct_check(c));
  solo_status end = solo_construct_wait(c);
  if (SOLO_UNLIKELY(c->wait_status != SOLO_OK)) {
    end = c->wait_status;
    if (c->wait_error) (void)solo_error_restore(c->wait_error);
  }
  if (c->in_flight || c->restores || c->new_mappings) solo_construct_land(c);
  if (c->closing) end_closing(c);
  if (c->blocks || c->spare_block) solo_construct_free_blocks(c);
  solo_scratch_end(c->scratch);
  return end;
}

static SOLO_COLD solo_status close_failed(solo_construct *c, solo_status status) {
  solo_saved_error first;
  solo_error_save(&first);
  (void)close_all(c);
  (void)solo_error_restore(&first);
  return status;
}

solo_status solo_construct_close(solo_construct *c, solo_status status) {
  return SOLO_LIKELY(status == SOLO_OK) ? close_all(c) : close_failed(c, status);
}
