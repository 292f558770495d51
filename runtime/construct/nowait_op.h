/* Records of nowait constructs and the streams they are in; for construct/nowait*.c alone. */
#ifndef SOLO_NOWAIT_OP_H
#define SOLO_NOWAIT_OP_H

#include "runtime/construct/nowait.h"

typedef struct solo_nowait_stream {
  solo_lock lock; /* held by the thread that builds: the queue has one user */
  solo_device *device;
  solo_bqueue *queue; /* guarded by lock; NULL: not open yet */
  /* guarded by the device's nowait lock */
  solo_nowait_op *first, *last; /* published, in order of work */
  uint64_t published, landed;
  uint32_t failed; /* its queue has an error that was reported and not yet cleared */
} solo_nowait_stream;

typedef enum solo_nowait_state {
  SOLO_NOWAIT_BUILDING,
  SOLO_NOWAIT_QUEUED,
  SOLO_NOWAIT_LANDED,
} solo_nowait_state;

struct solo_nowait_op {
  solo_construct c;
  solo_scratch_arena arena;
  solo_bevent *event;
  uint32_t opening; /* of the device */
  solo_nowait_stream *stream;
  void *after[SOLO_STREAMS]; /* streams that it is ordered after; for the building thread */
  int32_t after_count;
  /* guarded by the device's nowait lock */
  solo_nowait_op *next, *previous; /* in the stream; next: free list */
  solo_nowait_state state;
  uint32_t in_stream;
  uint64_t number; /* in the stream */
  /* hull of the ranges that others have taken over while its copies back are under way; empty: end
   * is 0 */
  uintptr_t writeback_begin, writeback_end;
  solo_status status;
  uint32_t reported;
  solo_kept_error error;
};

typedef struct solo_nowait_device {
  solo_lock lock;
  _Atomic uint32_t next_stream;
  _Atomic uint32_t pending_writebacks; /* operations with a hull of their own; written under lock */
  solo_nowait_stream streams[SOLO_STREAMS];
  solo_nowait_op *free;
} solo_nowait_device;

SOLO_INLINE solo_nowait_device *solo_nowait_device_of(const solo_device *device) {
  return solo_load_acquire(&device->nowait); /* pairs with make_device in nowait.c */
}

/* --- construct/nowait_stream.c; the nowait lock is held unless it says otherwise --------------- */

void solo_nowait_append(solo_nowait_op *op);
/* Takes an operation that is still being built, the only one left, out of its stream. */
void solo_nowait_withdraw(solo_nowait_op *op);
/* The operations of the stream (NULL: of all) whose events are reached land. The thread's error
 * record stays as it was. */
void solo_nowait_look(solo_nowait_device *d, solo_nowait_stream *stream);
/* Until what was in the stream by now, and is not being built, has landed. Not under the lock. */
void solo_nowait_wait_for_stream(solo_nowait_stream *stream);
/* Waits for the stream's queue; the stream's lock is held, the nowait lock is not. Failures of
 * operations that were in it are theirs to report. */
solo_status solo_nowait_sync_stream(solo_nowait_stream *stream) SOLO_MUST_CHECK;

/* --- construct/nowait_order.c ----------------------------------------------------------------- */

/* c's queue runs after op. The nowait lock is held. */
solo_status solo_nowait_wait_on(solo_construct *c, const solo_nowait_op *op) SOLO_MUST_CHECK;

/* Takes m out of the list of c's new mappings. The nowait lock is held. */
void solo_nowait_unlink_new(solo_construct *c, const solo_mapping *m);

SOLO_INLINE void solo_nowait_clear_writeback(solo_nowait_op *op) {
  op->writeback_begin = UINTPTR_MAX;
  op->writeback_end = 0;
}

#endif
