/* Nowait constructs: one thread enqueues the work; the thread that queries the construct ends it
 * (docs/design/constructs.md).
 *
 *   BUILDING -> QUEUED (event recorded) -> LANDED (event reached) -> ended, freed
 *
 * Ownership: the runtime owns an operation until solo_nowait_query returns nonzero, and then frees
 * it. Threads: one at a time queries an operation. Locks: a stream's, then the device's nowait
 * lock.
 */
#ifndef SOLO_NOWAIT_H
#define SOLO_NOWAIT_H

#include "runtime/construct/nowait_op.h"

enum solo_nowait_flags {
  SOLO_NOWAIT_READS_HOST = 1,
};

typedef solo_status solo_nowait_work(solo_construct *c, void *context);

typedef struct solo_nowait_request {
  solo_device *device;
  const char *where;
  solo_nowait_work *work;
  void *context;
  uint32_t flags;
} solo_nowait_request;

/* Calls request->work with a construct that ends later. *out_op: the caller queries it until its
 * end; NULL: the construct is complete or has failed. */
solo_status solo_nowait_start(const solo_nowait_request *request,
                              solo_nowait_op **out_op) SOLO_MUST_CHECK;

/* Never blocks. Returns nonzero if the construct has ended with *out_status; op is then freed.
 * *out_reported nonzero: another construct of the stream reports this failure. */
int solo_nowait_query(solo_nowait_op *op, solo_status *out_status, int *out_reported);

const char *solo_nowait_where(const solo_nowait_op *op);

#endif
