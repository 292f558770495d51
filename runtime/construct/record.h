/* The record of a construct, and the steps of its end. */
#ifndef SOLO_CONSTRUCT_RECORD_H
#define SOLO_CONSTRUCT_RECORD_H

#include "runtime/base/scratch.h"
#include "runtime/device/queue.h"

/* A host pointer that a copy from the device overwrites, and the value to restore. */
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
  SOLO_TRANSFER_WAIT, /* waits until another construct has copied the mapping's data */
  SOLO_TRANSFER_FILL, /* copies [host, host + bytes) to a new mapping of c; needs no wait */
  /* copies [host, host + bytes), then sets the attached pointers in the device copy again */
  SOLO_TRANSFER_SEND,
  /* sets the device copy of the pointer at `host` to `value`, unless it is already set */
  SOLO_TRANSFER_ATTACH,
  SOLO_TRANSFER_ATTACH_AGAIN, /* as ATTACH, but always */
  SOLO_TRANSFER_COPY,         /* copies bytes from `host` to the device address `value` */
} solo_transfer_kind;

/* A copy or wait for an entry of a map list (map/submit.c). */
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
  uint64_t id;
  solo_mapping *closing;
  solo_mapping *new_mappings; /* linked by next_new */
  solo_in_flight *in_flight;
  solo_restore *restores;
  solo_transfer *transfers, **transfers_end;
  solo_block *blocks;      /* freed at the end */
  solo_block *spare_block; /* memory of a mapping that c has taken over; NULL: none */
  solo_scratch_mark scratch;
  uint32_t enqueued;       /* nonzero: work is enqueued, so close waits */
  uint32_t keep;           /* nonzero: map/end.c accesses mappings after c has released them */
  solo_status wait_status; /* first failure before close, and its record (NULL: no memory) */
  solo_saved_error *wait_error;
  struct solo_nowait_op *nowait; /* NULL: the construct ends at close */
} solo_construct;

/* Returns the nowait operation or NULL. In programs for CPUs alone the result is the constant
 * NULL. */
SOLO_INLINE struct solo_nowait_op *solo_construct_op(const solo_construct *c) {
  return solo_device_is_synchronous(c->device) ? NULL : c->nowait;
}

uint64_t solo_construct_new_id(void);

/* Initialises c, except for queue and scratch, which the caller sets. */
void solo_construct_start(solo_construct *c, solo_device *device, const char *where,
                          struct solo_nowait_op *op);

/* Returns NULL, or a text about a broken invariant. For a nowait construct: called with the nowait
 * lock. */
const char *solo_construct_check(const solo_construct *c);

int solo_construct_is_of_thread(uint64_t id);

/* Stores the first failure and its error record, which close returns. */
void solo_construct_record_failure(solo_construct *c, solo_status status);

/* Appends a copy of *what to c->transfers. Without memory c fails. */
void solo_construct_transfer(solo_construct *c, const solo_transfer *what);

void solo_construct_drop_in_flight(solo_construct *c);

void solo_construct_data_ready(solo_construct *c);

SOLO_INLINE void solo_construct_add_block(solo_construct *c, solo_block *block) {
  block->next = c->blocks;
  c->blocks = block;
}

void solo_construct_remove(solo_construct *c, solo_mapping *mapping);

/* --- steps of the end; for nowait constructs with the nowait lock, except the last two --- */

void solo_construct_land(solo_construct *c);
/* Removes the closed mappings without uses in flight. Returns 0 if some remain; the caller calls
 * again. */
int solo_construct_end(solo_construct *c);
void solo_construct_return_spare(solo_construct *c);
void solo_construct_free_blocks(solo_construct *c);

#endif
