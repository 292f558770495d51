/* Constructs that end later: enqueued by one thread, looked at until they are complete by any.
 *
 *   BUILDING --solo_later_run returns--> QUEUED --the event is reached--> LANDED --> ended, freed
 *      |                                   |                                 |
 *      +- published early when others      +- pins and host pointers given   +- closed mappings
 * leave must get past its gates             back, gates opened                the table unpinned
 *
 * Their work goes to lanes, a few in-order queues per device beside those of the threads; a lane
 * belongs to who builds on it (its lock), from begin to end of one construct. What a construct
 * needs of another one whose work is still in a lane, it gets by coming behind it on the device: a
 * new mapping's data (its gate is QUEUED), and the range of a mapping that is being closed, which
 * is taken over (its table entry and, behind the same work, its memory). Nobody waits on the host
 * for that, except where copies do not read host memory in turn (SOLO_DEVICE_COPIES_IN_TURN).
 *
 * A target task that was let go early by its dependences (runtime/host_threads.h) comes behind the lanes it is
 * told; before it follows a pointer in host memory, which these may still write, it waits for them.
 *
 * Failures: work that fails ends its construct, and those behind it in the lane, with the status;
 * the first one alone is told to its asker, so that a chain says it once.
 *
 * Ownership: a solo_later belongs to the runtime until solo_later_query says that it is over.
 * Threads: any; one asker at a time per construct. Locks: a lane's (rank: below a device's later
 * lock, no other lane's is taken under it), the device's later lock (rank: below the mapping table;
 * held for calls of the driver that do not block). Held by tests/later.
 */
#ifndef SOLO_LATER_H
#define SOLO_LATER_H

#include "runtime/map/map.h"

enum { SOLO_LANES = 4 };

typedef struct solo_later solo_later;

/* Enqueues a construct's work. */
typedef solo_status solo_later_work(solo_construct *c, void *context);

typedef struct solo_later_order {
  solo_device *device; /* not synchronous */
  const char *where;
  solo_later_work *work;
  void *context;
} solo_later_order;

/* Runs work in a construct that is ended later: *out_later is to be asked about. NULL: it is over
 * already, or it failed (then as solo_construct_close says). */
solo_status solo_later_run(const solo_later_order *order, solo_later **out_later) SOLO_MUST_CHECK;

/* Is it over? Then its status, with the thread's record when it is to be told (*out_told: nonzero
 * when another construct's asker is told). Never blocks. */
int solo_later_query(solo_later *later, solo_status *out_status, int *out_told);

/* Where the construct stood. */
const char *solo_later_where(const solo_later *later);

/* Before a target task works elsewhere than on the lanes it was let go on: waits for them. */
void solo_later_join(void);

/* Waits for everything enqueued so far on the device. */
void solo_later_drain(solo_device *device);

/* The device is about to be closed. */
void solo_later_close(solo_device *device);

/* --- for construct.c -------------------------------------------------------------------------- */

/* Waits for the lane that later builds on. */
solo_status solo_later_wait(solo_later *later) SOLO_MUST_CHECK;

/* Others may pass the gates of its new mappings: what it has enqueued is marked by its event. */
solo_status solo_later_publish(solo_later *later) SOLO_MUST_CHECK;

/* c is about to read the program's memory itself: waits for the lanes that it comes behind. */
solo_status solo_later_before_reading(solo_construct *c) SOLO_MUST_CHECK;

/* The gate is QUEUED or OPEN: what c enqueues from now on comes behind the mapping's data. */
solo_status solo_later_behind_gate(solo_construct *c, solo_mapping *mapping) SOLO_MUST_CHECK;

/* The mapping is being closed by somebody else and overlaps the request: who closes it has made
 * way, or c has come behind (*out_done: look again at once). */
solo_status solo_later_behind_closing(solo_construct *c, const solo_request *request,
                                      solo_mapping *mapping, int *out_done) SOLO_MUST_CHECK;

/* c has inserted a mapping of a range that others may have taken over from constructs whose copies
 * back to it are still under way: c's queue comes behind those. */
solo_status solo_later_behind_givers(solo_construct *c, uintptr_t begin,
                                     uintptr_t end) SOLO_MUST_CHECK;

/* c has waited for the data of a mapping that it made. */
void solo_later_forget_made(const solo_construct *c, solo_mapping *mapping);

/* c has pinned or closed the mapping: pins of what is before it in the same lane go. */
void solo_later_drop_pin(solo_construct *c, solo_mapping *mapping);

/* c closes the mapping and is about to fetch it: its queue comes behind what lanes hold that uses
 * it. *out_others: other constructs are still using it, ask again. */
solo_status solo_later_behind_users(solo_construct *c, solo_mapping *mapping,
                                    int *out_others) SOLO_MUST_CHECK;

/* A moment between two questions; round: how often in a row. */
void solo_later_pause(unsigned round);

/* Helps until nothing that ends later holds a mapping that is being closed. */
void solo_later_settle(solo_device *device, solo_mapping *mapping);

/* --- of construct.c, under the device's later lock but for the first and the last ---------------
 */

void solo_construct_open_later(solo_construct *c, solo_device *device, const char *where,
                               solo_later *later);
/* The host's part of a construct whose work is done. */
void solo_construct_land(solo_construct *c);
/* Takes what it closed out of the table. 0: not all of it can go yet (pinned). */
int solo_construct_end(solo_construct *c);
/* Memory taken over and not used. */
void solo_construct_empty_pocket(solo_construct *c);
void solo_construct_give_blocks(solo_construct *c);

typedef struct solo_pin {
  struct solo_pin *next;
  solo_mapping *mapping;
} solo_pin;

#endif
