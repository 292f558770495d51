/* Nowait constructs: one thread enqueues the work, and the thread that queries it ends the
 * construct.
 *
 *   BUILDING -> QUEUED (enqueued, event recorded) -> LANDED (event reached) -> ended, freed
 *
 * docs/design/constructs.md explains streams, order and take-over. Ownership: the runtime owns an
 * operation until solo_nowait_query returns nonzero. Threads: any; one thread at a time queries an
 * operation. Locks: a stream's lock ranks below the device's nowait lock, which ranks below the
 * mapping table; at most one stream lock per thread. Errors: only the first failure in a stream is
 * reported. Tests: tests/nowait.
 */
#ifndef SOLO_NOWAIT_H
#define SOLO_NOWAIT_H

#include "runtime/construct/nowait_op.h"

enum solo_nowait_flags {
  SOLO_NOWAIT_READS_HOST = 1, /* reads host memory: pointers, mappers */
};

/* Enqueues a construct's work. */
typedef solo_status solo_nowait_work(solo_construct *c, void *context);

typedef struct solo_nowait_request {
  solo_device *device; /* not synchronous */
  const char *where;
  solo_nowait_work *work;
  void *context;
  uint32_t flags;
} solo_nowait_request;

/* Executes work in a construct that ends later. *out_op: query it; NULL: failed, with the status
 * that is returned. */
solo_status solo_nowait_start(const solo_nowait_request *request,
                              solo_nowait_op **out_op) SOLO_MUST_CHECK;

/* Never blocks. Nonzero: the construct has ended, with *out_status. *out_reported: nonzero if
 * another construct reports the failure. */
int solo_nowait_query(solo_nowait_op *op, solo_status *out_status, int *out_reported);

/* Source location. */
const char *solo_nowait_where(const solo_nowait_op *op);

#endif
