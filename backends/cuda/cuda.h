/* What the files of the CUDA backend share: the handles' insides, contexts, errors.
 *
 * Contexts. Each device uses its primary context, the one that CUDA's runtime library uses too, so
 * that pointers can be exchanged with user code. The driver keeps a current context per thread, and
 * user code may keep one of its own there. Rules here:
 *  - Calls that create something (memory, modules, streams) are bracketed by solo_cuda_push_context and
 *    solo_cuda_pop_context, which make our context current: for good on a thread that had none, pushed
 *    and popped where a foreign one is.
 *  - Calls on a stream name our context by their handles: a driver that finds another one current
 *    either does the right thing or refuses. So SOLO_CUDA_DO calls first and looks only when that
 *    failed: the hot path makes no call but the one it is about.
 *
 * Lost devices. A sticky error (a kernel's fault, a hardware error) ends the context. The first
 * report has the words; it sets lost, and everything after returns DEVICE_LOST without a driver
 * call, except what releases.
 *
 * Ownership, threads, errors: runtime/backend.h.
 */
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
  _Atomic int lost; /* the CUresult that ended the device; 0: it lives */
  int driver;       /* cuDriverGetVersion: 12040 is CUDA 12.4 */
  unsigned major, minor;
  uint32_t shared_default; /* dynamic shared bytes that need no cuFuncSetAttribute */
  uint32_t shared_most;    /* static and dynamic bytes per block, when asked for */
  uint64_t max_pitch;
  uint64_t stage_from; /* pageable copies of so many bytes are staged; UINT64_MAX: none */
  uint32_t managed;
  int graphs; /* repeated kernels are launched as graphs (cuda_graph.c) */
  int spins;  /* the driver's waits for the context do (cuda_wait.c) */
  /* A module was loaded whose kernels print or assert: what they print comes out of the driver's
   * buffer only when the host synchronises, which a query does not (cuda_queue.c). */
  _Atomic int prints;
  _Atomic uint64_t peers_tried; /* bit per ordinal: peer access was asked for */
  solo_bkernel *retired;        /* of unloaded modules: their names */
};

struct solo_bkernel {
  solo_bkernel *next;
  CUfunction function;
  uint32_t static_shared, max_threads;
  _Atomic uint32_t shared_allowed; /* dynamic */
  char name[];                     /* for messages */
};

struct solo_bmodule {
  solo_bdevice *device;
  CUmodule module;
  solo_lock lock; /* guards kernels */
  solo_bkernel *kernels;
};

typedef struct solo_cuda_stage solo_cuda_stage;   /* cuda_stage.c */
typedef struct solo_cuda_graphs solo_cuda_graphs; /* cuda_graph.c */

struct solo_bqueue {
  solo_bdevice *device;
  CUstream stream;
  solo_cuda_stage *stage;   /* NULL: not made yet */
  solo_cuda_graphs *graphs; /* NULL: none yet */
  int by_graph;             /* the latest launch was that of a graph */
  CUevent ended;            /* that long waits sleep on; NULL: none yet */
  int unstaged;             /* it cannot be made, or used any more */
  const solo_bkernel *last; /* last launched, for messages; lives until the device closes */
};

struct solo_bevent {
  solo_bdevice *device;
  CUevent event;
};

#define XX(operation) SOLO_BACKEND_DECLARE(cuda, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

extern SOLO_HIDDEN const solo_backend solo_cuda_backend;

/* --- errors (cuda_status.c) ------------------------------------------------------------------- */

/* Records a failure: what (printf) and the driver's name and words for it. device may be NULL;
 * a sticky result marks it lost. Never called with CUDA_SUCCESS. */
solo_status solo_cuda_fail(solo_bdevice *device, CUresult result, const char *what, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

/* UNAVAILABLE, whatever the result: the driver does not even start. */
solo_status solo_cuda_fail_start(CUresult result, const char *what) SOLO_COLD;

/* DEVICE_LOST with the reason. */
solo_status solo_cuda_fail_lost(const solo_bdevice *device) SOLO_COLD;

/* Is the context gone with this result? Every other failure of a wait is one of the wait itself:
 * the work goes on, so waits ask once more before they report it. (A host that takes a region over
 * while its copies back are still under way would see both.) */
int solo_cuda_ends_device(CUresult result) SOLO_COLD;

/* May an image be refused with it because driver and image are of different versions? */
int solo_cuda_is_of_version(CUresult result) SOLO_COLD;

/* Relaxed: a flag by itself; nothing else is read through it. */
SOLO_INLINE int solo_cuda_is_lost(solo_bdevice *device) {
  return SOLO_UNLIKELY(solo_load_relaxed(&device->lost) != 0);
}

/* Does a wait that a query ended have to synchronise, too? Relaxed: the module was loaded before its
 * kernel was launched, by the launching thread or one that it has synchronised with. */
SOLO_INLINE int solo_cuda_prints(solo_bdevice *device) {
  return SOLO_UNLIKELY(solo_load_relaxed(&device->prints) != 0);
}

#define SOLO_CUDA_CHECK_LOST(device)                                                               \
  do {                                                                                             \
    if (solo_cuda_is_lost(device)) return solo_cuda_fail_lost(device);                             \
  } while (0)

/* --- waiting (cuda_wait.c) ---------------------------------------------------------------------- */

typedef struct solo_cuda_asking {
  uint64_t start_ns;
} solo_cuda_asking;

/* After a query that found work not done: waits for a moment. 0: it was asked long enough, sleep. */
int solo_cuda_asks_again(solo_cuda_asking *asking);

/* --- graphs (cuda_graph.c) ---------------------------------------------------------------------- */

/* Nonzero if the driver has all functions of SOLO_CUDA_GRAPH_FUNCTIONS. */
int solo_cuda_graphs_available(void);

/* Launches the kernel as a graph. Returns CUDA_ERROR_NOT_SUPPORTED if nothing was launched and the caller shall launch
 * the kernel directly; another error is that of the launch. */
CUresult solo_cuda_graph_launch(solo_bqueue *queue, const solo_bkernel *kernel,
                                const solo_launch_record *launch);

/* Waits a limited time for the work of a queue whose latest launch was that of a graph. Returns nonzero if the work is
 * done without an error; 0 if the caller has to wait by other means. */
int solo_cuda_graph_await(solo_bqueue *queue);

/* The queue is idle. */
void solo_cuda_graphs_close(solo_bqueue *queue);

/* --- versions (cuda_version.c) ------------------------------------------------------------------ */

/* Can a driver of that version load what the image's makers made? 0: it refuses, and why. */
int solo_cuda_version_fits(int driver, const solo_image *image, char *reason, size_t size);
/* Of a refused image: adds both versions to the error, where the result is about them. */
void solo_cuda_version_note(int driver, const solo_image *image, CUresult result) SOLO_COLD;

/* --- copies (cuda_copy.c, cuda_stage.c) ------------------------------------------------------ */

/* One copy by one driver call, whatever the host memory is. */
extern const char *const solo_cuda_direction_words[]; /* by solo_copy_direction */
solo_status solo_cuda_copy_directly(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                    solo_copy_direction direction);

/* solo_bdevice's stage_from. host_tables: the device reads pageable memory by the host's page
 * tables, and nothing is ever staged. */
uint64_t solo_cuda_stage_threshold(int host_tables);

/* Is the host range pageable, and are there buffers? */
int solo_cuda_stage_wanted(solo_bqueue *queue, uint64_t host, uint64_t bytes) SOLO_COLD;

/* A copy in or out for which stage_wanted said yes. */
solo_status solo_cuda_stage_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) SOLO_COLD;

/* The queue is idle. */
void solo_cuda_stage_close(solo_bqueue *queue);

/* --- contexts (cuda_context.c) ---------------------------------------------------------------- */

/* The context that was current on this thread when last asked; only a hint. */
extern SOLO_HIDDEN _Thread_local CUcontext solo_cuda_current_context;

typedef struct solo_cuda_scope {
  int pop; /* a foreign context is below ours */
} solo_cuda_scope;

CUresult solo_cuda_push_context(solo_bdevice *device, solo_cuda_scope *scope);
void solo_cuda_pop_context(const solo_cuda_scope *scope);

/* Can this result come from the wrong context being current? (One that user code has destroyed is
 * still current where it was; if ours is destroyed, the second try says so, too.) */
SOLO_INLINE int solo_cuda_wrong_context(CUresult result) {
  return result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_INVALID_HANDLE ||
         result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* result = call, made with our context current if need be. call may be evaluated twice: the first
 * time it was refused and did nothing. */
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

/* The same for calls that release a handle, which are made even if our context cannot be made
 * current: the driver finds what they mean by the handle. Their result is of no use: where it is a
 * failure the device is lost or the driver gone, and the object with it. */
#define SOLO_CUDA_RELEASE(device, call)                                                            \
  do {                                                                                             \
    solo_cuda_scope scope_;                                                                        \
    CUresult entered_ = solo_cuda_push_context(device, &scope_);                                   \
    (void)(call);                                                                                  \
    if (entered_ == CUDA_SUCCESS) solo_cuda_pop_context(&scope_);                                  \
  } while (0)

#endif
