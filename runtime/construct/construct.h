/* The life of a construct (docs/design/constructs.md):
 *   open -> map/begin.c -> map/submit.c -> launch -> map/end.c -> close
 *
 * Each construct must be closed, also after a failure. solo_construct_close() waits, restores
 * attached host pointers, publishes new mappings, removes closed mappings, and returns the first
 * error. The construct is on the caller's stack, its lists in scratch memory. One thread uses a
 * construct; nowait constructs: nowait.h.
 */
#ifndef SOLO_CONSTRUCT_H
#define SOLO_CONSTRUCT_H

#include "runtime/construct/record.h"

solo_status solo_construct_open(solo_construct *c, solo_device *device,
                                const char *where) SOLO_MUST_CHECK;
solo_status solo_construct_close(solo_construct *c, solo_status status) SOLO_MUST_CHECK;

solo_status solo_construct_wait(solo_construct *c) SOLO_MUST_CHECK;
/* Waits as solo_construct_wait(), but solo_construct_close() returns the error. */
void solo_construct_wait_early(solo_construct *c);
/* Enqueues a copy. The host range must stay valid until close. name: variable or NULL. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_construct_copy(solo_construct *c, uint64_t to,
                                                            uint64_t from, uint64_t bytes,
                                                            solo_copy_direction direction,
                                                            const char *name) {
  c->enqueued = 1;
  return solo_queue_copy(c->device, c->queue,
                         &(solo_copy){to, from, bytes, direction, c->where, name});
}

/* Permits other constructs to use c's new mappings: waits, then marks their data READY. In a nowait
 * construct: marks them ENQUEUED, without a wait. */
solo_status solo_construct_publish_data(solo_construct *c) SOLO_MUST_CHECK;

/* Returns whether c must wait because another construct copies the data of m. If that copy is
 * ENQUEUED, returns 0 and orders c's queue after the copy. */
int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) SOLO_COLD;
SOLO_INLINE int solo_construct_data_is_foreign(const solo_construct *c, const solo_mapping *m) {
  /* Invariant: READY data is complete on the device.
   * Ordering:  pairs with the release in solo_mapping_data_ready().
   * Otherwise: c's kernel could read earlier data.
   */
  if (SOLO_LIKELY(solo_load_acquire(&m->data_state) == SOLO_DATA_READY)) return 0;
  /* relaxed: equal only if c wrote it */
  uint64_t creator = solo_load_relaxed(&m->creator);
  return creator != c->id && creator != solo_closer(c->id);
}
SOLO_INLINE int solo_construct_must_wait(solo_construct *c, solo_mapping *m) {
  return solo_construct_data_is_foreign(c, m) && solo_construct_must_wait_slow(c, m);
}

/* One step of a wait for the removal of a mapping that overlaps the request. Takes over the removal
 * if possible. Drops the new mappings of c that another thread has deleted, because the construct
 * that removes `mapping` can be waiting for them. */
solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) SOLO_MUST_CHECK;

void solo_construct_pause(unsigned turn);

#endif
