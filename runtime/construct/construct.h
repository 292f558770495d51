/* The life of a construct (docs/design/constructs.md):
 *
 *   open -> map/begin.c -> map/submit.c -> launch -> map/end.c -> close
 *
 * close waits for the construct's work, restores attached host pointers, publishes new mappings,
 * and removes closed mappings from the table. Each construct must be closed; close returns the
 * first error.
 *
 * Ownership: the caller's, on its stack; lists are in scratch memory. Threads: a construct belongs
 * to one thread. The thread that queries a nowait construct (construct/nowait.h) ends it. Errors: a
 * status and the thread's error record.
 */
#ifndef SOLO_CONSTRUCT_H
#define SOLO_CONSTRUCT_H

#include "runtime/construct/record.h"

solo_status solo_construct_open(solo_construct *c, solo_device *device,
                                const char *where) SOLO_MUST_CHECK;
solo_status solo_construct_close(solo_construct *c, solo_status status) SOLO_MUST_CHECK;

solo_status solo_construct_wait(solo_construct *c) SOLO_MUST_CHECK;
/* Waits; solo_construct_close() reports a failure. */
void solo_construct_wait_early(solo_construct *c);
/* Enqueues a copy; host ranges stay valid until close. name: variable or NULL. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_construct_copy(solo_construct *c, uint64_t to,
                                                            uint64_t from, uint64_t bytes,
                                                            solo_copy_direction direction,
                                                            const char *name) {
  c->enqueued = 1;
  return solo_queue_copy(c->device, c->queue,
                         &(solo_copy){to, from, bytes, direction, c->where, name});
}

/* Publishes new mappings as READY after a wait, or as ENQUEUED (nowait). */
solo_status solo_construct_publish_data(solo_construct *c) SOLO_MUST_CHECK;

/* Nonzero: another construct still copies this mapping's data, and c must not copy to it yet. If
 * the data is in a queue (ENQUEUED), c's queue is ordered after it and the result is 0. */
int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) SOLO_COLD;
SOLO_INLINE int solo_construct_is_others(const solo_construct *c, const solo_mapping *m) {
  /* Invariant: READY data is complete on the device.
   * Ordering:  this acquire load pairs with the release in solo_mapping_data_ready().
   * Otherwise: c's kernel could read data of before the copy.
   */
  if (SOLO_LIKELY(solo_load_acquire(&m->data_state) == SOLO_DATA_READY)) return 0;
  /* relaxed: equal only if c wrote it */
  uint64_t creator = solo_load_relaxed(&m->creator);
  return creator != c->id && creator != solo_closer(c->id);
}
SOLO_INLINE int solo_construct_must_wait(solo_construct *c, solo_mapping *m) {
  return solo_construct_is_others(c, m) && solo_construct_must_wait_slow(c, m);
}

/* One step of a wait for another construct to remove a mapping that overlaps the request. Releases
 * new mappings of c that another thread has deleted, because the other construct may wait for their
 * data. Takes over the closing of a nowait construct if possible. */
solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) SOLO_MUST_CHECK;

/* Pauses while another thread executes a few instructions. */
void solo_construct_pause(unsigned turn);

#endif
