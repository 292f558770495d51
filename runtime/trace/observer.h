/* The events that observers receive (docs/design/observers.md). The thread that does the work
 * reports its begin and end, so the events of a thread nest. COPY_* and KERNEL end when the
 * driver's call returns. Memory: GROW and SHRINK of the pool, NEW and DELETE of mappings, ALLOC and
 * FREE of the program. An event is valid during the call. Units: bytes, ns. */
#ifndef SOLO_OBSERVE_H
#define SOLO_OBSERVE_H

#include "runtime/base/status.h"
#include "runtime/trace/info.h"

/* XX(NAME, category). The categories are those of LLVM's profile. */
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
  const char *where;
  const char *name;
  uint64_t bytes;
  int peer;         /* source of a copy between devices; else equal to `device` */
  const void *code; /* return address of the construct's call */
  int nowait;
  uint64_t to, from;
  uint32_t teams, threads; /* of a kernel; 0: the kernel's choice */
  solo_status status;
  uint64_t begin_ns, end_ns;
  uint64_t clock_error_ns; /* maximum error of times that another process measured */
} solo_trace_event;

typedef struct solo_observer {
  void (*begin)(const solo_trace_event *event); /* the profile has NULL here and in `called` */
  void (*called)(const void *code);
  void (*reported)(const solo_trace_event *event);
  void (*finish)(void); /* called when the process ends without exit handlers */
  /* reports completed work of the process named `where`; NULL for the tool */
  void (*worked)(const solo_trace_event *event, const char *where, uint32_t queue);
} solo_observer;

/* The first call starts the observers. *out_any: nonzero if an observer exists. Returns 0 in a
 * recursive call from the tool's initialisation. */
typedef const solo_observer *solo_observer_start(void); /* returns NULL: no observer */
int solo_observe_start(solo_observer_start *profile, solo_observer_start *tool,
                       int *out_any) SOLO_COLD;

/* solo_observe_work() reports completed work of another process. solo_observe_collect() calls
 * `collect`, which reports all unreported work. */
void solo_observe_work(const solo_trace_event *event, const char *where, uint32_t queue) SOLO_COLD;
void solo_observe_set_collector(void (*collect)(void)) SOLO_COLD;
void solo_observe_collect(void) SOLO_COLD;

void solo_observe_finish(void) SOLO_COLD;

SOLO_INLINE int solo_is_observed(void) {
  return SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & SOLO_OBSERVED); /* a setting */
}

void solo_observe_begin(solo_trace_event *event) SOLO_COLD;
solo_status solo_observe_end(solo_trace_event *event, solo_status status) SOLO_COLD;

SOLO_INLINE void solo_observe_begin_any(solo_trace_event *event) {
  if (SOLO_UNLIKELY(solo_is_observed())) solo_observe_begin(event);
}
SOLO_INLINE solo_status solo_observe_end_any(solo_trace_event *event, solo_status status) {
  return SOLO_UNLIKELY(event->begin_ns != 0) ? solo_observe_end(event, status) : status;
}

void solo_observe_called(const void *code) SOLO_COLD;

void solo_observe_moment(solo_trace_event *event) SOLO_COLD;

#endif
