/* A construct: one target construct at work on one device from one thread.
 *
 *   open --> map/begin.c: references, new mappings, transfers noted --> map/submit.c: transfers
 *        --> launch --> map/end.c: references given back, data fetched --> close
 *
 * close waits for the construct's work, writes attached pointers of the host back, lets others see
 * the data of new mappings, and takes what the construct closed out of the table. It must always be
 * called and returns the first error.
 *
 * What a construct holds, and until when:
 *   new_mappings   it inserted them with the data state PENDING; until their data is on the device
 *   in_flight      it gave its reference back while its work may still use the mapping; until the
 *                  work is done. Without it another thread's last release could recycle the memory.
 *   closing        it gave the last reference back; until close (or, with nowait, until nobody has
 *                  them in flight)
 *
 * No construct waits for another one while others may wait for it: before it waits for data that
 * another construct sends it has published its own (map/submit.c), and before it waits for uses in
 * flight it has given its own back (solo_construct_let_others_go).
 *
 * Ownership: the caller's, on its stack; lists are in scratch memory. Threads: a construct belongs
 * to its thread, except that a nowait construct (construct/nowait.h) is ended by whoever asks, under
 * that device's nowait lock. Errors: a status, with the thread's record.
 */
#ifndef SOLO_CONSTRUCT_H
#define SOLO_CONSTRUCT_H

#include "runtime/base/scratch.h"
#include "runtime/device/queue.h"

/* A host pointer to write back after the wait: a copy from the device overwrote it. */
typedef struct solo_restore {
  struct solo_restore *next;
  void **pointer;
  void *value;
} solo_restore;

/* A mapping that the construct's work uses without a reference. */
typedef struct solo_in_flight {
  struct solo_in_flight *next;
  solo_mapping *mapping;
} solo_in_flight;

typedef enum solo_transfer_kind {
  SOLO_TRANSFER_WAIT,   /* nothing is sent: the mapping's data must be there before the kernel */
  SOLO_TRANSFER_FILL,   /* [host, host + bytes) of a new mapping of this construct: never waits */
  SOLO_TRANSFER_SEND,   /* [host, host + bytes) of the mapping, with its attached pointers */
  SOLO_TRANSFER_ATTACH, /* the pointer at host is to hold value on the device, if it does not yet */
  SOLO_TRANSFER_ATTACH_AGAIN, /* ... even if it was attached before */
  SOLO_TRANSFER_COPY,         /* bytes from host to the device address value in the mapping */
} solo_transfer_kind;

/* What a list of map entries has to send, in the order of the list (map/submit.c). */
typedef struct solo_transfer {
  struct solo_transfer *next;
  solo_mapping *mapping;
  uintptr_t host;
  uint64_t bytes, value;
  const char *name; /* of the variable, for messages; may be NULL */
  solo_transfer_kind kind;
} solo_transfer;

typedef struct solo_construct {
  solo_device *device;
  solo_bqueue *queue;
  const char *where;     /* source location as the compiler wrote it (";file;function;line;..") */
  uint64_t id;           /* never 0; tells this construct's new and closing mappings from others' */
  solo_mapping *closing; /* linked by next */
  solo_mapping *new_mappings; /* linked by next_new */
  solo_in_flight *in_flight;
  solo_restore *restores;
  solo_transfer *transfers, **transfers_end;
  solo_block *blocks;          /* private copies, given back after the wait */
  solo_block *inherited_block; /* of a mapping taken over (nowait.h): for a new one, or blocks */
  solo_scratch_mark scratch;
  uint32_t enqueued;           /* something is in the queue: close must wait */
  uint32_t keep;               /* mappings given back are read once more: in flight on any device */
  solo_status wait_status;     /* the first early wait that failed: close reports it */
  solo_kept_error *wait_error; /* ... and its record; NULL: no memory for it */
  struct solo_nowait_op *nowait; /* it ends later (nowait.h); NULL: at close */
} solo_construct;

/* The operation that the construct is of, where it ends later; NULL: it ends at close. A library for
 * the CPU alone knows when it is compiled that there is none, and carries nothing of them. */
SOLO_INLINE struct solo_nowait_op *solo_construct_op(const solo_construct *c) {
  return solo_device_is_synchronous(c->device) ? NULL : c->nowait;
}

solo_status solo_construct_open(solo_construct *c, solo_device *device,
                                const char *where) SOLO_MUST_CHECK;
solo_status solo_construct_close(solo_construct *c, solo_status status) SOLO_MUST_CHECK;

/* Is this the id of a construct of the calling thread? */
int solo_construct_is_mine(uint64_t id);

/* Waits for what this construct enqueued. */
solo_status solo_construct_wait(solo_construct *c) SOLO_MUST_CHECK;
/* The same where the caller cannot return a failure: close reports it. */
void solo_construct_wait_early(solo_construct *c);
/* Notes a status for close: the first one that is not OK, with the thread's record. */
void solo_construct_failed(solo_construct *c, solo_status status);

/* Enqueues a copy; host ranges must stay until close. name: of the variable, for messages; may be
 * NULL. */
SOLO_INLINE SOLO_MUST_CHECK solo_status solo_construct_copy(solo_construct *c, uint64_t to,
                                                            uint64_t from, uint64_t bytes,
                                                            solo_copy_direction direction,
                                                            const char *name) {
  c->enqueued = 1;
  return solo_queue_copy(c->device, c->queue,
                         &(solo_copy){to, from, bytes, direction, c->where, name});
}

/* Notes a transfer. Without memory for it the construct fails at submission. */
void solo_construct_transfer(solo_construct *c, const solo_transfer *what);

/* Others see this construct's new mappings as READY (ENQUEUED with nowait), after the data is there.
 */
solo_status solo_construct_publish_data(solo_construct *c) SOLO_MUST_CHECK;

/* Does another construct still send this mapping's data? Then nothing may be sent to it yet. Where
 * the data is in a queue already, c's queue comes after it, and the answer is no. */
int solo_construct_must_wait_slow(solo_construct *c, solo_mapping *m) SOLO_COLD;
SOLO_INLINE int solo_construct_is_others(const solo_construct *c, const solo_mapping *m) {
  /* relaxed: equal only if this very construct wrote it; acquire: its data is there; pairs with
   * solo_mapping_data_ready */
  return SOLO_UNLIKELY(solo_load_acquire(&m->data_state) != SOLO_DATA_READY) &&
         solo_load_relaxed(&m->creator) != c->id;
}
SOLO_INLINE int solo_construct_must_wait(solo_construct *c, solo_mapping *m) {
  return solo_construct_is_others(c, m) && solo_construct_must_wait_slow(c, m);
}

/* One turn of waiting, with new mappings that are not published, for another construct to end a
 * mapping that the request overlaps. New mappings of c that were deleted meanwhile are given up,
 * since the other construct may wait for their data. A nowait construct's closing is taken over
 * instead where that is possible. */
solo_status solo_construct_yield(solo_construct *c, const solo_request *request,
                                 solo_mapping *mapping, unsigned turn) SOLO_MUST_CHECK;

/* One turn of waiting for another thread's next few instructions. */
void solo_construct_pause(unsigned turn);

/* --- references (construct/in_flight.c) ------------------------------------------------------- */

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

/* Looks a range up and marks its mapping in flight (request->ref is SOLO_REF_IN_FLIGHT), for a
 * construct that is in no begin: waits for its own work and gives its own uses back first when there
 * are too many. What another thread is closing is absent. */
solo_presence solo_construct_acquire_in_flight(solo_construct *c, const solo_request *request,
                                               solo_mapping **out_mapping);

/* The construct's work uses the mapping, which the caller has marked in flight, until close. */
void solo_construct_note_in_flight(solo_construct *c, solo_mapping *mapping);

void solo_construct_drop_in_flight(solo_construct *c);

/* Waits, publishes and drops what is in flight: nobody waits for c any more. */
solo_status solo_construct_let_others_go(solo_construct *c) SOLO_MUST_CHECK;

/* c closes the mapping, whose last reference it gave back. */
void solo_construct_note_closing(solo_construct *c, solo_mapping *mapping);

/* --- the end, in parts, for nowait.c; under the device's nowait lock but for the last ----------- */

void solo_construct_open_nowait(solo_construct *c, solo_device *device, const char *where,
                                struct solo_nowait_op *op);
/* The host's part of a construct whose work is done. */
void solo_construct_land(solo_construct *c);
/* Takes what it closed out of the table. 0: not all of it can go yet (in flight elsewhere). */
int solo_construct_end(solo_construct *c);
/* Memory taken over and not used. */
void solo_construct_return_inherited(solo_construct *c);
void solo_construct_give_blocks(solo_construct *c);

#endif
