/* The graph of events (rtl/event.h). */
#include "abi/rtl/event.h"

#include "runtime/device/devices.h"

#include <stdlib.h>

typedef struct failure {
  struct failure *next;
  solo_kept_error error;
} failure;

solo_lock tgt_rtl_graph = SOLO_LOCK_INIT(SOLO_RANK_RTL_EVENTS);
static failure *failures, **failures_last = &failures; /* graph: not told yet */
static _Atomic long alive;
static _Atomic(tgt_callback_fct) callback;

long tgt_rtl_event_count(void) {
  return solo_load_relaxed(&alive); /* a counter, read when nobody changes it */
}

struct tgt_event *tgt_rtl_event_new(const tgt_rtl_work *work, int32_t edges) {
  struct tgt_event *e = calloc(1, sizeof *e + (size_t)edges * sizeof *e->edges);
  if (!e) {
    (void)solo_fail(SOLO_NOMEM, "no host memory for an event with %d dependences", edges);
    return NULL;
  }
  e->work = *work;
  e->unmet = 1;
  solo_store_relaxed(&e->references, 1); /* not shared yet */
  solo_add_relaxed(&alive, 1);           /* a counter */
  return e;
}

SOLO_EXPORT void __tgt_rtl_event_retain(tgt_event_t event) {
  if (event) solo_add_relaxed(&event->references, 1); /* the caller has one: it cannot end now */
}

SOLO_EXPORT void __tgt_rtl_event_release(tgt_event_t event) {
  /* pairs with itself on other threads: all they did comes before free */
  if (!event || solo_sub_acq_rel(&event->references, 1) != 1) return;
  solo_device *device = event->work.device;
  if (event->bevent && device->handle && event->opening == device->openings)
    SOLO_OP(device->backend, event_close)(device->handle, event->bevent);
  __tgt_rtl_event_release(event->subject);
  free(event->work.arguments);
  free(event);
  solo_sub_relaxed(&alive, 1); /* a counter */
}

static void push(struct tgt_event ***last, struct tgt_event *e) {
  e->next = NULL;
  **last = e;
  *last = &e->next;
}

static void set_state(struct tgt_event *e, tgt_rtl_state state) {
  solo_store_release(&e->state, state); /* pairs with tgt_rtl_state_of */
}

/* One condition less; with the graph's lock. */
static void met(struct tgt_event *e, tgt_rtl_todo *todo) {
  if (--e->unmet == 0) push(&todo->ready_last, e);
}

/* Lets go who waits for the event's state; with the graph's lock. */
static void wake(struct tgt_event *e, tgt_rtl_state state, tgt_rtl_todo *todo) {
  tgt_rtl_edge **link = &e->waiters;
  while (*link) {
    tgt_rtl_edge *edge = *link;
    if (edge->need <= state) {
      *link = edge->next_waiter;
      met(edge->event, todo);
    } else {
      link = &edge->next_waiter;
    }
  }
}

/* The event to wait for: where the host was asked to be between, its end of the edge. */
static struct tgt_event *stand_in(struct tgt_event *from, const solo_device *device) {
  for (struct tgt_event *s = from->syncs; s; s = s->next_sync)
    if (s->to_device == device) return s;
  return from;
}

/* Does the event's work run on the host, behind the device's back? Then all must be DONE. */
static int needs_host(const tgt_rtl_work *w) {
  return !w->device || solo_device_is_synchronous(w->device) ||
         (w->kind == TGT_RTL_LAUNCH && w->kernel->reduction_length);
}

void tgt_rtl_event_add(struct tgt_event *e, tgt_event_t *from, int32_t count, tgt_rtl_todo *todo) {
  int host = needs_host(&e->work);
  solo_lock_acquire(&tgt_rtl_graph);
  for (int32_t i = 0; i < count; i++) {
    if (!from[i]) continue;
    struct tgt_event *f = stand_in(from[i], e->work.device);
    int same = !host && f->work.device == e->work.device;
    tgt_rtl_edge *edge = &e->edges[e->edge_count++];
    *edge = (tgt_rtl_edge){.from = f, .event = e, .need = same ? TGT_RTL_ISSUED : TGT_RTL_DONE};
    __tgt_rtl_event_retain(f);
    if (tgt_rtl_state_of(f) >= edge->need) continue;
    edge->next_waiter = f->waiters;
    f->waiters = edge;
    e->unmet++;
  }
  met(e, todo);
  solo_lock_release(&tgt_rtl_graph);
}

solo_status tgt_rtl_inherited(struct tgt_event *e, int *out_all) {
  solo_status status = SOLO_OK;
  *out_all = 1;
  for (int32_t i = 0; i < e->edge_count; i++) {
    struct tgt_event *f = e->edges[i].from;
    if (tgt_rtl_state_of(f) != TGT_RTL_DONE)
      *out_all = 0;
    else if (status == SOLO_OK)
      status = f->status;
  }
  return status;
}

struct tgt_event *tgt_rtl_blocker(struct tgt_event *e) {
  struct tgt_event *found = e;
  solo_lock_acquire(&tgt_rtl_graph);
  while (found && tgt_rtl_state_of(found) == TGT_RTL_HELD) {
    struct tgt_event *next = NULL;
    for (int32_t i = 0; i < found->edge_count && !next; i++)
      if (tgt_rtl_state_of(found->edges[i].from) < found->edges[i].need)
        next = found->edges[i].from;
    found = next;
  }
  if (found && tgt_rtl_state_of(found) != TGT_RTL_ISSUED) found = NULL;
  __tgt_rtl_event_retain(found);
  solo_lock_release(&tgt_rtl_graph);
  return found;
}

void tgt_rtl_event_issued(struct tgt_event *e, tgt_rtl_todo *todo) {
  solo_lock_acquire(&tgt_rtl_graph);
  set_state(e, TGT_RTL_ISSUED);
  wake(e, TGT_RTL_ISSUED, todo);
  solo_lock_release(&tgt_rtl_graph);
}

static failure *note_failure(solo_status status) {
  failure *f = malloc(sizeof *f);
  if (!f) return NULL; /* it is still the event's status */
  f->next = NULL;
  solo_error_keep(&f->error);
  if (f->error.status != status)
    f->error =
        (solo_kept_error){.status = status, .device = -1, .text = "work failed on the device"};
  return f;
}

void tgt_rtl_event_done(struct tgt_event *e, solo_status status, tgt_rtl_cause cause,
                        tgt_rtl_todo *todo) {
  int all;
  failure *f = status != SOLO_OK && cause == TGT_RTL_OWN ? note_failure(status) : NULL;
  if (status == SOLO_OK) status = tgt_rtl_inherited(e, &all);
  solo_lock_acquire(&tgt_rtl_graph);
  e->status = status;
  if (f) {
    *failures_last = f;
    failures_last = &f->next;
  }
  set_state(e, TGT_RTL_DONE);
  wake(e, TGT_RTL_DONE, todo);
  for (struct tgt_event *s = e->syncs; s; s = s->next_sync) push(&todo->syncs_last, s);
  solo_lock_release(&tgt_rtl_graph);
  /* nobody waits any more: what the event waited for may go, one after another */
  for (int32_t i = 0; i < e->edge_count; i++) __tgt_rtl_event_release(e->edges[i].from);
  e->edge_count = 0;
  __tgt_rtl_event_release(e); /* the engine's */
}

static struct tgt_event *pop(struct tgt_event **first, struct tgt_event ***last) {
  struct tgt_event *e = *first;
  *first = e->next;
  if (!*first) *last = first;
  e->next = NULL;
  return e;
}

static void move(tgt_rtl_todo *to, tgt_rtl_todo *from) {
  while (from->ready) push(&to->ready_last, pop(&from->ready, &from->ready_last));
  while (from->syncs) push(&to->syncs_last, pop(&from->syncs, &from->syncs_last));
}

/* A call out of a callback leaves its work to the call around it: long chains take no stack. */
void tgt_rtl_do(tgt_rtl_todo *todo) {
  static _Thread_local tgt_rtl_todo *outer;
  if (outer) {
    move(outer, todo);
    return;
  }
  outer = todo;
  while (todo->ready || todo->syncs) {
    while (todo->ready) tgt_rtl_issue(pop(&todo->ready, &todo->ready_last), todo);
    if (!todo->syncs) break;
    struct tgt_event *sync = pop(&todo->syncs, &todo->syncs_last);
    tgt_callback_fct tell = solo_load_acquire(&callback); /* pairs with __tgt_rtl_init_dep */
    struct tgt_event *subject = sync->subject;
    if (tell) {
      __tgt_rtl_event_retain(subject);
      tell(subject, sync, (int32_t)subject->status);
      __tgt_rtl_event_release(subject);
    } else {
      __tgt_rtl_release_dep(sync);
    }
  }
  outer = NULL;
}

SOLO_EXPORT void __tgt_rtl_init_dep(tgt_callback_fct completion_callback) {
  solo_store_release(&callback, completion_callback); /* pairs with tgt_rtl_do */
}

SOLO_EXPORT int32_t __tgt_rtl_host_event(tgt_event_t *event, tgt_sync_event_t *sync) {
  if (!event || !sync)
    return (int32_t)solo_fail(SOLO_INVALID, "__tgt_rtl_host_event: nowhere to put the event");
  struct tgt_event *e = tgt_rtl_event_new(&(tgt_rtl_work){.kind = TGT_RTL_HOST}, 0);
  if (!e) return SOLO_NOMEM;
  __tgt_rtl_event_retain(e);
  *event = *sync = e;
  return SOLO_OK;
}

SOLO_EXPORT void __tgt_rtl_release_dep(tgt_sync_event_t completion_event) {
  struct tgt_event *e = completion_event;
  if (!e) return;
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  if (e->subject) {
    solo_lock_acquire(&tgt_rtl_graph);
    struct tgt_event **link = &e->subject->syncs;
    while (*link && *link != e) link = &(*link)->next_sync;
    if (*link) *link = e->next_sync;
    solo_lock_release(&tgt_rtl_graph);
  }
  tgt_rtl_event_done(e, e->subject ? e->subject->status : SOLO_OK, TGT_RTL_CARRIED, &todo);
  tgt_rtl_do(&todo);
}

SOLO_EXPORT int32_t __tgt_rtl_enforce_dep(int32_t from_device_id, int32_t to_device_id,
                                          tgt_event_t completion_event) {
  int32_t devices = __tgt_rtl_number_of_devices();
  if (!completion_event || from_device_id < 0 || from_device_id > devices || to_device_id < 0 ||
      to_device_id > devices)
    return (int32_t)solo_fail(SOLO_INVALID,
                              "__tgt_rtl_enforce_dep: event %p from device %d to %d (of %d)",
                              (void *)completion_event, from_device_id, to_device_id, devices);
  if (from_device_id == to_device_id || !solo_load_acquire(&callback)) /* pairs with init_dep */
    return SOLO_OK;
  struct tgt_event *s = tgt_rtl_event_new(&(tgt_rtl_work){.kind = TGT_RTL_HOST}, 0);
  if (!s) return SOLO_NOMEM;
  s->subject = completion_event;
  s->to_device = solo_device_at(to_device_id);
  __tgt_rtl_event_retain(completion_event);
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  solo_lock_acquire(&tgt_rtl_graph);
  s->next_sync = completion_event->syncs;
  completion_event->syncs = s;
  if (tgt_rtl_state_of(completion_event) == TGT_RTL_DONE) push(&todo.syncs_last, s);
  solo_lock_release(&tgt_rtl_graph);
  tgt_rtl_do(&todo);
  return SOLO_OK;
}

SOLO_EXPORT int32_t __tgt_rtl_event_status(tgt_event_t event) {
  if (!event) return SOLO_OK;
  return tgt_rtl_state_of(event) == TGT_RTL_DONE ? (int32_t)event->status : -1;
}

SOLO_EXPORT int32_t __tgt_rtl_process_dep(void) {
  tgt_rtl_todo todo = TGT_RTL_NOTHING(todo);
  do {
    int moved = tgt_rtl_poll(&todo);
    tgt_rtl_do(&todo);
    if (!moved) break;
  } while (1);
  solo_lock_acquire(&tgt_rtl_graph);
  failure *f = failures;
  if (f) failures = f->next;
  if (!failures) failures_last = &failures;
  solo_lock_release(&tgt_rtl_graph);
  if (!f) return SOLO_OK;
  solo_status status = solo_error_again(&f->error);
  free(f);
  return (int32_t)status;
}
