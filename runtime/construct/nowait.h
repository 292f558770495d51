/* Constructs that end later: enqueued by one thread, looked at until they are complete by any.
 *
 *   BUILDING --solo_nowait_start returns--> QUEUED --the event is reached--> LANDED --> ended, freed
 *      |                                   |                                 |
 *      +- published early when others      +- pins and host pointers given   +- closed mappings
 * leave must get past its gates             back, gates opened                the table unpinned
 *
 * Their work goes to streams, a few in-order queues per device beside those of the threads; a stream
 * belongs to who builds on it (its lock), from begin to end of one construct. What a construct
 * needs of another one whose work is still in a stream, it gets by coming behind it on the device: a
 * new mapping's data (its gate is QUEUED), and the range of a mapping that is being closed, which
 * is taken over (its table entry and, behind the same work, its memory). Nobody waits on the host
 * for that, except where copies do not read host memory in turn (SOLO_DEVICE_COPIES_IN_TURN).
 *
 * A target task that was let go early by its dependences (runtime/host_threads.h) comes behind the streams it is
 * told; before it follows a pointer in host memory, which these may still write, it waits for them.
 *
 * Failures: work that fails ends its construct, and those behind it in the stream, with the status;
 * the first one alone is told to its asker, so that a chain says it once.
 *
 * Ownership: a solo_nowait_op belongs to the runtime until solo_nowait_query says that it is over.
 * Threads: any; one asker at a time per construct. Locks: a stream's (rank: below a device's later
 * lock, no other stream's is taken under it), the device's later lock (rank: below the mapping table;
 * held for calls of the driver that do not block). Held by tests/later.
 */
#ifndef SOLO_NOWAIT_H
#define SOLO_NOWAIT_H

#include "runtime/map/map.h"

enum { SOLO_STREAMS = 4 };

typedef struct solo_nowait_op solo_nowait_op;

/* Enqueues a construct's work. */
typedef solo_status solo_nowait_work(solo_construct *c, void *context);

typedef struct solo_nowait_request {
  solo_device *device; /* not synchronous */
  const char *where;
  solo_nowait_work *work;
  void *context;
} solo_nowait_request;

/* Runs work in a construct that is ended later: *out_op is to be asked about. NULL: it is over
 * already, or it failed (then as solo_construct_close says). */
solo_status solo_nowait_start(const solo_nowait_request *order,
                              solo_nowait_op **out_op) SOLO_MUST_CHECK;

/* Is it over? Then its status, with the thread's record when it is to be told (*out_reported: nonzero
 * when another construct's asker is told). Never blocks. */
int solo_nowait_query(solo_nowait_op *nowait, solo_status *out_status, int *out_reported);

/* Where the construct stood. */
const char *solo_nowait_where(const solo_nowait_op *nowait);

/* Before a target task works elsewhere than on the streams it was let go on: waits for them. */
void solo_nowait_join(void);

/* Waits for everything enqueued so far on the device. */
void solo_nowait_drain(solo_device *device);

/* The device is about to be closed. */
void solo_nowait_close(solo_device *device);

/* --- for construct.c -------------------------------------------------------------------------- */

/* Waits for the stream that later builds on. */
solo_status solo_nowait_wait(solo_nowait_op *nowait) SOLO_MUST_CHECK;

/* Others may pass the gates of its new mappings: what it has enqueued is marked by its event. */
solo_status solo_nowait_publish(solo_nowait_op *nowait) SOLO_MUST_CHECK;

/* c is about to read the program's memory itself: waits for the streams that it comes behind. */
solo_status solo_nowait_before_host_read(solo_construct *c) SOLO_MUST_CHECK;

/* The gate is QUEUED or OPEN: what c enqueues from now on comes behind the mapping's data. */
solo_status solo_nowait_order_after_data(solo_construct *c, solo_mapping *mapping) SOLO_MUST_CHECK;

/* The mapping is being closed by somebody else and overlaps the request: who closes it has made
 * way, or c has come behind (*out_done: look again at once). */
solo_status solo_nowait_order_after_closing(solo_construct *c, const solo_request *request,
                                            solo_mapping *mapping, int *out_done) SOLO_MUST_CHECK;

/* c has inserted a mapping of a range that others may have taken over from constructs whose copies
 * back to it are still under way: c's queue comes behind those. */
solo_status solo_nowait_order_after_writebacks(solo_construct *c, uintptr_t begin,
                                               uintptr_t end) SOLO_MUST_CHECK;

/* c has waited for the data of a mapping that it made. */
void solo_nowait_forget_creator(const solo_construct *c, solo_mapping *mapping);

/* c has pinned or closed the mapping: pins of what is before it in the same stream go. */
void solo_nowait_drop_in_flight(solo_construct *c, solo_mapping *mapping);

/* c closes the mapping and is about to fetch it: its queue comes behind what streams hold that uses
 * it. *out_others: other constructs are still using it, ask again. */
solo_status solo_nowait_order_after_users(solo_construct *c, solo_mapping *mapping,
                                          int *out_others) SOLO_MUST_CHECK;

/* A moment between two questions; round: how often in a row. */
void solo_nowait_pause(unsigned round);

/* Helps until nothing that ends later holds a mapping that is being closed. */
void solo_nowait_help_close(solo_device *device, solo_mapping *mapping);

/* --- of construct.c, under the device's later lock but for the first and the last ---------------
 */

void solo_construct_open_nowait(solo_construct *c, solo_device *device, const char *where,
                                solo_nowait_op *nowait);
/* The host's part of a construct whose work is done. */
void solo_construct_land(solo_construct *c);
/* Takes what it closed out of the table. 0: not all of it can go yet (pinned). */
int solo_construct_end(solo_construct *c);
/* Memory taken over and not used. */
void solo_construct_return_inherited(solo_construct *c);
void solo_construct_give_blocks(solo_construct *c);

typedef struct solo_in_flight {
  struct solo_in_flight *next;
  solo_mapping *mapping;
} solo_in_flight;

#endif
