/* Releases references while enqueued work uses the mappings. The mapping counts such uses ("in
 * flight"), which delay its removal. Threads: the construct's. */
#ifndef SOLO_IN_FLIGHT_H
#define SOLO_IN_FLIGHT_H

#include "runtime/construct/construct.h"

typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Releases a reference. Result: IN_FLIGHT: c uses the mapping until close. LAST: c closes the
 * mapping, which is in c->closing. GONE: the mapping was deleted. */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* As solo_construct_release, but never waits. NOT: the mapping has too many uses in flight; nothing
 * was done. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* Adds a mapping without references to the closing list. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* Finds a range's mapping and counts a use in flight for c (request->ref is SOLO_REF_IN_FLIGHT). If
 * the mapping has too many uses, waits for c's work and ends c's uses. A closing mapping is ABSENT.
 * Not within solo_map_begin. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* c owns a use in flight that the caller has counted, and ends it at close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* Publishes c's data, waits and ends c's uses, so that no construct waits for c. */
solo_status solo_construct_release_waiters(solo_construct *c) SOLO_MUST_CHECK;

#endif
