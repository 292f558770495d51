/* Records of nowait constructs and streams; private to nowait*.c. */
#ifndef SOLO_NOWAIT_OP_H
#define SOLO_NOWAIT_OP_H

#include "runtime/construct/record.h"
#include "runtime/device/queue_pool.h"

enum { SOLO_STREAMS = 4 };

typedef struct solo_nowait_op solo_nowait_op;

typedef struct solo_nowait_stream {
  SOLO_ALIGNED(SOLO_CACHE_PAIR)
  solo_lock lock; /* held while a construct is built */
  solo_device *device;
  solo_queue_lease *lease; /* guarded by lock; NULL: not opened yet */
  /* published operations, in queue order; the nowait lock guards the members from here on */
  solo_nowait_op *first, *last;
  uint64_t published, landed;
  _Atomic uint32_t
      /* nonzero: an operation has failed since the last synchronisation; written under the nowait
       * lock */
      failed;
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
  uint32_t opening;
  solo_nowait_stream *stream;
  void *after[SOLO_STREAMS];
  int32_t after_count;
  /* the nowait lock guards the following members */
  solo_nowait_op *next, *previous; /* neighbours in the stream; next also links free records */
  solo_nowait_state state;
  uint32_t in_stream;
  uint64_t number;
  /* host range to which op still copies data, for mappings that another construct has taken over;
   * end 0: none */
  uintptr_t writeback_begin, writeback_end;
  solo_status status;
  uint32_t reported;
  solo_saved_error error;
};

typedef struct solo_nowait_device {
  solo_lock lock;
  _Atomic uint32_t pending_writebacks;
  solo_nowait_stream streams[SOLO_STREAMS];
  solo_nowait_op *free;
} solo_nowait_device;

SOLO_INLINE solo_nowait_device *solo_nowait_device_of(const solo_device *device) {
  /* acquire: pairs with make_device in nowait.c */
  return solo_load_acquire(&device->nowait);
}

SOLO_INLINE void solo_nowait_clear_writeback(solo_nowait_op *op) {
  op->writeback_begin = UINTPTR_MAX;
  op->writeback_end = 0;
}

#endif
