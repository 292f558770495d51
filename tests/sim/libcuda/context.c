/* The simulated driver: initialization, devices, contexts, handles, errors. */
#include "tests/sim/libcuda/internal.h"

#include "tests/sim/libcuda/cuda_sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANDLES = 8192, STACK = 16, CREATED = 64 };

pthread_mutex_t cuda_sim_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cuda_sim_changed = PTHREAD_COND_INITIALIZER;

/* cuda_sim_lock protects these */
static int initialised, deinitialised;
static pid_t owner; /* children of this process cannot use the driver */
static struct CUctx_st primary[SIM_MAX_DEVICES];
static CUresult device_error[SIM_MAX_DEVICES];
static struct {
  const void *handle;
  handle_kind kind;
} handles[HANDLES];
static int handle_count;

static _Thread_local CUcontext stack[STACK];
static _Thread_local int depth;

static unsigned number(const char *variable, unsigned standard) {
  const char *text = getenv(variable);
  return text ? (unsigned)atoi(text) : standard;
}

void cuda_sim_handle_add(const void *handle, handle_kind kind, const char *word) {
  pthread_mutex_lock(&cuda_sim_lock);
  handles[handle_count].handle = handle;
  handles[handle_count].kind = kind;
  if (handle_count < HANDLES - 1) handle_count++;
  pthread_mutex_unlock(&cuda_sim_lock);
  sim_live(word, 1);
}

static int find(const void *handle, handle_kind kind) {
  for (int i = 0; i < handle_count; i++)
    if (handles[i].handle == handle && handles[i].kind == kind) return i;
  return -1;
}

int cuda_sim_handle_ok(const void *handle, handle_kind kind) {
  pthread_mutex_lock(&cuda_sim_lock);
  int ok = find(handle, kind) >= 0;
  pthread_mutex_unlock(&cuda_sim_lock);
  return ok;
}

int cuda_sim_handle_remove(const void *handle, handle_kind kind, const char *word) {
  pthread_mutex_lock(&cuda_sim_lock);
  int i = find(handle, kind);
  if (i >= 0) handles[i] = handles[--handle_count];
  pthread_mutex_unlock(&cuda_sim_lock);
  if (i < 0)
    sim_violation("%p is not a live %s", handle, word);
  else
    sim_live(word, -1);
  return i < 0 ? -1 : 0;
}

static int is_sticky(CUresult result) {
  return result == CUDA_ERROR_ILLEGAL_ADDRESS || result == CUDA_ERROR_LAUNCH_TIMEOUT ||
         (result >= CUDA_ERROR_CONTEXT_IS_DESTROYED && result <= CUDA_ERROR_ASSERT) ||
         (result >= CUDA_ERROR_HARDWARE_STACK_ERROR && result <= CUDA_ERROR_LAUNCH_FAILED) ||
         result == CUDA_ERROR_ECC_UNCORRECTABLE;
}

void cuda_sim_device_break(int device, CUresult error) {
  pthread_mutex_lock(&cuda_sim_lock);
  if (!device_error[device]) device_error[device] = error;
  pthread_mutex_unlock(&cuda_sim_lock);
}

CUresult cuda_sim_device_error(int device) {
  pthread_mutex_lock(&cuda_sim_lock);
  CUresult error = device_error[device];
  pthread_mutex_unlock(&cuda_sim_lock);
  return error;
}

static CUcontext current(void) {
  return depth ? stack[depth - 1] : NULL;
}

CUresult cuda_sim_enter(const char *name) {
  CUresult ordered = (CUresult)sim_call(name);
  if (ordered) {
    if (is_sticky(ordered) && current()) cuda_sim_device_break(current()->device, ordered);
    return ordered;
  }
  pthread_mutex_lock(&cuda_sim_lock);
  int ready = initialised && owner == getpid(), gone = deinitialised;
  pthread_mutex_unlock(&cuda_sim_lock);
  return gone ? CUDA_ERROR_DEINITIALIZED : ready ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuda_sim_enter_context(const char *name, CUcontext *out) {
  CUcontext context = *out = current();
  CUresult result = cuda_sim_enter(name);
  if (result) return result;
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  pthread_mutex_lock(&cuda_sim_lock);
  int alive = context->alive;
  pthread_mutex_unlock(&cuda_sim_lock);
  if (!alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return cuda_sim_device_error(context->device);
}

CUresult cuda_sim_enter_stream(const char *name, CUstream stream, CUcontext *out) {
  CUresult result = cuda_sim_enter_context(name, out);
  if (result) return result;
  if (!stream || !cuda_sim_handle_ok(stream, HANDLE_STREAM)) return CUDA_ERROR_INVALID_HANDLE;
  return stream->context == *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
  switch (error) {
#define XX(name, value)                                                                            \
  case value:                                                                                      \
    *text = #name;                                                                                 \
    return CUDA_SUCCESS;
    SOLO_CUDA_RESULTS(XX)
#undef XX
  }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error == CUDA_ERROR_ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                              : "as simulated";
  return CUDA_SUCCESS;
}

/* Registered with atexit by cuInit, so it runs before handlers that were registered earlier, as
 * with a real driver. */
static void deinitialise(void) {
  pthread_mutex_lock(&cuda_sim_lock);
  deinitialised = 1;
  pthread_mutex_unlock(&cuda_sim_lock);
}

CUresult cuInit(unsigned flags) {
  CUresult ordered = (CUresult)sim_call(__func__);
  if (ordered) return ordered;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (sim_device_count() == 0) return CUDA_ERROR_NO_DEVICE;
  pthread_mutex_lock(&cuda_sim_lock);
  int inherited = initialised && owner != getpid();
  if (!initialised) {
    owner = getpid();
    if (number("SIM_CUDA_DEINIT", 0)) atexit(deinitialise);
  }
  initialised = 1;
  for (int i = 0; i < SIM_MAX_DEVICES; i++) primary[i].device = i, primary[i].primary = 1;
  pthread_mutex_unlock(&cuda_sim_lock);
  return inherited ? CUDA_ERROR_NOT_INITIALIZED : CUDA_SUCCESS;
}

int cuda_sim_driver(void) {
  return (int)number("SIM_CUDA_DRIVER", 13000);
}

CUresult cuDriverGetVersion(int *version) {
  CUresult ordered = (CUresult)sim_call(__func__);
  if (!ordered) *version = cuda_sim_driver();
  return ordered;
}

CUresult cuDeviceGetCount(int *count) {
  ENTER();
  *count = sim_device_count();
  return CUDA_SUCCESS;
}

static int bad(CUdevice device) {
  return device < 0 || device >= sim_device_count();
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  ENTER();
  if (bad(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  snprintf(name, (size_t)size, "Simulated GPU %d", device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  for (int i = 0; i < 16; i++) uuid->bytes[i] = (char)(0xf0 + i);
  uuid->bytes[15] = (char)device;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = sim_memory_total();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  unsigned arch = number("SIM_CUDA_ARCH", 90);
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 1024;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    *value = 2147483647;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    *value = 48 << 10;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 227 << 10;
    break;
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    *value = 32;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
    *value = 2147483647;
    break;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = 4;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
    *value = 2048;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = (int)(arch / 10);
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = (int)(arch % 10);
    break;
  case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
  case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    *value = 1;
    break;
  case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
    *value = 0;
    break;
  case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
    *value = (int)number("SIM_CUDA_HOST_TABLES", 0);
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  ENTER();
  if (bad(device) || bad(peer)) return CUDA_ERROR_INVALID_DEVICE;
  *can = device != peer;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&cuda_sim_lock);
  *flags = primary[device].flags;
  *active = primary[device].alive;
  pthread_mutex_unlock(&cuda_sim_lock);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&cuda_sim_lock);
  primary[device].flags = flags;
  pthread_mutex_unlock(&cuda_sim_lock);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  CUresult error = cuda_sim_device_error(device);
  if (error) return error;
  if (sim_device_start(device)) return CUDA_ERROR_OPERATING_SYSTEM;
  pthread_mutex_lock(&cuda_sim_lock);
  CUcontext context = &primary[device];
  int first = context->uses++ == 0;
  context->alive = 1;
  pthread_mutex_unlock(&cuda_sim_lock);
  if (first) cuda_sim_handle_add(context, HANDLE_CONTEXT, "context");
  *out = context;
  return CUDA_SUCCESS;
}

/* Frees the context's memory. Other objects of the context that are still open count as leaks. */
static void end(CUcontext context) {
  cuda_sim_memory_drop(context);
  cuda_sim_handle_remove(context, HANDLE_CONTEXT, "context");
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  /* continues after an injected failure, so that the context is released */
  CUresult entered = cuda_sim_enter(__func__);
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&cuda_sim_lock);
  CUcontext context = &primary[device];
  int held = context->uses > 0, last = context->uses == 1;
  if (held) context->uses--;
  if (last) context->alive = 0;
  pthread_mutex_unlock(&cuda_sim_lock);
  if (!held)
    sim_violation("the primary context of device %d is released more often than retained", device);
  if (last) end(context);
  return held ? entered : CUDA_ERROR_INVALID_CONTEXT;
}

/* Destroys the context despite its references, as cudaDeviceReset does. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  ENTER();
  if (bad(device)) return CUDA_ERROR_INVALID_DEVICE;
  pthread_mutex_lock(&cuda_sim_lock);
  CUcontext context = &primary[device];
  int was = context->alive;
  context->alive = 0;
  context->uses = 0;
  pthread_mutex_unlock(&cuda_sim_lock);
  if (was) end(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *out, unsigned flags, CUdevice device) {
  ENTER();
  CUcontext context = calloc(1, sizeof *context);
  if (!context || bad(device) || sim_device_start(device) || depth == STACK)
    return free(context), CUDA_ERROR_INVALID_VALUE;
  context->device = device;
  context->flags = flags;
  context->alive = 1;
  cuda_sim_handle_add(context, HANDLE_CONTEXT, "context");
  stack[depth++] = context;
  *out = context;
  return CUDA_SUCCESS;
}

static CUcontext destroyed;

/* A destroyed context stays current in other threads, and their calls fail (Driver API reference). */
CUresult cuCtxDestroy_v2(CUcontext context) {
  ENTER();
  if (depth && stack[depth - 1] == context) depth--;
  pthread_mutex_lock(&cuda_sim_lock);
  context->alive = 0;
  context->next_destroyed = destroyed;
  destroyed = context;
  pthread_mutex_unlock(&cuda_sim_lock);
  end(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER();
  *context = current();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  ENTER();
  if (context && !cuda_sim_handle_ok(context, HANDLE_CONTEXT)) return CUDA_ERROR_INVALID_CONTEXT;
  if (!context)
    depth -= depth > 0;
  else if (depth)
    stack[depth - 1] = context;
  else
    stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER();
  if (!cuda_sim_handle_ok(context, HANDLE_CONTEXT) || depth == STACK)
    return CUDA_ERROR_INVALID_CONTEXT;
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  /* continues after an injected failure, so that the context is popped */
  CUresult entered = cuda_sim_enter(__func__);
  if (!depth) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack[--depth];
  return entered;
}

CUresult cuCtxSetLimit(int limit, size_t value) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (limit != CU_LIMIT_STACK_SIZE && limit != CU_LIMIT_MALLOC_HEAP_SIZE)
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  return value > sim_memory_total() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  return peer == context || flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

unsigned cuda_sim_calls(const char *name) {
  return sim_call_count(name);
}
void cuda_sim_reset_calls(void) {
  sim_call_reset();
}
void cuda_sim_print_calls(void) {
  sim_call_print();
}
void cuda_sim_fail(const char *name, unsigned nth, int code) {
  sim_call_fail(name, nth, code);
}
const char *cuda_sim_failed(void) {
  return sim_call_failed();
}
int cuda_sim_live(const char *kind) {
  return sim_live_count(kind);
}
int cuda_sim_violations(void) {
  return sim_violations();
}
void cuda_sim_delay(unsigned us) {
  sim_delay_set(us);
}
