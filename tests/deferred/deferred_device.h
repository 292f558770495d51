/* Internal declarations of the deferred backend. */
#ifndef SOLO_DEFERRED_DEVICE_H
#define SOLO_DEFERRED_DEVICE_H

#include "runtime/backend_call.h" /* the operations of the only backend */
#include "runtime/base/lock.h"
#include "runtime/host_threads.h"
#include "runtime/image/linked.h"
#include "tests/deferred/deferred.h"

#define DEFERRED_ARENA (UINT64_C(1) << 30)

struct solo_bdevice {
  int number;
};

struct solo_bmodule {
  const solo_linked_image *linked;
};

typedef struct deferred_work {
  struct deferred_work *next;
  enum { WORK_COPY, WORK_LAUNCH, WORK_RECORD, WORK_WAIT } kind;
  uint64_t to, from, bytes;
  const void *code;
  uint64_t *arguments;
  struct solo_bevent *event;
  uint64_t number;        /* the event's record count when the work was enqueued */
  struct solo_bqueue *on; /* the queue of the event's latest record */
} deferred_work;

struct solo_bqueue {
  solo_bdevice *device;
  deferred_work *first, **last;
  solo_status error;
  struct solo_bqueue *next; /* list of all queues */
};

struct solo_bevent {
  uint64_t recorded, reached; /* number of records enqueued, and executed */
  solo_status error;
  solo_bqueue *queue;
};

/* Guards all state of the backend; held while work runs. */
extern solo_lock solo_deferred_lock;
extern solo_deferred_counts solo_deferred_state;

/* Returns whether this fallible call must fail (solo_deferred_fail_at). */
int solo_deferred_fails(void);

void solo_deferred_expose(void);
void solo_deferred_hide(void);

#endif
