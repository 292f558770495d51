/* A construct: one target construct at work on one device from one thread.
 *
 *   open --> map/begin.c: references, new mappings, transfers noted --> map/submit.c: transfers
 *        --> launch --> map/end.c: references given back, data fetched --> close
 *
 * close waits for the construct's work, writes attached pointers of the host back, lets others see
 * the data of new mappings, and takes what the construct closed out of the table. It must always be
 * called and returns the first error.
 *
 * What a construct holds, and until when:
 *   new_mappings   it inserted them with the data state PENDING; until their data is on the device
 *   in_flight      it gave its reference back while its work may still use the mapping; until the
 *                  work is done. Without it another thread's last release could recycle the memory.
 *   closing        it gave the last reference back; until close (or, with nowait, until nobody has
 *                  them in flight)
 *
 * No construct waits for another one while others may wait for it: before it waits for data that
 * another construct sends it has published its own (map/submit.c), and before it waits for uses in
 * flight it has given its own back (solo_construct_let_others_go).
 *
 * Ownership: the caller's, on its stack; lists are in scratch memory. Threads: a construct belongs
 * to its thread, except that a nowait construct (construct/nowait.h) is ended by the thread that asks, under
 * that device's nowait lock. Errors: a status, with the thread's record.
 */
#ifndef SOLO_CONSTRUCT_H
#define SOLO_CONSTRUCT_H

#include "runtime/construct/record.h"

solo_status solo_construct_open(solo_construct *c, solo_device *device,
                                const char *where) SOLO_MUST_CHECK;
solo_status solo_construct_close(solo_construct *c, solo_status status) SOLO_MUST_CHECK;

/* Waits for what this construct enqueued. */
solo_status solo_construct_wait(solo_construct *c) SOLO_MUST_CHECK;
/* The same where the caller cannot return a failure: close reports it. */
void solo_construct_wait_early(solo_construct *c);
/* Enqueues a copy; host ranges must stay until close. name: of the variable, for messages; may be
 * NULL. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_construct_copy(solo_construct *c, uint64_t to,
                                                            uint64_t from, uint64_t bytes,
                                                            solo_copy_direction direction,
                                                            const char *name) {
  c->enqueued = 1;
  return solo_queue_copy(c->device, c->queue,
                         &(solo_copy){to, from, bytes, direction, c->where, name});
}

/* Others see this construct's new mappings as READY (ENQUEUED with nowait), after the data is there.
 */
solo_status solo_construct_publish_data(solo_construct *c) SOLO_MUST_CHECK;

/* Does another construct still send this mapping's data? Then nothing may be sent to it yet. Where
 * the data is in a queue already, c's queue comes after it, and the answer is no. */
int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) SOLO_COLD;
SOLO_INLINE int solo_construct_is_others(const solo_construct *c, const solo_mapping *m) {
  /* acquire: its data is there; pairs with solo_mapping_data_ready */
  if (SOLO_LIKELY(solo_load_acquire(&m->data_state) == SOLO_DATA_READY)) return 0;
  /* relaxed: equal only if this very construct wrote it */
  uint64_t creator = solo_load_relaxed(&m->creator);
  return creator != c->id && creator != solo_closer(c->id);
}
SOLO_INLINE int solo_construct_must_wait(solo_construct *c, solo_mapping *m) {
  return solo_construct_is_others(c, m) && solo_construct_must_wait_slow(c, m);
}

/* One turn of waiting, with new mappings that are not published, for another construct to end a
 * mapping that the request overlaps. New mappings of c that were deleted meanwhile are given up,
 * since the other construct may wait for their data. A nowait construct's closing is taken over
 * instead where that is possible. */
solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) SOLO_MUST_CHECK;

/* One turn of waiting for another thread's next few instructions. */
void solo_construct_pause(unsigned turn);

#endif
