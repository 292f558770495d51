/* Nowait constructs: enqueued by one thread, and ended by whichever thread asks about them.
 *
 *   BUILDING --solo_nowait_start returns--> QUEUED --the event is reached--> LANDED --> ended, freed
 *      |                                       |                                |
 *      +- published early when its list        +- uses in flight end, host      +- its closed mappings
 *         meets other constructs' new             pointers are written back,       leave the table when
 *         mappings (map/submit.c)                 new mappings are READY           no one has them in
 *                                                                                  flight
 *
 * Files: nowait.c makes and ends the records; nowait_stream.c has the streams and what lands in them,
 * and every wait on the host; nowait_order.c orders a construct's queue after other constructs' work
 * on the device.
 *
 * The work goes to a few streams per device (queues beside those of the threads); a stream belongs to
 * the construct that is being built on it (its lock). What a construct needs of another one whose
 * work is in a stream, it gets by order on the device: the data of a new mapping (its data state is
 * ENQUEUED), and the range of a mapping that is being closed, which is taken over: its table entry
 * and, after the same work, its memory. Nobody waits on the host for that, except where copies do not
 * read host memory in turn (SOLO_DEVICE_COPIES_IN_TURN).
 *
 * A target task that was let go early by its dependences (host_threads.h) is ordered after the
 * streams that its predecessors name. A construct whose list makes the runtime read host memory, which those
 * streams may still write, waits for them before it begins (SOLO_NOWAIT_READS_HOST).
 *
 * Failures: work that fails ends its construct, and those after it in the stream, with the status;
 * only the first failure is reported, so that a chain reports it once.
 *
 * Ownership: an operation belongs to the runtime until solo_nowait_query says that it is over.
 * Threads: any; one asker at a time per operation. Locks: a stream's (rank: below a device's nowait
 * lock, no other stream's is taken under it), the device's nowait lock (rank: below the mapping
 * table; held for calls of the driver that do not block). Tests: tests/nowait.
 */
#ifndef SOLO_NOWAIT_H
#define SOLO_NOWAIT_H

#include "runtime/construct/nowait_op.h"

enum solo_nowait_flags {
  SOLO_NOWAIT_READS_HOST = 1, /* the work reads the program's memory itself: pointers, mappers */
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

/* Runs work in a construct that is ended later: *out_op is to be asked about. NULL: it is over
 * already, or it failed (then as solo_construct_close says). */
solo_status solo_nowait_start(const solo_nowait_request *request,
                              solo_nowait_op **out_op) SOLO_MUST_CHECK;

/* Is it over? Then its status, with the thread's record when it is to be reported (*out_reported:
 * nonzero when another construct's asker reports it). Never blocks. */
int solo_nowait_query(solo_nowait_op *op, solo_status *out_status, int *out_reported);

/* Where the construct stands in the source. */
const char *solo_nowait_where(const solo_nowait_op *op);

#endif
