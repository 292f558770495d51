/* Releases references while enqueued work uses the mappings. A mapping counts such uses ("in
 * flight"); its removal waits for them. Threads: the construct's. */
#ifndef SOLO_IN_FLIGHT_H
#define SOLO_IN_FLIGHT_H

#include "runtime/construct/construct.h"

typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Releases a reference. IN_FLIGHT: c has a use in flight until close. LAST: c closes the mapping,
 * which is now in c->closing. GONE: another thread deleted the mapping. */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* As solo_construct_release, but never waits. NOT: nothing was done, because no memory is left for
 * the count of uses. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* Adds a mapping without references to the closing list. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* Finds the mapping of a range and counts a use in flight for c (request->ref is
 * SOLO_REF_IN_FLIGHT). Without memory for the count, waits for c's work and ends c's uses. A
 * closing mapping counts as ABSENT. Must not be called within solo_map_begin, because c would wait
 * with unpublished mappings. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* Adds a use in flight, which the caller has counted, to c. c ends the use at close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* Publishes c's data, waits and ends c's uses, so that no construct waits for c. */
solo_status solo_construct_release_waiters(solo_construct *c) SOLO_MUST_CHECK;

#endif
