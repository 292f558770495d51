/* From the places of observe.h to who observes. */
#include "runtime/observe.h"

#include "runtime/base/log.h"
#include "runtime/base/settings.h"
#include "runtime/kernel.h"
#include "runtime/profile.h"

static solo_lock start_lock = SOLO_LOCK_INIT; /* guards started */
static int started;
static _Atomic(const solo_observer *) observer;

static const solo_observer *start(void) {
  const solo_settings_table *settings = solo_settings();
  if (!settings->profile) return NULL;
  if (!solo_profile_start) {
    solo_warn("LIBOMPTARGET_PROFILE: this program was linked without the profiler: link it with "
              "solo-cc --profile");
    return NULL;
  }
  const solo_profile_order order = {.path = settings->profile,
                                    .granularity_us = settings->profile_granularity,
                                    .warn = solo_warn,
                                    .status_name = solo_status_name};
  return solo_profile_start(&order);
}

int solo_observe_start(void) {
  solo_lock_acquire(&start_lock);
  /* release: pairs with tell's acquire */
  if (!started) solo_store_release(&observer, start());
  started = 1;
  solo_lock_release(&start_lock);
  return solo_load_relaxed(&observer) != NULL; /* written once */
}

void solo_observe_finish(void) {
  const solo_observer *o = solo_load_acquire(&observer); /* pairs with start */
  if (o) o->finish();
}

void solo_observe_begin(solo_event *event) {
  event->begin_ns = solo_now_ns();
}

void solo_observe_memory(solo_event *event, solo_event_kind kind, const solo_device *device,
                         uint64_t bytes, uint64_t to) {
  *event = (solo_event){.kind = kind, .device = device->number, .bytes = bytes, .to = to};
  solo_observe_begin(event);
}

solo_status solo_observe_end(solo_event *event, solo_status status) {
  const solo_observer *o = solo_load_acquire(&observer); /* pairs with start */
  event->end_ns = solo_now_ns();
  event->status = status;
  if (o) o->told(event);
  return status;
}

void solo_observe_moment(solo_event *event) {
  solo_observe_begin(event);
  (void)solo_observe_end(event, SOLO_OK);
}

solo_status solo_observe_copy(const solo_device *device, solo_bqueue *queue,
                              const solo_copy *copy) {
  solo_event event = {.kind = solo_event_of(copy->direction),
                      .device = device->number,
                      .where = copy->where,
                      .bytes = copy->bytes,
                      .to = copy->to,
                      .from = copy->from};
  solo_observe_begin(&event);
  return solo_observe_end(&event, SOLO_OP(device->backend, queue_copy)(
                                      queue, copy->to, copy->from, copy->bytes, copy->direction));
}

solo_status solo_observe_launch(const solo_device *device, solo_bqueue *queue,
                                const solo_kernel *kernel, const solo_launch_record *record,
                                const char *where) {
  solo_event event = {.kind = SOLO_EVENT_KERNEL,
                      .device = device->number,
                      .where = where,
                      .name = kernel->name,
                      .bytes = record->argument_bytes,
                      .teams = record->teams[0],
                      .threads = record->threads[0]};
  solo_observe_begin(&event);
  return solo_observe_end(&event,
                          SOLO_OP(device->backend, queue_launch)(queue, kernel->handle, record));
}

solo_status solo_observe_wait(const solo_device *device, solo_bqueue *queue, const char *where) {
  solo_event event = {.kind = SOLO_EVENT_WAIT, .device = device->number, .where = where};
  solo_observe_begin(&event);
  return solo_observe_end(&event, SOLO_OP(device->backend, queue_sync)(queue));
}
