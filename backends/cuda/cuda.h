/* Internal interface of the CUDA backend (docs/design/gpu-queues.md). Each device uses its primary
 * context, which user code shares. Calls that create objects are enclosed by
 * solo_cuda_push_context() and solo_cuda_pop_context(); calls on a stream use SOLO_CUDA_DO.
 * Ownership, threads, errors: runtime/backend.h. */
#ifndef SOLO_CUDA_H
#define SOLO_CUDA_H

#include "backends/cuda/cuda_api.h"
#include "runtime/backend.h"
#include "runtime/backend_operations.h"
#include "runtime/base/atomic.h"
#include "runtime/base/lock.h"

struct solo_bdevice {
  CUcontext context;
  CUdevice handle;
  int ordinal, number;
  _Atomic int lost; /* the CUresult that ended the device; 0: usable */
  int driver;       /* 12040: CUDA 12.4 */
  unsigned major, minor;
  /* maximum dynamic shared memory of a kernel without cuFuncSetAttribute() */
  uint32_t shared_default;
  uint32_t shared_most; /* maximum static plus dynamic shared memory */
  uint64_t max_pitch;
  uint64_t stage_from; /* copies of at least this size are staged */
  uint32_t managed;
  int graphs; /* nonzero: SOLO_CUDA_GRAPHS is set (cuda_graph.c) */
  /* number of queues with a launch after the last queue_sync or event_record; only with graphs */
  _Atomic int busy_queues;
  int spins;
  /* 1: kernels print or assert; only a synchronising call flushes their output, not a query */
  _Atomic int prints;
  _Atomic uint64_t peers_tried; /* one bit per ordinal: peer access was requested */
  solo_bkernel *retired;        /* kernels of unloaded modules */
};

struct solo_bkernel {
  solo_bkernel *next;
  CUfunction function;
  uint32_t static_shared, max_threads;
  _Atomic uint32_t shared_allowed;
  char name[];
};

struct solo_bmodule {
  solo_bdevice *device;
  CUmodule module;
  solo_lock lock; /* guards kernels */
  solo_bkernel *kernels;
};

typedef struct solo_cuda_stage solo_cuda_stage;
typedef struct solo_cuda_graphs solo_cuda_graphs;

struct solo_bqueue {
  solo_bdevice *device;
  CUstream stream;
  solo_cuda_stage *stage;
  solo_cuda_graphs *graphs; /* NULL: kernels are launched without graphs */
  int by_graph;             /* 1: a graph was launched; no wait or copy to the host followed */
  int is_synced;  /* 1: queue_sync followed the last event_record, so the caller waits each time */
  int is_counted; /* 1: included in the device's busy_queues */
  CUevent ended;
  int unstaged; /* 1: staging has failed; copies are direct */
  const solo_bkernel *last;
};

struct solo_bevent {
  solo_bdevice *device;
  CUevent event;
};

#define XX(operation) SOLO_BACKEND_DECLARE(cuda, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

extern SOLO_HIDDEN const solo_backend solo_cuda_backend;

/* Records a failure with the driver's description. Returns the solo_status for result. A result
 * that ends the context marks the device as lost. device may be NULL. */
solo_status solo_cuda_fail(solo_bdevice *device, CUresult result, const char *what, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

solo_status solo_cuda_fail_start(CUresult result, const char *what) SOLO_COLD;

solo_status solo_cuda_fail_lost(const solo_bdevice *device) SOLO_COLD;

/* Returns whether the result ends the context. If a wait fails with another result, the device's work
 * continues, so the caller repeats the wait once. Otherwise the host would execute the region while
 * the device still copies results. */
int solo_cuda_ends_device(CUresult result) SOLO_COLD;

/* Returns whether incompatible versions of driver and image can cause this result. */
int solo_cuda_is_version_mismatch(CUresult result) SOLO_COLD;

/* relaxed: the flag publishes no data */
SOLO_INLINE int solo_cuda_is_lost(solo_bdevice *device) {
  return SOLO_UNLIKELY(solo_load_relaxed(&device->lost) != 0);
}

/* Returns whether a wait must synchronise after a successful query, to flush printed output.
 * relaxed: solo_cuda_module_load() sets the flag before a thread can launch the module's kernels. */
SOLO_INLINE int solo_cuda_prints(solo_bdevice *device) {
  return SOLO_UNLIKELY(solo_load_relaxed(&device->prints) != 0);
}

#define SOLO_CUDA_CHECK_LOST(device)                                                               \
  do {                                                                                             \
    if (solo_cuda_is_lost(device)) return solo_cuda_fail_lost(device);                             \
  } while (0)

typedef struct solo_cuda_polling {
  uint64_t start_ns;
} solo_cuda_polling;

/* Pauses before the next query. Returns 0 if the caller must sleep instead. */
int solo_cuda_poll_delay(solo_cuda_polling *polling);

int solo_cuda_graphs_available(void);

/* Returns NULL if there is no memory; then the queue launches kernels without graphs. */
solo_cuda_graphs *solo_cuda_graphs_open(void);

/* Counts the queue as busy. Returns whether the caller waits for each region and few queues are
 * busy, so that a graph is faster than a direct launch. */
int solo_cuda_graph_is_useful(solo_bqueue *queue);
SOLO_INLINE void solo_cuda_graph_region_ended(solo_bqueue *queue) {
  if (!queue->is_counted) return;
  queue->is_counted = 0;
  solo_sub_relaxed(&queue->device->busy_queues, 1); /* relaxed: the count is a hint */
}

/* Launches the kernel as a graph. CUDA_ERROR_NOT_SUPPORTED: nothing was launched; the caller
 * launches the kernel directly. */
CUresult solo_cuda_graph_launch(solo_bqueue *queue, const solo_bkernel *kernel,
                                const solo_launch_record *launch);

/* Waits at most 100 us for the queue's work after the launch of a graph. Returns nonzero if the
 * work has ended without an error; 0: the caller must wait in another way. */
int solo_cuda_graph_await(solo_bqueue *queue);

/* Frees the graphs of an idle queue. */
void solo_cuda_graphs_close(solo_bqueue *queue);

/* Returns whether the driver can load the image; otherwise writes the reason. */
int solo_cuda_version_fits(int driver, const solo_image *image, char *reason, size_t size);
void solo_cuda_version_note(int driver, const solo_image *image, CUresult result) SOLO_COLD;

extern const char *const solo_cuda_direction_names[];
solo_status solo_cuda_copy_directly(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                    solo_copy_direction direction);

/* Returns the minimum size of a staged copy. If host_tables is nonzero, the device uses the host's
 * page tables, so nothing is staged. */
uint64_t solo_cuda_stage_threshold(int host_tables);

int solo_cuda_stage_wanted(solo_bqueue *queue, uint64_t host, uint64_t bytes) SOLO_COLD;

/* Requires that solo_cuda_stage_wanted() returned nonzero. */
solo_status solo_cuda_stage_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) SOLO_COLD;

/* Frees the staging buffers of an idle queue. */
void solo_cuda_stage_close(solo_bqueue *queue);

/* the thread's current context at the last check */
extern SOLO_HIDDEN _Thread_local CUcontext solo_cuda_current_context;

typedef struct solo_cuda_scope {
  int pop; /* nonzero: the current context was user code's and must be restored */
} solo_cuda_scope;

CUresult solo_cuda_push_context(solo_bdevice *device, solo_cuda_scope *scope);
void solo_cuda_pop_context(const solo_cuda_scope *scope);

/* Returns whether a wrong or destroyed current context can cause this result. */
SOLO_INLINE int solo_cuda_wrong_context(CUresult result) {
  return result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE ||
         result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* result = call. A call that fails because of a wrong current context has had no effect, so the macro
 * repeats the call in the device's context. */
#define SOLO_CUDA_DO(result, device, call)                                                         \
  do {                                                                                             \
    (result) = SOLO_LIKELY(solo_cuda_current_context == (device)->context)                         \
                   ? (call)                                                                        \
                   : CUDA_ERROR_INVALID_CONTEXT;                                                   \
    if (SOLO_UNLIKELY((result) != CUDA_SUCCESS && solo_cuda_wrong_context(result))) {              \
      solo_cuda_scope scope_;                                                                      \
      (result) = solo_cuda_push_context(device, &scope_);                                          \
      if ((result) == CUDA_SUCCESS) {                                                              \
        (result) = (call);                                                                         \
        solo_cuda_pop_context(&scope_);                                                            \
      }                                                                                            \
    }                                                                                              \
  } while (0)

/* Releases a handle, even if the context cannot be set. Ignores errors: the device may be lost, or
 * the driver may have ended. */
#define SOLO_CUDA_RELEASE(device, call)                                                            \
  do {                                                                                             \
    solo_cuda_scope scope_;                                                                        \
    CUresult entered_ = solo_cuda_push_context(device, &scope_);                                   \
    (void)(call);                                                                                  \
    if (entered_ == CUDA_SUCCESS) solo_cuda_pop_context(&scope_);                                  \
  } while (0)

#endif
