/* Order on the device between constructs and what is in streams (nowait.h).
 *
 * Threads: the construct's.
 */
#ifndef SOLO_NOWAIT_ORDER_H
#define SOLO_NOWAIT_ORDER_H

#include "runtime/construct/nowait_op.h"

/* The data state is ENQUEUED or READY: what c enqueues from now on runs after the data's copy. */
solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *mapping) SOLO_MUST_CHECK;

/* The mapping is being closed by another construct and overlaps the request: that construct has
 * ended it, or c has taken its closing over (*out_done: look again at once). */
solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *mapping, int *out_done) SOLO_MUST_CHECK;

/* c has inserted new mappings, of ranges that others may have taken over from operations whose
 * copies back to the host are still under way: c's queue runs after those. */
solo_status solo_nowait_order_after_writebacks(solo_construct *c) SOLO_MUST_CHECK;

/* c closes the mapping and is about to fetch it: its queue runs after the operations in streams that
 * use it. *out_others: other constructs are still using it, ask again. */
solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *mapping,
                                          int *out_others) SOLO_MUST_CHECK;

/* c has given up a new mapping of its own. */
void solo_nowait_forget_creator(const solo_construct *c, solo_mapping *mapping);

/* c uses or closes the mapping: uses of operations before it in the same stream end with c's. */
void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *mapping);

/* c's queue runs after op. The nowait lock is held. */
solo_status solo_nowait_wait_on(solo_construct *c, const solo_nowait_op *op) SOLO_MUST_CHECK;

/* Takes m out of the list of c's new mappings. The nowait lock is held. */
void solo_nowait_unlink_new(solo_construct *c, const solo_mapping *m);

#endif
