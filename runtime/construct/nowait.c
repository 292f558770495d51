/* Lanes, and the constructs in them (construct/nowait.h). */
#define _GNU_SOURCE
#include "runtime/construct/nowait.h"

#include "runtime/base/early.h"
#include "runtime/host_threads.h"
#include "runtime/trace/observer.h"
#include <sched.h>

enum { SPINS = 64, YIELDS = 1000, NAP_NS = 50000, RECENT = 4, PINS_LOOKED_AT = 4 };

typedef struct lane {
  solo_lock lock; /* held by who builds: the queue has one user */
  solo_device *device;
  solo_bqueue *queue; /* guarded by lock */
  /* guarded by the device's later lock */
  solo_later *first, *last; /* published, in order of work */
  uint64_t published, landed;
  uint32_t failed; /* its queue has an error that was told and not yet cleared */
} lane;

typedef enum state { BUILDING, QUEUED, LANDED } state;

struct solo_later {
  solo_construct c;
  solo_scratch_arena arena;
  solo_bevent *event;
  uint32_t opening; /* of the device */
  lane *lane;
  void *after[SOLO_LANES]; /* lanes that it comes behind; for who builds */
  int32_t after_count;
  /* guarded by the device's later lock */
  solo_later *next, *previous; /* in the lane; next: free list */
  state state;
  uint32_t in_lane;
  uint64_t number; /* in the lane */
  /* hull of the ranges that others have taken over while its copies back are under way */
  uintptr_t given_begin, given_end;
  solo_status status;
  uint32_t told;
  solo_kept_error error;
};

typedef struct solo_later_device {
  solo_lock lock;
  _Atomic uint32_t next_lane;
  _Atomic uint32_t givers; /* constructs in lanes with ranges given away; written under lock */
  lane lanes[SOLO_LANES];
  solo_later *free;
} solo_later_device;

SOLO_INLINE solo_later_device *state_of(const solo_device *device) {
  return solo_load_acquire(&device->later); /* pairs with make_state */
}

static solo_status make_state(solo_device *device, solo_later_device **out) {
  solo_later_device *d = state_of(device);
  if (SOLO_UNLIKELY(!d)) {
    solo_device_lock(device);
    d = solo_load_relaxed(&device->later); /* lock held */
    if (!d) {
      d = solo_early_alloc(sizeof *d);
      for (int i = 0; d && i < SOLO_LANES; i++) d->lanes[i].device = device;
      if (d) solo_store_release(&device->later, d); /* pairs with state_of */
    }
    solo_lock_release(&device->lock);
  }
  *out = d;
  return d ? SOLO_OK : solo_fail(SOLO_NOMEM, "no host memory for the device's lanes");
}

/* --- lists; the later lock is held --------------------------------------------------------------
 */

static void append(solo_later *r) {
  lane *l = r->lane;
  r->in_lane = 1;
  r->number = ++l->published;
  r->next = NULL;
  r->previous = l->last;
  if (l->last)
    l->last->next = r;
  else
    l->first = r;
  l->last = r;
}

static void take_first(lane *l) {
  solo_later *r = l->first;
  l->first = r->next;
  if (l->first)
    l->first->previous = NULL;
  else
    l->last = NULL;
  l->landed = r->number;
  r->in_lane = 0;
}

static void give_nothing(solo_later *r) {
  r->given_begin = UINTPTR_MAX;
  r->given_end = 0;
}

static void land(solo_later *r, solo_status status) {
  lane *l = r->lane;
  take_first(l);
  if (SOLO_UNLIKELY(r->given_end)) {
    /* release: its copies back are done; pairs with solo_later_behind_givers */
    solo_sub_release(&state_of(l->device)->givers, 1);
    give_nothing(r);
  }
  r->status = status;
  r->told = 0;
  if (SOLO_UNLIKELY(status != SOLO_OK)) {
    r->told = l->failed;
    solo_error_keep(&r->error);
    r->error.device = l->device->number;
    l->failed = 1;
  }
  solo_construct_land(&r->c);
  r->state = LANDED;
}

/* The constructs whose events are reached land. What is being built is not asked about. */
static void look_at(lane *l) {
  while (l->first && l->first->state == QUEUED) {
    int done = 0;
    solo_status status = SOLO_OP(l->device->backend, event_query)(l->first->event, &done);
    if (status == SOLO_OK && !done) return;
    land(l->first, status);
  }
}

static void look_at_all(solo_later_device *d) {
  for (int i = 0; i < SOLO_LANES; i++) look_at(&d->lanes[i]);
}

/* Asking leaves no trace in the thread's record, unless somebody wants it. */
static void look_quietly(solo_later_device *d, lane *l) {
  solo_kept_error before;
  solo_error_keep(&before);
  if (l)
    look_at(l);
  else
    look_at_all(d);
  (void)solo_error_again(&before);
}

void solo_later_pause(unsigned round) {
  static _Atomic uint32_t never;
  if (round < SPINS)
    solo_cpu_relax();
  else if (round < YIELDS)
    sched_yield();
  else
    solo_futex_wait(&never, 0, NAP_NS); /* a timed sleep */
}

/* --- waiting on the host ------------------------------------------------------------------------
 */

/* Until what was in the lane by now, and is not being built, has landed. */
static void wait_for_lane(solo_later_device *d, lane *l) {
  uint64_t target = 0;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    if (!round && l->last) target = l->last->number - (l->last->state == BUILDING);
    look_quietly(d, l);
    int over = l->landed >= target;
    solo_lock_release(&d->lock);
    if (over) return;
    solo_later_pause(round);
  }
}

void solo_later_drain(solo_device *device) {
  solo_later_device *d = state_of(device);
  for (int i = 0; d && i < SOLO_LANES; i++) wait_for_lane(d, &d->lanes[i]);
}

void solo_later_join(void) {
  void *queues[SOLO_LANES];
  int32_t count = solo_task_queues ? solo_task_queues(queues, SOLO_LANES) : 0;
  for (int32_t i = 0; i < count; i++) {
    lane *l = queues[i];
    wait_for_lane(state_of(l->device), l);
  }
}

/* The lane's lock is held. Errors of constructs that were in it are theirs to tell. */
static solo_status wait_on_queue(lane *l) {
  solo_later_device *d = state_of(l->device);
  solo_status status = solo_is_observed() ? solo_observe_wait(l->device, l->queue, NULL)
                                          : SOLO_OP(l->device->backend, queue_sync)(l->queue);
  solo_kept_error error;
  solo_error_keep(&error);
  solo_lock_acquire(&d->lock);
  while (l->first && l->first->state == QUEUED) {
    int done;
    solo_status own = SOLO_OP(l->device->backend, event_query)(l->first->event, &done);
    land(l->first, own);
  }
  l->failed = 0;
  solo_lock_release(&d->lock);
  (void)solo_error_again(&error);
  if (status != SOLO_OK) solo_error_set_device(l->device->number);
  return status;
}

solo_status solo_later_wait(solo_later *later) {
  return wait_on_queue(later->lane);
}

void solo_later_settle(solo_device *device, solo_mapping *m) {
  solo_later_device *d = state_of(device);
  if (SOLO_LIKELY(!d)) return;
  for (unsigned round = 0;; round++) {
    solo_lock_acquire(&d->lock);
    look_quietly(d, NULL);
    int pending = m->maker || solo_mapping_pins(m);
    int any = 0;
    for (int i = 0; i < SOLO_LANES; i++) any |= d->lanes[i].first != NULL;
    solo_lock_release(&d->lock);
    if (!pending || !any) return; /* what is left is another thread's, which waits for its work */
    solo_later_pause(round);
  }
}

/* --- order --------------------------------------------------------------------------------------
 */

/* c's queue comes behind r; the later lock is held. */
static solo_status come_behind(solo_construct *c, const solo_later *r) {
  if (r->state == LANDED || (c->later && c->later->lane == r->lane)) return SOLO_OK;
  c->enqueued = 1;
  return SOLO_OP(c->device->backend, queue_wait_event)(c->queue, r->event);
}

solo_status solo_later_behind_gate(solo_construct *c, solo_mapping *m) {
  solo_later_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  if (!d) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  if (m->maker && m->maker != c->later) status = come_behind(c, m->maker);
  solo_lock_release(&d->lock);
  return status;
}

static int removes(solo_mapping **list, solo_mapping *m, int by_fresh) {
  while (*list && *list != m) list = by_fresh ? &(*list)->fresh : &(*list)->next;
  if (!*list) return 0;
  *list = by_fresh ? m->fresh : m->next;
  return 1;
}

/* The range is about to leave the table before r's copies back to it are done: whoever maps it
 * anew, c or a third construct that is quicker, must come behind r. */
static void give_away(solo_later *r, const solo_mapping *m) {
  /* relaxed: constant while it has a closer */
  uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
  /* relaxed: published with the removal, by the table's lock */
  if (!r->given_end) solo_add_relaxed(&state_of(r->lane->device)->givers, 1);
  if (begin < r->given_begin) r->given_begin = begin;
  if (end > r->given_end) r->given_end = end;
}

/* r's closing of m is c's from now on: c's work comes behind r's. The later lock is held. */
static solo_status take_over(solo_construct *c, solo_later *r, solo_mapping *m) {
  SOLO_TRY(come_behind(c, r));
  give_away(r, m);
  if (m->maker) removes(&m->maker->c.fresh, m, 1);
  removes(&r->c.closing, m, 0);
  m->maker = m->closer = NULL;
  solo_block *block = solo_mapping_remove(&c->device->mappings, m);
  if (!block) return SOLO_OK;
  /* behind the same work the memory may serve again; back to the pool it goes only after it */
  solo_block **home = c->pocket ? &r->c.blocks : &c->pocket;
  block->next = *home;
  *home = block;
  return SOLO_OK;
}

solo_status solo_later_behind_closing(solo_construct *c, const solo_request *request,
                                      solo_mapping *m, int *out_done) {
  solo_later_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  *out_done = 0;
  if (d) {
    solo_lock_acquire(&d->lock);
    look_quietly(d, NULL);
    solo_later *r = m->closer;
    /* relaxed: constant while it has a closer, which is guarded by the lock */
    uintptr_t begin = solo_load_relaxed(&m->begin), end = solo_load_relaxed(&m->end);
    uintptr_t asked_end = request->begin + request->size;
    int covered = request->begin <= begin && asked_end >= end;
    /* acquire: pairs with open_gate; being filled by its maker it cannot be taken over */
    uint32_t gate = solo_load_acquire(&m->gate);
    covered = covered && (gate == SOLO_GATE_OPEN || gate == SOLO_GATE_QUEUED);
    int landed = r && r->state == LANDED;
    if (landed) {
      (void)solo_construct_end(&r->c); /* its asker finds less to do */
      *out_done = m->closer == NULL;
    } else if (r && covered && r->state == QUEUED && !solo_mapping_pins(m) &&
               (c->device->info.flags & SOLO_DEVICE_COPIES_IN_TURN)) {
      status = take_over(c, r, m);
      *out_done = 1;
    }
    solo_lock_release(&d->lock);
  }
  return status;
}

solo_status solo_later_behind_givers(solo_construct *c, uintptr_t begin, uintptr_t end) {
  solo_later_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  if (!d || !solo_load_acquire(&d->givers)) return SOLO_OK; /* pairs with land */
  solo_lock_acquire(&d->lock);
  for (int i = 0; i < SOLO_LANES; i++)
    for (solo_later *r = d->lanes[i].first; r && status == SOLO_OK; r = r->next)
      if (begin < r->given_end && r->given_begin < end) status = come_behind(c, r);
  solo_lock_release(&d->lock);
  return status;
}

static unsigned pins_of(const solo_later *r, const solo_mapping *m) {
  unsigned count = 0;
  for (const solo_pin *pin = r->c.pins; pin; pin = pin->next) count += pin->mapping == m;
  return count;
}

solo_status solo_later_behind_users(solo_construct *c, solo_mapping *m, int *out_others) {
  solo_later_device *d = state_of(c->device);
  solo_status status = SOLO_OK;
  unsigned known = 0;
  *out_others = solo_mapping_pins(m) != 0;
  if (!d || !*out_others) return SOLO_OK;
  solo_lock_acquire(&d->lock);
  look_quietly(d, NULL);
  for (int i = 0; i < SOLO_LANES; i++)
    for (solo_later *r = d->lanes[i].last; r && status == SOLO_OK; r = r->previous) {
      unsigned pins = r->state == QUEUED ? pins_of(r, m) : 0;
      if (pins) status = come_behind(c, r);
      known += pins;
    }
  *out_others = solo_mapping_pins(m) > known;
  solo_lock_release(&d->lock);
  return status;
}

void solo_later_forget_made(const solo_construct *c, solo_mapping *m) {
  solo_later_device *d = state_of(c->device);
  solo_lock_acquire(&d->lock);
  m->maker = NULL;
  solo_lock_release(&d->lock);
}

void solo_later_drop_pin(solo_construct *c, solo_mapping *m) {
  solo_later_device *d = state_of(c->device);
  solo_lock_acquire(&d->lock);
  solo_later *r = c->later->lane->last;
  for (int looks = 0; r && looks < RECENT; r = r->previous, looks++) {
    solo_pin **at = &r->c.pins;
    if (r == c->later) continue;
    for (int k = 0; *at && k < PINS_LOOKED_AT; at = &(*at)->next, k++) {
      if ((*at)->mapping != m) continue;
      *at = (*at)->next; /* its memory is the construct's own */
      solo_mapping_unpin(m);
      solo_lock_release(&d->lock);
      return;
    }
  }
  solo_lock_release(&d->lock);
}

/* --- life ---------------------------------------------------------------------------------------
 */

static solo_status take_record(solo_later_device *d, solo_device *device, solo_later **out) {
  solo_lock_acquire(&d->lock);
  solo_later *r = d->free;
  if (r) d->free = r->next;
  solo_lock_release(&d->lock);
  if (!r) {
    r = solo_early_alloc(sizeof *r);
    if (!r) return solo_fail(SOLO_NOMEM, "no host memory for an asynchronous construct");
    solo_status status = SOLO_OP(device->backend, event_open)(device->handle, &r->event);
    if (status != SOLO_OK) {
      solo_early_free(r);
      return status;
    }
  }
  r->opening = device->openings;
  r->state = BUILDING;
  r->in_lane = 0;
  give_nothing(r);
  *out = r;
  return SOLO_OK;
}

static void free_record(solo_later_device *d, solo_later *r) {
  solo_scratch_rewind(&r->arena);
  solo_lock_acquire(&d->lock);
  r->next = d->free;
  d->free = r;
  solo_lock_release(&d->lock);
}

solo_status solo_later_publish(solo_later *r) {
  solo_later_device *d = state_of(r->c.device);
  solo_lock_acquire(&d->lock);
  solo_status status = SOLO_OP(r->c.device->backend, event_record)(r->lane->queue, r->event);
  if (status == SOLO_OK) {
    if (!r->in_lane) append(r);
    for (solo_mapping *m = r->c.fresh; m; m = m->fresh) {
      m->maker = r;
      solo_mapping_queue_gate(m);
    }
  }
  solo_lock_release(&d->lock);
  return status;
}

/* What the construct closes needs no gate any more: nobody else has a reference. */
static void open_closed(solo_later *r) {
  for (solo_mapping *m = r->c.closing; m; m = m->next)
    if (removes(&r->c.fresh, m, 1)) {
      m->maker = NULL;
      solo_mapping_open_gate(m);
    }
}

/* Everything is enqueued: the event is the construct's end. */
static solo_status leave(solo_later *r) {
  solo_later_device *d = state_of(r->c.device);
  SOLO_TRY(solo_later_publish(r));
  solo_lock_acquire(&d->lock);
  open_closed(r);
  solo_construct_empty_pocket(&r->c);
  for (solo_mapping *m = r->c.closing; m; m = m->next) m->closer = r;
  r->state = QUEUED;
  solo_lock_release(&d->lock);
  return SOLO_OK;
}

/* It failed while it was built: it ends here, after what it had enqueued. */
static void give_up(solo_later_device *d, solo_later *r) {
  solo_kept_error error;
  solo_error_keep(&error);
  solo_status end = r->lane->queue ? wait_on_queue(r->lane) : SOLO_OK;
  (void)end; /* the first error is the one to report */
  solo_lock_acquire(&d->lock);
  if (r->in_lane) take_first(r->lane); /* what was before it has landed */
  solo_construct_land(&r->c);
  for (unsigned round = 0; !solo_construct_end(&r->c); round++) {
    look_quietly(d, NULL);
    solo_lock_release(&d->lock);
    solo_later_pause(round);
    solo_lock_acquire(&d->lock);
  }
  solo_lock_release(&d->lock);
  solo_construct_give_blocks(&r->c);
  (void)solo_error_again(&error);
}

/* The lane: where the work before it is, or one after the other. */
static lane *choose(solo_later_device *d, const solo_device *device, const solo_later *r) {
  for (int32_t i = 0; i < r->after_count; i++) {
    lane *l = r->after[i];
    if (l->device == device) return l;
  }
  /* relaxed: any lane will do */
  return &d->lanes[solo_add_relaxed(&d->next_lane, 1) % SOLO_LANES];
}

/* The lane's lock is held. */
static solo_status come_behind_lanes(solo_later *r) {
  solo_later_device *d = state_of(r->c.device);
  for (int32_t i = 0; i < r->after_count; i++) {
    lane *l = r->after[i];
    solo_status status = SOLO_OK;
    if (l == r->lane) continue;
    if (l->device != r->c.device) {
      wait_for_lane(state_of(l->device), l);
      continue;
    }
    solo_lock_acquire(&d->lock);
    if (l->last) status = come_behind(&r->c, l->last);
    solo_lock_release(&d->lock);
    SOLO_TRY(status);
  }
  return SOLO_OK;
}

solo_status solo_later_before_reading(solo_construct *c) {
  solo_later *r = c->later;
  if (!r || !r->after_count) return SOLO_OK;
  SOLO_TRY(solo_construct_open_gates(c));
  for (int32_t i = 0; i < r->after_count; i++) {
    lane *l = r->after[i];
    wait_for_lane(state_of(l->device), l);
  }
  r->after_count = 0;
  return SOLO_OK;
}

/* With the lane's lock and the arena. */
static solo_status build(solo_later *r, const solo_later_order *order) {
  solo_device *device = order->device;
  solo_later_device *d = state_of(device);
  lane *l = r->lane;
  if (!l->queue) SOLO_TRY(SOLO_OP(device->backend, queue_open)(device->handle, &l->queue));
  solo_lock_acquire(&d->lock);
  uint32_t failed = l->failed;
  solo_lock_release(&d->lock);
  if (SOLO_UNLIKELY(failed)) {
    solo_status told = wait_on_queue(l);
    (void)told; /* by the construct that failed */
  }
  r->c.queue = l->queue;
  SOLO_TRY(come_behind_lanes(r));
  SOLO_TRY(order->work(&r->c, order->context));
  return r->c.lost;
}

solo_status solo_later_run(const solo_later_order *order, solo_later **out_later) {
  solo_later_device *d;
  solo_later *r = NULL;
  *out_later = NULL;
  SOLO_TRY(make_state(order->device, &d));
  SOLO_TRY(take_record(d, order->device, &r));
  r->after_count = solo_task_queues ? solo_task_queues(r->after, SOLO_LANES) : 0;
  lane *l = r->lane = choose(d, order->device, r);
  solo_lock_acquire(&l->lock);
  solo_scratch_swap(&r->arena);
  solo_construct_open_later(&r->c, order->device, order->where, r);
  solo_status status = build(r, order);
  int waits = r->c.restores != NULL; /* the host's part is what comes after it needs */
  if (status == SOLO_OK) status = leave(r);
  if (SOLO_UNLIKELY(status != SOLO_OK)) give_up(d, r);
  solo_scratch_swap(&r->arena);
  solo_lock_release(&l->lock);
  if (status != SOLO_OK) {
    free_record(d, r);
    return status;
  }
  if (!waits && solo_task_queued_on) solo_task_queued_on(l);
  *out_later = r;
  return SOLO_OK;
}

const char *solo_later_where(const solo_later *later) {
  return later->c.where;
}

int solo_later_query(solo_later *r, solo_status *out_status, int *out_told) {
  solo_later_device *d = state_of(r->c.device);
  /* it ended with its device, or is that of the process that this one was forked from */
  if (SOLO_UNLIKELY(r->opening != r->c.device->openings)) {
    *out_status = SOLO_OK;
    *out_told = 1;
    solo_scratch_free(&r->arena);
    solo_early_free(r);
    return 1;
  }
  solo_lock_acquire(&d->lock);
  if (r->state != LANDED) look_quietly(d, r->lane);
  int over = r->state == LANDED && solo_construct_end(&r->c);
  if (!over && r->state == LANDED) look_quietly(d, NULL); /* others' pins may go */
  solo_lock_release(&d->lock);
  if (!over) return 0;
  *out_status = r->status;
  *out_told = (int)r->told;
  if (r->status != SOLO_OK) (void)solo_error_again(&r->error);
  solo_construct_give_blocks(&r->c);
  free_record(d, r);
  return 1;
}

void solo_later_close(solo_device *device) {
  solo_later_device *d = state_of(device);
  if (!d) return;
  for (int i = 0; i < SOLO_LANES; i++) {
    lane *l = &d->lanes[i];
    if (!l->queue) continue;
    solo_status status = wait_on_queue(l);
    (void)status; /* each construct has its own */
    SOLO_OP(device->backend, queue_close)(device->handle, l->queue);
    l->queue = NULL;
  }
  while (d->free) {
    solo_later *r = d->free;
    d->free = r->next;
    SOLO_OP(device->backend, event_close)(device->handle, r->event);
    solo_scratch_free(&r->arena);
    solo_early_free(r);
  }
  solo_store_release(&device->later, NULL); /* pairs with state_of */
  solo_early_free(d);
}
