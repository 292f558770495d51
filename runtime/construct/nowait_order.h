/* Orders constructs and streams on the device, without waits on the host. Threads: the construct's. */
#ifndef SOLO_NOWAIT_ORDER_H
#define SOLO_NOWAIT_ORDER_H

#include "runtime/construct/nowait_op.h"

/* Orders c's later operations after the copy of the mapping's ENQUEUED data. */
solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *mapping) SOLO_MUST_CHECK;

/* For a mapping that overlaps the request and that another construct closes: completes or takes
 * over the removal. *out_done nonzero: the mapping is removed, and the caller looks up the range
 * again. */
solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *mapping, int *out_done) SOLO_MUST_CHECK;

/* Orders c after operations that still copy to host ranges of c's new mappings. */
solo_status solo_nowait_order_after_writebacks(solo_construct *c) SOLO_MUST_CHECK;

/* Orders c after operations in streams that use the mapping. *out_others nonzero: constructs
 * outside of streams also use the mapping; the caller calls again later. */
solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *mapping,
                                          int *out_others) SOLO_MUST_CHECK;

void solo_nowait_clear_creator(const solo_construct *c, solo_mapping *mapping);

/* Ends uses of the mapping by recent operations of c's stream, because c's own use covers them. */
void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *mapping);

/* Orders c after op. The caller holds the nowait lock. */
solo_status solo_nowait_wait_on(solo_construct *c, const solo_nowait_op *op) SOLO_MUST_CHECK;

/* The caller holds the nowait lock. */
void solo_nowait_unlink_new(solo_construct *c, const solo_mapping *m);

#endif
