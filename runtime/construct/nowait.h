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
 * streams that it is told. A construct whose list makes the runtime read host memory, which those
 * streams may still write, waits for them before it begins (SOLO_NOWAIT_READS_HOST).
 *
 * Failures: work that fails ends its construct, and those after it in the stream, with the status;
 * the first failure alone is reported to its asker, so that a chain says it once.
 *
 * Ownership: an operation belongs to the runtime until solo_nowait_query says that it is over.
 * Threads: any; one asker at a time per operation. Locks: a stream's (rank: below a device's nowait
 * lock, no other stream's is taken under it), the device's nowait lock (rank: below the mapping
 * table; held for calls of the driver that do not block). Tests: tests/later.
 */
#ifndef SOLO_NOWAIT_H
#define SOLO_NOWAIT_H

#include "runtime/construct/construct.h"

enum { SOLO_STREAMS = 4 };

enum solo_nowait_flags {
  SOLO_NOWAIT_READS_HOST = 1, /* the work reads the program's memory itself: pointers, mappers */
};

typedef struct solo_nowait_op solo_nowait_op;

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

/* Before a target task works elsewhere than on the streams it was let go on: waits for them.
 * A library for the CPU alone has none. */
void solo_nowait_join_streams(void);
SOLO_INLINE void solo_nowait_join(void) {
#ifndef SOLO_CPU_ONLY
  solo_nowait_join_streams();
#endif
}

/* Waits for everything enqueued so far on the device. */
void solo_nowait_drain(solo_device *device);

/* The device is about to be closed. */
void solo_nowait_close(solo_device *device);

/* --- for the life of constructs --------------------------------------------------------------- */

/* Waits for the stream that op is built on. */
solo_status solo_nowait_wait(solo_nowait_op *op) SOLO_MUST_CHECK;

/* Others may use its new mappings: what it has enqueued is marked by its event. */
solo_status solo_nowait_publish(solo_nowait_op *op) SOLO_MUST_CHECK;

/* c has given up a new mapping of its own. */
void solo_nowait_forget_creator(const solo_construct *c, solo_mapping *mapping);

/* c uses or closes the mapping: uses of operations before it in the same stream end with c's. */
void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *mapping);

/* Helps until no operation holds a mapping that is being closed. */
void solo_nowait_help_close(solo_device *device, solo_mapping *mapping);

/* A moment between two looks; round: how many there were in a row. */
void solo_nowait_pause(unsigned round);

/* --- order on the device (construct/nowait_order.c) ------------------------------------------- */

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

#endif
