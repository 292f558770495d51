#define _GNU_SOURCE
#include "runtime/construct/in_flight.h"

#include "runtime/construct/nowait_order.h"
#include <sched.h>

enum { RECENT = 4 };

void solo_construct_note_closing(solo_construct *c, solo_mapping *m) {
  /* relaxed: other constructs only compare it with their own value */
  solo_store_relaxed(&m->creator, solo_closer(c->id));
  m->next = c->closing;
  c->closing = m;
  if (solo_construct_op(c)) solo_nowait_drop_in_flight(c, m);
}

/* Returns whether c already has a use in flight of m; one use per construct suffices. Compares only
 * recent uses. */
static int is_recent(const solo_construct *c, const solo_mapping *m) {
  const solo_in_flight *use = c->in_flight;
  for (int compared = 0; use && compared < RECENT; use = use->next, compared++)
    if (use->mapping == m) return 1;
  return 0;
}

/* Called before c waits for another construct, which may wait for c's uses. */
static void wait_and_drop(solo_construct *c) {
  solo_construct_wait_early(c);
  solo_construct_drop_in_flight(c);
}

solo_status solo_construct_release_waiters(solo_construct *c) {
  solo_status published = solo_construct_publish_data(c);
  solo_status status = solo_construct_wait(c);
  solo_construct_drop_in_flight(c);
  return published == SOLO_OK ? status : published;
}

solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping) {
  for (;;) {
    uint64_t version;
    solo_presence presence = solo_mapping_try(&c->device->mappings, request, out_mapping, &version);
    /* c must not wait for the construct that closes the mapping, which may wait for c's uses */
    if (presence == SOLO_LEAVING) return SOLO_ABSENT;
    if (presence != SOLO_FULL) {
      if (presence != SOLO_ABSENT && solo_construct_must_wait(c, *out_mapping)) {
        wait_and_drop(c);
        solo_mapping_wait_data(*out_mapping);
        /* returns 0 now; orders c's queue after the data */
        (void)solo_construct_must_wait(c, *out_mapping);
      }
      return presence;
    }
    wait_and_drop(c);
    sched_yield(); /* other constructs end their uses when their work completes */
  }
}

void solo_construct_note_in_flight(solo_construct *c, solo_mapping *m) {
  if (is_recent(c, m)) {
    solo_mapping_drop_in_flight(m);
    return;
  }
  int until_close = c->keep || !solo_device_is_synchronous(c->device);
  solo_in_flight *use = until_close ? solo_scratch_allocate(sizeof *use) : NULL;
  if (use) {
    *use = (solo_in_flight){c->in_flight, m};
    c->in_flight = use;
    if (solo_construct_op(c)) solo_nowait_drop_in_flight(c, m);
    return;
  }
  /* the use need not last until close, or no memory is left for its record */
  solo_construct_wait_early(c);
  solo_mapping_drop_in_flight(m);
}

solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how) {
  solo_mapping *m = held->mapping;
  solo_released done = SOLO_LIKELY(solo_device_is_synchronous(c->device) && !c->keep)
                           ? solo_mapping_release(m, held->version, held->ref, how)
                           : solo_mapping_release_in_flight(m, held->version, held->ref, how);
  if (done == SOLO_RELEASED_IN_FLIGHT) solo_construct_note_in_flight(c, m);
  if (done == SOLO_RELEASED_LAST) solo_construct_note_closing(c, m);
  return done;
}

solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how) {
  solo_released done = solo_construct_try_release(c, held, how);
  if (SOLO_LIKELY(done != SOLO_RELEASED_NOT)) return done;
  solo_construct_wait_early(c);
  done = solo_mapping_release(held->mapping, held->version, held->ref, how);
  if (done == SOLO_RELEASED_LAST) solo_construct_note_closing(c, held->mapping);
  return done;
}
