/* The data of a construct and the steps of its end. */
#ifndef SOLO_CONSTRUCT_RECORD_H
#define SOLO_CONSTRUCT_RECORD_H

#include "runtime/base/scratch.h"
#include "runtime/device/queue.h"

/* A host pointer that a copy from the device overwrote. */
typedef struct solo_restore {
  struct solo_restore *next;
  void **pointer;
  void *value;
} solo_restore;

typedef struct solo_in_flight {
  struct solo_in_flight *next;
  solo_mapping *mapping;
} solo_in_flight;

typedef enum solo_transfer_kind {
  SOLO_TRANSFER_WAIT,         /* wait for the mapping's data */
  SOLO_TRANSFER_FILL,         /* [host, host + bytes) of c's new mapping: never waits */
  SOLO_TRANSFER_SEND,         /* [host, host + bytes), with attached pointers */
  SOLO_TRANSFER_ATTACH,       /* device pointer for host = value, unless set */
  SOLO_TRANSFER_ATTACH_AGAIN, /* the same, always */
  SOLO_TRANSFER_COPY,         /* bytes from host to the device address value */
} solo_transfer_kind;

/* An entry of a map list (map/submit.c). */
typedef struct solo_transfer {
  struct solo_transfer *next;
  solo_mapping *mapping;
  uintptr_t host;
  uint64_t bytes, value;
  const char *name; /* variable or NULL */
  solo_transfer_kind kind;
} solo_transfer;

typedef struct solo_construct {
  solo_device *device;
  solo_bqueue *queue;
  const char *where; /* source location (";file;function;line;..") */
  uint64_t id;       /* never 0 */
  solo_mapping *closing;
  solo_mapping *new_mappings; /* by next_new */
  solo_in_flight *in_flight;
  solo_restore *restores;
  solo_transfer *transfers, **transfers_end;
  solo_block *blocks;      /* freed after the wait */
  solo_block *spare_block; /* of a mapping taken over */
  solo_scratch_mark scratch;
  uint32_t enqueued;             /* close must wait */
  uint32_t keep;                 /* released mappings are read again */
  solo_status wait_status;       /* first early failure */
  solo_saved_error *wait_error;  /* its record; NULL: no memory */
  struct solo_nowait_op *nowait; /* NULL: ends at close */
} solo_construct;

/* The nowait operation or NULL; constant in a library for the CPU alone. */
SOLO_INLINE struct solo_nowait_op *solo_construct_op(const solo_construct *c) {
  return solo_device_is_synchronous(c->device) ? NULL : c->nowait;
}

uint64_t solo_construct_new_id(void);

/* The caller sets queue and scratch. */
void solo_construct_start(solo_construct *c, solo_device *device, const char *where,
                          struct solo_nowait_op *op);

/* NULL, or a broken invariant. Nowait: with the nowait lock. */
const char *solo_construct_check(const solo_construct *c);

/* Nonzero: a construct of the calling thread. */
int solo_construct_is_of_thread(uint64_t id);

/* Records the first failure with its error record. */
void solo_construct_record_failure(solo_construct *c, solo_status status);

/* Without memory, c fails. */
void solo_construct_transfer(solo_construct *c, const solo_transfer *what);

void solo_construct_drop_in_flight(solo_construct *c);

void solo_construct_data_ready(solo_construct *c);

/* Frees block at c's end. */
SOLO_INLINE void solo_construct_add_block(solo_construct *c, solo_block *block) {
  block->next = c->blocks;
  c->blocks = block;
}

void solo_construct_remove(solo_construct *c, solo_mapping *mapping);

/* --- the end; nowait: with the nowait lock, except the last two ------------------------------ */

void solo_construct_land(solo_construct *c);
/* Removes closed mappings; 0: some are in flight. */
int solo_construct_end(solo_construct *c);
void solo_construct_return_spare(solo_construct *c);
void solo_construct_free_blocks(solo_construct *c);

#endif
