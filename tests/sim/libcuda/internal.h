/* Internal interface of the simulated libcuda.so.1.
 *
 * It implements the Driver API reference in the strictest way: a handle is valid only in its own
 * context, asynchronous copies read host memory when they execute, freed memory is overwritten, and
 * a double release is reported. Environment: SIM_CUDA_ARCH (compute capability times ten, default
 * 90), SIM_CUDA_DRIVER (driver version, default 13000), SIM_CUDA_HOST_TABLES=1 (devices use the
 * host's page tables), SIM_CUDA_DEINIT=1 (the driver deinitializes before older exit handlers run). */
#ifndef SIM_CUDA_INTERNAL_H
#define SIM_CUDA_INTERNAL_H

#define SOLO_CUDA_DEFINE
#include "backends/cuda/cuda_api.h"
#include "tests/sim/device/calls.h"
#include "tests/sim/device/sim_device.h"
#include "tests/sim/device/worker.h"

#include <pthread.h>

struct CUctx_st {
  int device;
  int alive;
  int primary;   /* 1: the primary context; 0: created by cuCtxCreate */
  unsigned uses; /* retains of a primary context */
  unsigned flags;
  struct CUctx_st *next_destroyed; /* list of destroyed contexts, so that leak checkers find them */
};

struct CUmod_st {
  CUcontext context;
  sim_module *module;
  struct CUfunc_st *functions;
};

struct CUfunc_st {
  struct CUfunc_st *next;
  CUmodule module;
  uint64_t entry;
  int dynamic_shared;
  char name[];
};

struct CUstream_st {
  CUcontext context;
  sim_worker *worker;
};

/* One record of an event. A wait refers to the record that was the latest when the wait was
 * enqueued. */
typedef struct cuda_sim_point {
  int uses, reached;
} cuda_sim_point;

struct CUevent_st {
  CUcontext context;
  cuda_sim_point *latest; /* NULL: not recorded */
};

/* Protects all objects and tables. Not held while a grid runs. cuda_sim_changed: an event was
 * reached. */
extern pthread_mutex_t cuda_sim_lock;
extern pthread_cond_t cuda_sim_changed;

typedef enum handle_kind {
  HANDLE_CONTEXT,
  HANDLE_MODULE,
  HANDLE_STREAM,
  HANDLE_EVENT,
  HANDLE_GRAPH,
  HANDLE_GRAPH_EXEC
} handle_kind;

/* The table of live handles. remove() reports a violation and returns -1 if the handle is not live. */
void cuda_sim_handle_add(const void *handle, handle_kind kind, const char *word);
int cuda_sim_handle_remove(const void *handle, handle_kind kind, const char *word);
int cuda_sim_handle_ok(const void *handle, handle_kind kind);

/* Begins every entry point: counts the call, injects failures, requires cuInit. */
CUresult cuda_sim_enter(const char *name);
/* Returns an error without a current context or with a failed device. *out is the current context
 * or NULL, also on failure: functions that release objects continue, so that an injected failure
 * causes no leak. */
CUresult cuda_sim_enter_context(const char *name, CUcontext *out);
/* Requires a stream of the current context. */
CUresult cuda_sim_enter_stream(const char *name, CUstream stream, CUcontext *out);

CUresult cuda_sim_launch(CUstream stream, CUcontext context, const CUDA_KERNEL_NODE_PARAMS *p,
                         void **extra);

int cuda_sim_driver(void);

/* The sticky error of a device, or CUDA_SUCCESS. */
CUresult cuda_sim_device_error(int device);
/* Makes all later calls for the device fail. A second error does not replace the first. */
void cuda_sim_device_break(int device, CUresult error);

void cuda_sim_memory_drop(CUcontext context);

#define ENTER()                                                                                    \
  do {                                                                                             \
    CUresult entered_ = cuda_sim_enter(__func__);                                                  \
    if (entered_) return entered_;                                                                 \
  } while (0)
#define ENTER_CONTEXT(out)                                                                         \
  do {                                                                                             \
    CUresult entered_ = cuda_sim_enter_context(__func__, out);                                     \
    if (entered_) return entered_;                                                                 \
  } while (0)
#define ENTER_STREAM(stream, out)                                                                  \
  do {                                                                                             \
    CUresult entered_ = cuda_sim_enter_stream(__func__, stream, out);                              \
    if (entered_) return entered_;                                                                 \
  } while (0)

/* Driver functions that only tests call. */
__attribute__((visibility("default"))) CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags,
                                                               CUdevice device);
__attribute__((visibility("default"))) CUresult cuCtxDestroy_v2(CUcontext context);
__attribute__((visibility("default"))) CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
__attribute__((visibility("default"))) CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src,
                                                                size_t bytes);
__attribute__((visibility("default"))) CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src,
                                                                size_t bytes);

#endif
