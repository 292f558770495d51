/* Release of references under enqueued work: uses in flight. Threads: the construct's. */
#ifndef SOLO_IN_FLIGHT_H
#define SOLO_IN_FLIGHT_H

#include "runtime/construct/construct.h"

/* A reference to release. */
typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Releases a reference. The mapping stays in flight until close, is added to the closing list
 * (LAST), or had been deleted (GONE). */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* The same without a wait: NOT, and nothing done, if too many constructs have the mapping in
 * flight. For callers that still read the mapping. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* Adds a mapping to the closing list after c has released its last reference. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* Finds a range and marks its mapping in flight (request->ref is SOLO_REF_IN_FLIGHT). Waits for c's
 * work and ends c's uses if the mapping has too many. A mapping that is being closed is absent. Not
 * for use within solo_map_begin. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* Transfers a use in flight from the caller to c, until close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* Publishes c's data, waits for its work and ends its uses: no construct waits for c afterwards. */
solo_status solo_construct_let_others_go(solo_construct *c) SOLO_MUST_CHECK;

#endif
