/* Release of references under enqueued work: uses in flight. Threads: the construct's. */
#ifndef SOLO_IN_FLIGHT_H
#define SOLO_IN_FLIGHT_H

#include "runtime/construct/construct.h"

typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Releases a reference: the mapping is in flight until close, is added to the closing list (LAST),
 * or was deleted (GONE). */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* The same without a wait: NOT, and nothing done, if the mapping has too many uses in flight. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* Adds a mapping without references to the closing list. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* Finds a range and marks its mapping in flight (request->ref is SOLO_REF_IN_FLIGHT). If the
 * mapping is full, waits for c's work and ends c's uses. A closing mapping is absent. Not within
 * solo_map_begin. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* Transfers a use in flight from the caller to c, until close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* Publishes c's data, waits and ends its uses, so that no construct waits for c. */
solo_status solo_construct_release_waiters(solo_construct *c) SOLO_MUST_CHECK;

#endif
