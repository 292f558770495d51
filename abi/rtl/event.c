#include "abi/rtl/event.h"

#include "runtime/device/devices.h"

#include <stdlib.h>

typedef struct failure {
  struct failure *next;
  solo_saved_error error;
} failure;

solo_lock tgt_rtl_graph = SOLO_LOCK_INIT(SOLO_RANK_RTL_EVENTS);
/* failures that __tgt_rtl_process_dep() has not yet returned */
static failure *failures, **failures_last = &failures;
static _Atomic long alive;

long tgt_rtl_event_count(void) {
  return solo_load_relaxed(&alive); /* relaxed: a counter */
}

struct tgt_event *tgt_rtl_event_new(const tgt_rtl_work *work, int32_t edges) {
  struct tgt_event *e = calloc(1, sizeof *e + (size_t)edges * sizeof *e->edges);
  if (!e) {
    (void)solo_fail(SOLO_NOMEM, "no host memory for an event with %d dependences", edges);
    return NULL;
  }
  e->work = *work;
  e->unmet = 1;
  solo_store_relaxed(&e->references, 1); /* relaxed: not shared yet */
  solo_add_relaxed(&alive, 1);
  return e;
}

SOLO_EXPORT void __tgt_rtl_event_retain(tgt_event_t event) {
  if (event) solo_add_relaxed(&event->references, 1); /* relaxed: the caller holds a reference */
}

SOLO_EXPORT void __tgt_rtl_event_release(tgt_event_t event) {
  /* Invariant: the last holder frees the event after all accesses of other holders.
   * Ordering:  this acq_rel subtraction pairs with itself.
   * Otherwise: an event in use could be freed.
   */
  if (!event || solo_sub_acq_rel(&event->references, 1) != 1) return;
  solo_device *device = event->work.device;
  if (event->bevent && device->handle && event->opening == device->openings)
    SOLO_OP(device->backend, event_close)(device->handle, event->bevent);
  __tgt_rtl_event_release(event->subject);
  free(event->work.arguments);
  free(event);
  solo_sub_relaxed(&alive, 1);
}

static void set_state(struct tgt_event *e, tgt_rtl_state state) {
  solo_store_release(&e->state, state); /* pairs with the acquire load in tgt_rtl_state_of */
}

static void count_down(struct tgt_event *e, tgt_rtl_todo *todo) {
  if (--e->unmet == 0) tgt_rtl_push(&todo->ready_last, e);
}

/* Decrements `unmet` of the events that wait until e reaches `state`. The graph is locked. */
static void wake(struct tgt_event *e, tgt_rtl_state state, tgt_rtl_todo *todo) {
  tgt_rtl_edge **link = &e->waiters;
  while (*link) {
    tgt_rtl_edge *edge = *link;
    if (edge->need <= state) {
      *link = edge->next_waiter;
      count_down(edge->event, todo);
    } else {
      link = &edge->next_waiter;
    }
  }
}

/* Returns the event for which successors of `from` on `device` wait: the sync event that __tgt_rtl_enforce_dep() inserted,
 * or else `from`. */
static struct tgt_event *stand_in(struct tgt_event *from, const solo_device *device) {
  for (struct tgt_event *s = from->syncs; s; s = s->next_sync)
    if (s->to_device == device) return s;
  return from;
}

int tgt_rtl_needs_host(const tgt_rtl_work *w) {
  return !w->device || solo_device_is_synchronous(w->device) ||
         (w->kind == TGT_RTL_LAUNCH && w->kernel->reduction_length);
}

void tgt_rtl_event_add(struct tgt_event *e, tgt_event_t *from, int32_t count, tgt_rtl_todo *todo) {
  int host = tgt_rtl_needs_host(&e->work);
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
  count_down(e, todo);
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
  if (!f) return NULL;
  f->next = NULL;
  solo_error_save(&f->error);
  if (f->error.status != status)
    f->error =
        (solo_saved_error){.status = status, .device = -1, .text = "work failed on the device"};
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
  for (struct tgt_event *s = e->syncs; s; s = s->next_sync) tgt_rtl_push(&todo->syncs_last, s);
  solo_lock_release(&tgt_rtl_graph);
  for (int32_t i = 0; i < e->edge_count; i++) __tgt_rtl_event_release(e->edges[i].from);
  e->edge_count = 0;
  __tgt_rtl_event_release(e);
}

SOLO_EXPORT int32_t __tgt_rtl_event_status(tgt_event_t event) {
  if (!event) return SOLO_OK;
  return tgt_rtl_state_of(event) == TGT_RTL_DONE ? (int32_t)event->status : -1;
}

solo_status tgt_rtl_next_failure(void) {
  solo_lock_acquire(&tgt_rtl_graph);
  failure *f = failures;
  if (f) failures = f->next;
  if (!failures) failures_last = &failures;
  solo_lock_release(&tgt_rtl_graph);
  if (!f) return SOLO_OK;
  solo_status status = solo_error_restore(&f->error);
  free(f);
  return status;
}
