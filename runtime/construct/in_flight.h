/* References that a construct gives back, and its uses in flight.
 *
 * Threads: the construct's.
 */
#ifndef SOLO_IN_FLIGHT_H
#define SOLO_IN_FLIGHT_H

#include "runtime/construct/construct.h"

/* A reference to give back. */
typedef struct solo_held {
  solo_mapping *mapping;
  uint64_t version;
  solo_ref ref;
} solo_held;

/* Gives a reference back, safely under enqueued work: in flight until close, or noted for closing
 * (LAST), or nothing was left of it (GONE). */
solo_released solo_construct_release(solo_construct *c, const solo_held *held, solo_release how);

/* The same, but NOT, and nothing done, where it would have to wait for the work because too many
 * constructs have the mapping in flight: for a caller that still wants to read the mapping. */
solo_released solo_construct_try_release(solo_construct *c, const solo_held *held,
                                         solo_release how);

/* The construct is to end the mapping, whose last reference the caller has given back. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* Looks a range up and marks its mapping in flight (request->ref is SOLO_REF_IN_FLIGHT), for a
 * construct that is not in solo_map_begin: waits for its own work and gives its own uses back first when there
 * are too many. What another thread is closing is absent. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* The construct's work uses the mapping, which the caller has marked in flight, until close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

/* Publishes c's data, waits for its work and drops its uses in flight: then no construct waits for c any more. */
solo_status solo_construct_let_others_go(solo_construct *c) SOLO_MUST_CHECK;

#endif
