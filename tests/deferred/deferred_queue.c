/* Queues that defer work until a thread waits for it. */
#include "tests/deferred/deferred_device.h"

#include "backends/host/host_call.h"
#include <stdlib.h>
#include <string.h>

/* The lock has no rank, because kernels run while it is held and acquire locks of any rank. */
solo_lock solo_deferred_lock = SOLO_LOCK_INIT(SOLO_RANK_NONE);
solo_deferred_counts solo_deferred_state;
static solo_bqueue *all_queues;

solo_status solo_deferred_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  if (solo_deferred_fails()) return solo_fail(SOLO_INTERNAL, "deferred: made to fail");
  solo_bqueue *queue = calloc(1, sizeof *queue);
  if (!queue) return solo_fail(SOLO_NOMEM, "deferred: queue");
  queue->device = device;
  queue->last = &queue->first;
  solo_lock_acquire(&solo_deferred_lock);
  queue->next = all_queues;
  all_queues = queue;
  solo_deferred_state.queues++;
  solo_lock_release(&solo_deferred_lock);
  *out_queue = queue;
  return SOLO_OK;
}

void solo_deferred_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device;
  solo_lock_acquire(&solo_deferred_lock);
  solo_bqueue **link = &all_queues;
  while (*link != queue) link = &(*link)->next;
  *link = queue->next;
  solo_deferred_state.queues--;
  solo_lock_release(&solo_deferred_lock);
  free(queue);
}

/* Runs the kernel in a separate context, as the CPU device does. */
static void run_kernel(const solo_bqueue *queue, const deferred_work *w) {
  solo_target_frame frame;
  const solo_launch_record launch = {0};
  const solo_target_call call = {.launch = &launch};
  solo_target_context outer = solo_target_current;
  solo_target_current = (solo_target_context){.device = queue->device->number};
  if (&solo_host_threads) solo_host_threads.enter_target(&frame, queue->device->number, &call);
  solo_host_call(w->code, w->arguments, w->bytes / 8);
  if (&solo_host_threads) solo_host_threads.leave_target(&frame);
  solo_target_current = outer;
}

static void drain_until(solo_bqueue *queue, const solo_bevent *event, uint64_t number);

static solo_status tell(solo_status error) {
  return error == SOLO_OK ? SOLO_OK : solo_fail(error, "deferred: work made to fail");
}

/* the failing copy or launch, counted from the next one; 0: none fails */
static _Atomic long works_until_failure;

void solo_deferred_fail_work_at(long n) {
  solo_store_seq_cst(&works_until_failure, n);
}

/* Copies and launches can fail when they are executed. Later work continues. */
static int work_fails(solo_bqueue *queue) {
  long n = solo_load_seq_cst(&works_until_failure);
  if (n <= 0) return 0;
  solo_store_seq_cst(&works_until_failure, n - 1);
  if (n > 1) return 0;
  queue->error = SOLO_KERNEL_FAULT;
  return 1;
}

static void do_work(solo_bqueue *queue, deferred_work *w) {
  if ((w->kind == WORK_COPY || w->kind == WORK_LAUNCH) && work_fails(queue)) return;
  switch (w->kind) {
  case WORK_COPY:
    solo_deferred_expose();
    memcpy((void *)w->to, (const void *)w->from, w->bytes);
    solo_deferred_hide();
    break;
  case WORK_LAUNCH:
    solo_deferred_expose();
    run_kernel(queue, w);
    solo_deferred_hide();
    break;
  case WORK_RECORD:
    w->event->reached = w->number;
    w->event->error = queue->error;
    break;
  case WORK_WAIT:
    drain_until(w->on, w->event, w->number);
    break;
  }
}

static void free_work(deferred_work *w) {
  free(w->arguments);
  free(w);
}

/* A lost device discards its work. */
static void drop(solo_bqueue *queue) {
  while (queue->first) {
    deferred_work *w = queue->first;
    queue->first = w->next;
    if (w->kind == WORK_RECORD) w->event->reached = w->number;
    free_work(w);
  }
  queue->last = &queue->first;
}

/* Executes work of the queue up to the record `number` of the event (NULL: all work). The caller
 * holds the lock. Executes no later work, because later work may wait for a queue that waits for
 * this queue. */
static void drain_until(solo_bqueue *queue, const solo_bevent *event, uint64_t number) {
  while (event ? event->reached < number : queue->first != NULL) {
    deferred_work *w = queue->first;
    queue->first = w->next;
    if (!queue->first) queue->last = &queue->first;
    do_work(queue, w);
    free_work(w);
  }
}

/* Connects work with its event. A record gets the next number, and a wait refers to the latest
 * record. The caller holds the lock. */
static void tie(solo_bqueue *queue, deferred_work *w) {
  solo_bevent *event = w->event;
  if (w->kind == WORK_RECORD) {
    event->recorded++;
    event->error = SOLO_OK;
    event->queue = queue;
  }
  w->number = event->recorded;
  w->on = event->queue;
}

static solo_status enqueue(solo_bqueue *queue, const deferred_work *what) {
  deferred_work *w = malloc(sizeof *w);
  if (!w) return solo_fail(SOLO_NOMEM, "deferred: work");
  *w = *what;
  w->next = NULL;
  solo_lock_acquire(&solo_deferred_lock);
  solo_deferred_state.copies += what->kind == WORK_COPY;
  solo_deferred_state.launches += what->kind == WORK_LAUNCH;
  if (w->event) tie(queue, w);
  *queue->last = w;
  queue->last = &w->next;
  solo_lock_release(&solo_deferred_lock);
  return SOLO_OK;
}

solo_status solo_deferred_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                     solo_copy_direction direction) {
  (void)direction;
  if (solo_deferred_fails()) return solo_fail(SOLO_IO, "deferred: copy made to fail");
  return enqueue(queue,
                 &(deferred_work){.kind = WORK_COPY, .to = dst, .from = src, .bytes = bytes});
}

solo_status solo_deferred_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                       const solo_launch_record *launch) {
  if (solo_deferred_fails()) return solo_fail(SOLO_KERNEL_FAULT, "deferred: launch made to fail");
  uint64_t *arguments = malloc(launch->argument_bytes + 8);
  if (!arguments) return solo_fail(SOLO_NOMEM, "deferred: arguments");
  memcpy(arguments, launch->arguments, launch->argument_bytes);
  return enqueue(queue, &(deferred_work){.kind = WORK_LAUNCH,
                                         .code = kernel,
                                         .bytes = launch->argument_bytes,
                                         .arguments = arguments});
}

solo_status solo_deferred_queue_sync(solo_bqueue *queue) {
  int fails = solo_deferred_fails();
  solo_lock_acquire(&solo_deferred_lock);
  solo_deferred_state.syncs++;
  if (fails)
    drop(queue);
  else
    drain_until(queue, NULL, 0);
  solo_status error = queue->error;
  queue->error = SOLO_OK;
  solo_lock_release(&solo_deferred_lock);
  if (fails) return solo_fail(SOLO_KERNEL_FAULT, "deferred: sync made to fail");
  return tell(error);
}

solo_status solo_deferred_event_open(solo_bdevice *device, solo_bevent **out_event) {
  (void)device;
  *out_event = calloc(1, sizeof **out_event);
  return *out_event ? SOLO_OK : solo_fail(SOLO_NOMEM, "deferred: event");
}

/* Removes the queued waits for an event that is about to be freed and was reached. The caller holds
 * the lock. */
static void remove_reached_waits(const solo_bevent *event) {
  for (solo_bqueue *q = all_queues; q; q = q->next) {
    q->last = &q->first;
    for (deferred_work *w = q->first, *next; w; w = next) {
      next = w->next;
      if (w->kind == WORK_WAIT && w->event == event) {
        *q->last = next;
        free_work(w);
      } else {
        q->last = &w->next;
      }
    }
  }
}

void solo_deferred_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  solo_lock_acquire(&solo_deferred_lock);
  drain_until(event->queue, event, event->recorded);
  remove_reached_waits(event);
  solo_lock_release(&solo_deferred_lock);
  free(event);
}

solo_status solo_deferred_event_record(solo_bqueue *queue, solo_bevent *event) {
  return enqueue(queue, &(deferred_work){.kind = WORK_RECORD, .event = event});
}

solo_status solo_deferred_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  return enqueue(queue, &(deferred_work){.kind = WORK_WAIT, .event = event});
}

solo_status solo_deferred_event_query(solo_bevent *event, int *out_done) {
  solo_lock_acquire(&solo_deferred_lock);
  *out_done = event->reached == event->recorded;
  solo_status error = *out_done ? event->error : SOLO_OK;
  /* completes the event, so that the next query returns done */
  drain_until(event->queue, event, event->recorded);
  solo_lock_release(&solo_deferred_lock);
  return tell(error);
}

solo_status solo_deferred_event_wait(solo_bevent *event) {
  solo_lock_acquire(&solo_deferred_lock);
  drain_until(event->queue, event, event->recorded);
  solo_status error = event->error;
  solo_lock_release(&solo_deferred_lock);
  return tell(error);
}
