/* Events of the target RTL interface and the graph of what waits for what (include/tgt_rtl.h has
 * the states).
 *
 * One lock, the graph's, guards states, edges and lists; no driver call and no callback is made
 * under it. Each stream (a queue of our own) has a lock, held across its driver calls: rank stream <
 * graph. What a change of state makes possible (ready work, callbacks) is gathered in a
 * tgt_rtl_todo and done by tgt_rtl_do (progress.h), without locks.
 *
 * References: the caller's; the engine's until DONE; one per edge on the event it waits for, until
 * the waiting event is DONE; one per callback on its way. Threads: any.
 */
#ifndef SOLO_ABI_TGT_RTL_EVENT_H
#define SOLO_ABI_TGT_RTL_EVENT_H

#include "abi/rtl/load.h"
#include "runtime/base/lock.h"
#include "runtime/device/queue_pool.h"

enum { TGT_RTL_STREAMS = 4 }; /* per device */

typedef enum tgt_rtl_state { TGT_RTL_HELD, TGT_RTL_ISSUED, TGT_RTL_DONE } tgt_rtl_state;

typedef enum tgt_rtl_kind {
  TGT_RTL_MERGE,
  TGT_RTL_COPY,
  TGT_RTL_LAUNCH,
  TGT_RTL_BLOCK, /* a launch whose arguments are bytes as they lie in the kernel's parameter block */
  TGT_RTL_HOST,  /* DONE by release_dep */
} tgt_rtl_kind;

typedef struct tgt_rtl_stream {
  solo_lock lock;          /* guards what follows, and the queue */
  solo_queue_lease *lease; /* NULL: none yet */
  struct tgt_event *first, **last;
} tgt_rtl_stream;

/* event waits for from. */
typedef struct tgt_rtl_edge {
  struct tgt_event *from, *event;
  tgt_rtl_state need;               /* ISSUED: the device does the rest */
  struct tgt_rtl_edge *next_waiter; /* of from */
} tgt_rtl_edge;

/* What an event stands for. */
typedef struct tgt_rtl_work {
  solo_device *device; /* NULL: the host's */
  tgt_rtl_kind kind;
  uint64_t to, from, bytes;
  solo_copy_direction direction;
  const solo_kernel *kernel;
  solo_launch_request shape;
  uint64_t *arguments; /* LAUNCH: [0]: launch environment; BLOCK: bytes of them. The event's */
  int32_t count;       /* without [0] */
} tgt_rtl_work;

struct tgt_event {
  _Atomic uint32_t references;
  _Atomic uint32_t state; /* tgt_rtl_state; written under the graph's lock */
  solo_status status;     /* final when DONE */
  tgt_rtl_work work;
  uint32_t opening; /* of the device when bevent was opened */
  solo_bevent *bevent;
  tgt_rtl_stream *stream;
  uint32_t unmet;          /* graph: edges to be waited for, and 1 while being added */
  tgt_rtl_edge *waiters;   /* graph */
  struct tgt_event *syncs; /* graph: asked for by enforce_dep, not released yet */
  struct tgt_event *next;  /* in a stream or a todo */
  /* of a sync */
  struct tgt_event *subject, *next_sync;
  const solo_device *to_device; /* NULL: the host */
  int32_t edge_count;
  tgt_rtl_edge edges[];
};

typedef struct tgt_rtl_todo {
  struct tgt_event *ready, **ready_last;
  struct tgt_event *syncs, **syncs_last;
} tgt_rtl_todo;

#define TGT_RTL_NOTHING(todo)                                                                      \
  { NULL, &(todo).ready, NULL, &(todo).syncs }

extern solo_lock tgt_rtl_graph;

SOLO_INLINE void tgt_rtl_push(struct tgt_event ***last, struct tgt_event *e) {
  e->next = NULL;
  **last = e;
  *last = &e->next;
}

SOLO_INLINE tgt_rtl_state tgt_rtl_state_of(struct tgt_event *e) {
  return (tgt_rtl_state)solo_load_acquire(&e->state); /* pairs with set_state (event.c) */
}

/* A new event, HELD, with one reference for the engine and one per reference wanted beyond it.
 * NULL: no memory, recorded. */
struct tgt_event *tgt_rtl_event_new(const tgt_rtl_work *work, int32_t edges);

/* Does a host thread run the work to its end, outside the streams? Then all that it waits for must be DONE. */
int tgt_rtl_needs_host(const tgt_rtl_work *w);

/* Events alive, for tests. */
long tgt_rtl_event_count(void);

/* Links the event behind those given; takes over the arguments. Then call tgt_rtl_do. */
void tgt_rtl_event_add(struct tgt_event *e, tgt_event_t *from, int32_t count, tgt_rtl_todo *todo);

/* With a stream's lock or none: ISSUED; DONE with its own status (a dependence's failure prevails
 * over OK). The failure of an event's own is kept to be reported, with the thread's record; a failure
 * that came with a dependence, or with the stream, is not. */
void tgt_rtl_event_issued(struct tgt_event *e, tgt_rtl_todo *todo);
typedef enum tgt_rtl_cause { TGT_RTL_OWN, TGT_RTL_INHERITED } tgt_rtl_cause;
void tgt_rtl_event_done(struct tgt_event *e, solo_status status, tgt_rtl_cause cause,
                        tgt_rtl_todo *todo);

/* An ISSUED event that keeps e from being DONE, with a reference; NULL: the host, or a thread at
 * work, keeps it. */
struct tgt_event *tgt_rtl_blocker(struct tgt_event *e);

/* First failure among what the event waited for, else OK; *out_all: nonzero when all are DONE. */
solo_status tgt_rtl_inherited(struct tgt_event *e, int *out_all);

/* The oldest failure that was not reported, with the thread's record; OK: none. */
solo_status tgt_rtl_next_failure(void) SOLO_MUST_CHECK;

#endif
