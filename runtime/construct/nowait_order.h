/* Order on the device between constructs and streams. Threads: the construct's. */
#ifndef SOLO_NOWAIT_ORDER_H
#define SOLO_NOWAIT_ORDER_H

#include "runtime/construct/nowait_op.h"

/* Orders c's later operations after the copy of ENQUEUED data. */
solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *mapping) SOLO_MUST_CHECK;

/* Another construct closes mapping, which overlaps the request. *out_done: removed or taken over;
 * look it up again. */
solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *mapping, int *out_done) SOLO_MUST_CHECK;

/* Orders c after copies back, by operations in streams, to ranges of its new mappings. */
solo_status solo_nowait_order_after_writebacks(solo_construct *c) SOLO_MUST_CHECK;

/* Orders c after operations in streams that use mapping. *out_others: other constructs use it; call
 * again. */
solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *mapping,
                                          int *out_others) SOLO_MUST_CHECK;

void solo_nowait_clear_creator(const solo_construct *c, solo_mapping *mapping);

/* Ends uses of mapping by earlier operations of c's stream. */
void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *mapping);

/* Orders c after op, with the nowait lock. */
solo_status solo_nowait_wait_on(solo_construct *c, const solo_nowait_op *op) SOLO_MUST_CHECK;

/* With the nowait lock. */
void solo_nowait_unlink_new(solo_construct *c, const solo_mapping *m);

#endif
