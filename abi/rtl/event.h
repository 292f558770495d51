/* Events of the target RTL interface and their dependence graph. tgt_rtl_graph guards the graph;
 * driver calls and callbacks run without this lock. A stream's lock is locked before tgt_rtl_graph.
 * Functions collect actions in a tgt_rtl_todo; the caller executes them without locks, by
 * tgt_rtl_run_todo(). The program, the graph (until DONE), each edge and each callback hold
 * references to an event. */
#ifndef SOLO_ABI_TGT_RTL_EVENT_H
#define SOLO_ABI_TGT_RTL_EVENT_H

#include "abi/rtl/load.h"
#include "runtime/base/lock.h"
#include "runtime/device/queue_pool.h"

enum { TGT_RTL_STREAMS = 4 };

typedef enum tgt_rtl_state { TGT_RTL_HELD, TGT_RTL_ISSUED, TGT_RTL_DONE } tgt_rtl_state;

typedef enum tgt_rtl_kind {
  TGT_RTL_MERGE,
  TGT_RTL_COPY,
  TGT_RTL_LAUNCH,
  TGT_RTL_BLOCK,
  TGT_RTL_HOST,
} tgt_rtl_kind;

typedef struct tgt_rtl_stream {
  solo_lock lock; /* guards the following members */
  solo_queue_lease *lease;
  struct tgt_event *first, **last;
} tgt_rtl_stream;

typedef struct tgt_rtl_edge {
  struct tgt_event *from, *event;
  /* state that `from` must reach; ISSUED: the device then orders the two events */
  tgt_rtl_state need;
  struct tgt_rtl_edge *next_waiter;
} tgt_rtl_edge;

typedef struct tgt_rtl_work {
  solo_device *device;
  tgt_rtl_kind kind;
  uint64_t to, from, bytes;
  solo_copy_direction direction;
  const solo_kernel *kernel;
  solo_launch_request shape;
  uint64_t *arguments; /* owned; for TGT_RTL_LAUNCH, element 0 is the launch environment */
  int32_t count;
} tgt_rtl_work;

struct tgt_event {
  _Atomic uint32_t references;
  _Atomic uint32_t state;
  solo_status status;
  tgt_rtl_work work;
  uint32_t opening; /* the device's `openings` when bevent was opened */
  solo_bevent *bevent;
  tgt_rtl_stream *stream;
  /* number of predecessors that have not reached edge->need, plus 1 during tgt_rtl_event_add */
  uint32_t unmet;
  tgt_rtl_edge *waiters;
  struct tgt_event *syncs; /* events that __tgt_rtl_enforce_dep() inserted after this event */
  struct tgt_event *next;
  struct tgt_event *subject, *next_sync;
  const solo_device *to_device;
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
  /* pairs with the release store in set_state */
  return (tgt_rtl_state)solo_load_acquire(&e->state);
}

/* Returns a HELD event with one reference, which belongs to the graph. NULL: no memory. */
struct tgt_event *tgt_rtl_event_new(const tgt_rtl_work *work, int32_t edges);

/* Returns whether a host thread executes the work, after all predecessors are DONE. */
int tgt_rtl_needs_host(const tgt_rtl_work *w);

long tgt_rtl_event_count(void);

/* Adds the edges of the event. If it need not wait for a predecessor, adds it to the ready list of `todo`. */
void tgt_rtl_event_add(struct tgt_event *e, tgt_event_t *from, int32_t count, tgt_rtl_todo *todo);

/* Set the state of an event. If status is SOLO_OK, the event receives the status of its predecessors. tgt_rtl_next_failure()
 * returns only failures with cause TGT_RTL_OWN, so each failure is reported once. */
void tgt_rtl_event_issued(struct tgt_event *e, tgt_rtl_todo *todo);
typedef enum tgt_rtl_cause { TGT_RTL_OWN, TGT_RTL_INHERITED } tgt_rtl_cause;
void tgt_rtl_event_done(struct tgt_event *e, solo_status status, tgt_rtl_cause cause,
                        tgt_rtl_todo *todo);

/* Returns an ISSUED event for which e waits directly or indirectly, with a reference; NULL: e waits
 * for the host. */
struct tgt_event *tgt_rtl_blocker(struct tgt_event *e);

/* Returns the first failure of e's predecessors, or SOLO_OK. *out_all: nonzero if all predecessors are DONE. */
solo_status tgt_rtl_inherited(struct tgt_event *e, int *out_all);

/* Removes the oldest stored failure and makes it the thread's last error. SOLO_OK: there is none. */
solo_status tgt_rtl_next_failure(void) SOLO_MUST_CHECK;

#endif
