/* Inside the simulated libcuda.so.1: what its files share.
 *
 * It behaves as the Driver API reference says, on the strict side where the reference leaves room:
 * handles are used under their own context only, asynchronous copies read host memory when they
 * run, freed memory is overwritten, releasing what is not there is reported. Environment, beside
 * that of the device layer: SIM_CUDA_ARCH (compute capability times ten, default 90),
 * SIM_CUDA_DRIVER (what cuDriverGetVersion says, default 13000), SIM_CUDA_HOST_TABLES (1: devices
 * read pageable memory by the host's page tables), SIM_CUDA_DEINIT (1: the driver is gone when the
 * process exits, before the handlers of what was there earlier).
 */
#ifndef SIM_CUDA_INSIDE_H
#define SIM_CUDA_INSIDE_H

#define SOLO_CUDA_DEFINE
#include "backends/cuda/cuda_api.h"
#include "tests/sim/device/calls.h"
#include "tests/sim/device/sim_device.h"
#include "tests/sim/device/worker.h"

#include <pthread.h>

struct CUctx_st {
  int device;
  int alive;     /* retained or created, not destroyed */
  int primary;   /* else made by cuCtxCreate */
  unsigned uses; /* of a primary context */
  unsigned flags;
  struct CUctx_st *next_destroyed; /* kept where leak checks find them */
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
  int dynamic_shared; /* allowed */
  char name[];
};

struct CUstream_st {
  CUcontext context;
  sim_worker *worker;
};

/* One record of an event: waits name the record, which a later one does not disturb. */
typedef struct cuda_sim_point {
  int uses, reached;
} cuda_sim_point;

struct CUevent_st {
  CUcontext context;
  cuda_sim_point *latest; /* NULL: not recorded */
};

/* Guards all objects' fields and tables; never held over a wait for a device, nor while a grid
 * runs. cuda_sim_changed is signalled when an event is reached. */
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

/* The table of live handles. remove: 0, or -1 and a violation when it is none. */
void cuda_sim_handle_add(const void *handle, handle_kind kind, const char *word);
int cuda_sim_handle_remove(const void *handle, handle_kind kind, const char *word);
int cuda_sim_handle_ok(const void *handle, handle_kind kind);

/* The start of every entry point: counts, fails on order, asks for cuInit. */
CUresult cuda_sim_enter(const char *name);
/* Likewise, for calls that need a current context with a living device. *out is the current context
 * (NULL: none) even on failure: calls that release go on then, so that an order to fail makes a
 * failure and not a leak. */
CUresult cuda_sim_enter_context(const char *name, CUcontext *out);
/* Likewise, for calls on a stream (NULL: the context's own). The stream must be the current
 * context's. */
CUresult cuda_sim_enter_stream(const char *name, CUstream stream, CUcontext *out);

/* stream.c: adds a launch to a stream of the context; checks the parameters. */
CUresult cuda_sim_launch(CUstream stream, CUcontext context, const CUDA_KERNEL_NODE_PARAMS *p,
                         void **extra);

/* What cuDriverGetVersion says. */
int cuda_sim_driver(void);

/* The sticky error of a device; CUDA_SUCCESS while it lives. */
CUresult cuda_sim_device_error(int device);
/* Makes a device fail for good (the first error stays). */
void cuda_sim_device_break(int device, CUresult error);

/* Forgets the memory of a context that ends. */
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

/* Driver functions that only tests call, as user code would. */
__attribute__((visibility("default"))) CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags,
                                                               CUdevice device);
__attribute__((visibility("default"))) CUresult cuCtxDestroy_v2(CUcontext context);
__attribute__((visibility("default"))) CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
__attribute__((visibility("default"))) CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src,
                                                                size_t bytes);
__attribute__((visibility("default"))) CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src,
                                                                size_t bytes);

#endif
