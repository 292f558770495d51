/* What a construct is: what it holds, and the parts of its end (construct.h has its life).
 *
 * A construct whose end comes later is made, filled and ended by nowait.c with these parts; every other
 * one by construct.c.
 */
#ifndef SOLO_CONSTRUCT_RECORD_H
#define SOLO_CONSTRUCT_RECORD_H

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
  solo_block *blocks; /* private copies, given back after the wait */
  solo_block *
      spare_block; /* of a mapping taken over (nowait.h): used for a new mapping, else moved to blocks */
  solo_scratch_mark scratch;
  uint32_t enqueued;           /* something is in the queue: close must wait */
  uint32_t keep;               /* mappings given back are read once more: in flight on any device */
  solo_status wait_status;     /* the first early wait that failed: close reports it */
  solo_kept_error *wait_error; /* ... and its record; NULL: no memory for it */
  struct solo_nowait_op *nowait; /* it ends later (nowait.h); NULL: at close */
} solo_construct;

/* The operation that the construct is of, where it ends later; NULL: it ends at close. In a
 * library for the CPU alone the answer is a constant, and the compiler drops the code for operations. */
SOLO_INLINE struct solo_nowait_op *solo_construct_op(const solo_construct *c) {
  return solo_device_is_synchronous(c->device) ? NULL : c->nowait;
}

/* An id that no other construct has. */
uint64_t solo_construct_new_id(void);

/* A construct of the calling thread, with an id of its own and nothing held; queue and scratch are the
 * caller's to set. op: it ends later; NULL: at close. */
void solo_construct_start(solo_construct *c, solo_device *device, const char *where,
                          struct solo_nowait_op *op);

/* Validates what it holds: by its thread, of a nowait construct under the device's nowait lock. NULL,
 * or a text that says what is wrong. */
const char *solo_construct_check(const solo_construct *c);

/* Is this the id of a construct of the calling thread? */
int solo_construct_is_mine(uint64_t id);

/* Notes a status for close: the first one that is not OK, with the thread's record. */
void solo_construct_failed(solo_construct *c, solo_status status);

/* Notes a transfer. Without memory for it the construct fails at submission. */
void solo_construct_transfer(solo_construct *c, const solo_transfer *what);

/* Ends its uses in flight. */
void solo_construct_drop_in_flight(solo_construct *c);

/* Marks the data of its new mappings READY. */
void solo_construct_data_ready(solo_construct *c);

/* c's work may use the memory: it is given back at c's end. */
SOLO_INLINE void solo_construct_add_block(solo_construct *c, solo_block *block) {
  block->next = c->blocks;
  c->blocks = block;
}

/* Takes a mapping that it closed out of the table. */
void solo_construct_remove(solo_construct *c, solo_mapping *mapping);

/* --- the end; of a nowait construct under the device's nowait lock, but for the last two -------- */

/* The host's part of a construct whose work is done. */
void solo_construct_land(solo_construct *c);
/* Takes what it closed out of the table. 0: not all of it can go yet (in flight elsewhere). */
int solo_construct_end(solo_construct *c);
/* The spare block, not used. */
void solo_construct_return_spare(solo_construct *c);
void solo_construct_give_blocks(solo_construct *c);

#endif
