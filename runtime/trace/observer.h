/* What the runtime tells observers: constructs, copies, allocations, launches, waits, devices.
 *
 *   REGION .......... one construct: a target region, or data begun, ended, updated
 *     OPEN, LOAD      of the device and of the image, at first use
 *     NEW, DELETE     memory of a mapping, wherever it is from
 *     GROW, SHRINK    what the pool gets from the driver, and gives back
 *     ALLOC, FREE     omp_target_alloc and the like
 *     COPY_IN, KERNEL, COPY_OUT     until the driver's call returns: on an asynchronous device that
 *                     is when the work is enqueued, and on the CPU when it is done
 *     WAIT            until everything that the thread enqueued is done
 *
 * Each is reported once when it begins and once when it is over, by the thread that did it, so events
 * of one thread nest. A device is opened before the region that needs it is reported. There is no event
 * where nothing observes: a bit of solo_info_bits, which those places look at anyway, or one of
 * tgt_state (abi/policy.h) leads to the calls here.
 *
 * Ownership: an event and its strings are borrowed for the call. Threads: any. Units: bytes, ns.
 */
#ifndef SOLO_OBSERVE_H
#define SOLO_OBSERVE_H

#include "runtime/base/status.h"
#include "runtime/trace/info.h"

/* XX(NAME, category): the categories are the names that stock libomptarget's profile has, where it
 * has one. */
#define SOLO_TRACE_MAP(XX)                                                                         \
  XX(REGION, "Runtime: target exe")                                                                \
  XX(DATA_BEGIN, "Runtime: target data begin")                                                     \
  XX(DATA_END, "Runtime: target data end")                                                         \
  XX(DATA_UPDATE, "Runtime: target data update")                                                   \
  XX(KERNEL, "Kernel Target")                                                                      \
  XX(COPY_IN, "HostToDev")                                                                         \
  XX(COPY_OUT, "DevToHost")                                                                        \
  XX(COPY_WITHIN, "DevToDev")                                                                      \
  XX(FILL, "DevFill")                                                                              \
  XX(ALLOC, "DevAlloc")                                                                            \
  XX(FREE, "DevFree")                                                                              \
  XX(GROW, "DevAlloc")                                                                             \
  XX(SHRINK, "DevFree")                                                                            \
  XX(NEW, "")                                                                                      \
  XX(DELETE, "")                                                                                   \
  XX(ASSOCIATE, "Associate")                                                                       \
  XX(DISASSOCIATE, "Disassociate")                                                                 \
  XX(WAIT, "Runtime: synchronize")                                                                 \
  XX(OPEN, "Runtime: device init")                                                                 \
  XX(LOAD, "Runtime: image load")

typedef enum solo_trace_kind {
#define XX(name, category) SOLO_TRACE_##name,
  SOLO_TRACE_MAP(XX)
#undef XX
} solo_trace_kind;

typedef struct solo_trace_event {
  solo_trace_kind kind;
  int device;
  const char *where;         /* source location as the compiler wrote it, or NULL */
  const char *name;          /* the kernel's; NULL: not a kernel */
  uint64_t bytes;            /* moved, allocated, of the image, of a kernel's arguments */
  int peer;                  /* of copies between devices: where from */
  const void *code;          /* constructs: where they return to */
  int nowait;                /* constructs: inside a target task */
  uint64_t to, from;         /* copies; to alone: memory on the device */
  uint32_t teams, threads;   /* of a kernel; 0: as the kernel likes */
  solo_status status;        /* how it ended */
  uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
  uint64_t clock_error_ns;   /* of work in another process: what both may be wrong by */
} solo_trace_event;

typedef struct solo_observer {
  void (*begin)(const solo_trace_event *event); /* may be NULL, and the next */
  void (*called)(const void *code);             /* a function of the API, from there */
  void (*reported)(const solo_trace_event *event);
  void (*finish)(void); /* the process is about to end without a call of exit */
  /* what a device did in another process, which is where, in one of its queues: long after it. May be
   * NULL */
  void (*worked)(const solo_trace_event *event, const char *where, uint32_t queue);
} solo_observer;

/* Asks for the observers: the profile, and a tool (NULL: there is none). The first call decides; 0:
 * this one is made by the tool while it starts, and decides nothing. *out_any: somebody observes. */
typedef const solo_observer *solo_observer_start(void); /* NULL: nobody */
int solo_observe_start(solo_observer_start *profile, solo_observer_start *tool,
                       int *out_any) SOLO_COLD;

/* Work of a device that was not reported when it happened, and the function that reports such work before the profile
 * is written (NULL: none). */
void solo_observe_work(const solo_trace_event *event, const char *where, uint32_t queue) SOLO_COLD;
void solo_observe_collect_by(void (*collect)(void)) SOLO_COLD;
void solo_observe_collect(void) SOLO_COLD;

/* The process is about to end without a call of exit. */
void solo_observe_finish(void) SOLO_COLD;

SOLO_INLINE int solo_is_observed(void) {
  return SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_OBSERVED); /* orders nothing */
}

/* Around what is reported: begin takes the time, end reports and returns status. */
void solo_observe_begin(solo_trace_event *event) SOLO_COLD;
solo_status solo_observe_end(solo_trace_event *event, solo_status status) SOLO_COLD;

/* The same where somebody observes, and nothing where nobody does: then begin_ns stays 0, as the
 * caller has set it. */
SOLO_INLINE void solo_observe_begin_any(solo_trace_event *event) {
  if (SOLO_UNLIKELY(solo_is_observed())) solo_observe_begin(event);
}
SOLO_INLINE solo_status solo_observe_end_any(solo_trace_event *event, solo_status status) {
  return SOLO_UNLIKELY(event->begin_ns != 0) ? solo_observe_end(event, status) : status;
}

/* A function of the API was called, from code. */
void solo_observe_called(const void *code) SOLO_COLD;

/* Something that takes no time. */
void solo_observe_moment(solo_trace_event *event) SOLO_COLD;

#endif
