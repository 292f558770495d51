#include "runtime/trace/observer.h"

#include "runtime/base/lock.h"
#include <errno.h>

static solo_lock start_lock =
    SOLO_LOCK_INIT(SOLO_RANK_OBSERVER); /* guards `started` and the start of the observers */
static int started;
static _Atomic uintptr_t starter;

enum { PROFILE, TOOL, OBSERVERS };
static _Atomic(const solo_observer *) observers[OBSERVERS];

int solo_observe_start(solo_observer_start *profile, solo_observer_start *tool, int *out_any) {
  uintptr_t self = (uintptr_t)&errno; /* the address of errno is unique per thread */
  /* relaxed: equal only if this thread stored it */
  if (solo_load_relaxed(&starter) == self) return *out_any = 0;
  solo_lock_acquire(&start_lock);
  solo_store_relaxed(&starter, self); /* relaxed: only compared */
  if (!started) {
    /* Invariant: a published observer is initialised.
     * Ordering:  pairs with the acquire loads in solo_observe_begin() and solo_observe_end().
     * Otherwise: a thread could call through an incomplete table.
     */
    solo_store_release(&observers[PROFILE], profile());
    solo_store_release(&observers[TOOL], tool());
  }
  started = 1;
  solo_store_relaxed(&starter, 0);
  *out_any = 0;
  for (int i = 0; i < OBSERVERS; i++)
    *out_any |= solo_load_relaxed(&observers[i]) != NULL; /* relaxed: lock held */
  solo_lock_release(&start_lock);
  return 1;
}

void solo_observe_finish(void) {
  for (int i = 0; i < OBSERVERS; i++) {
    const solo_observer *o = solo_load_acquire(&observers[i]); /* pairs with solo_observe_start */
    if (o) o->finish();
  }
}

static _Atomic(void (*)(void)) collector;

void solo_observe_work(const solo_trace_event *event, const char *where, uint32_t queue) {
  const solo_observer *o =
      solo_load_acquire(&observers[PROFILE]); /* pairs with solo_observe_start */
  if (o && o->worked) o->worked(event, where, queue);
}

void solo_observe_set_collector(void (*collect)(void)) {
  solo_store_relaxed(&collector, collect); /* relaxed: always the same function */
}

void solo_observe_collect(void) {
  void (*collect)(void) = solo_load_relaxed(&collector); /* relaxed: always the same function */
  if (collect) collect();
}

void solo_observe_called(const void *code) {
  const solo_observer *o = solo_load_acquire(&observers[TOOL]); /* pairs with solo_observe_start */
  if (o) o->called(code);
}

void solo_observe_begin(solo_trace_event *event) {
  const solo_observer *o = solo_load_acquire(&observers[TOOL]); /* pairs with solo_observe_start */
  if (o) o->begin(event);
  event->begin_ns = solo_now_ns();
}

solo_status solo_observe_end(solo_trace_event *event, solo_status status) {
  event->end_ns = solo_now_ns();
  event->status = status;
  for (int i = 0; i < OBSERVERS; i++) {
    const solo_observer *o = solo_load_acquire(&observers[i]); /* pairs with solo_observe_start */
    if (o) o->reported(event);
  }
  return status;
}

void solo_observe_moment(solo_trace_event *event) {
  solo_observe_begin(event);
  (void)solo_observe_end(event, SOLO_OK);
}
