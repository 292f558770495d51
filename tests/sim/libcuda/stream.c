/* The simulated driver: streams (one thread each), events, launches. Launches, waits, loads and
 * unloads flush the kernels' output; queries do not (CUDA C++ Programming Guide, "Formatted
 * Output"). */
#include "tests/sim/libcuda/internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

CUresult cuStreamCreate(CUstream *out, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  CUstream stream = calloc(1, sizeof *stream);
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  stream->context = context;
  if (!(stream->worker = sim_worker_start())) return free(stream), CUDA_ERROR_OUT_OF_MEMORY;
  cuda_sim_handle_add(stream, HANDLE_STREAM, "stream");
  *out = stream;
  return CUDA_SUCCESS;
}

/* Destroys the stream also on a failed device and with an injected failure, so that no failure
 * causes a leak. */
CUresult cuStreamDestroy_v2(CUstream stream) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  if (cuda_sim_handle_remove(stream, HANDLE_STREAM, "stream")) return CUDA_ERROR_INVALID_HANDLE;
  /* the event may be reached shortly before the worker counts the event's record as done */
  for (int i = 0; i < 100 && !sim_worker_idle(stream->worker); i++)
    nanosleep(&(struct timespec){0, 100000}, NULL);
  if (!sim_worker_idle(stream->worker) && !cuda_sim_device_error(stream->context->device))
    sim_violation("a stream is destroyed before its work is complete");
  sim_worker_stop(stream->worker);
  free(stream);
  return entered;
}

CUresult cuStreamQuery(CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  if (!sim_worker_idle(stream->worker)) return CUDA_ERROR_NOT_READY;
  return cuda_sim_device_error(context->device);
}

CUresult cuStreamSynchronize(CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  sim_worker_wait(stream->worker);
  sim_device_flush(context->device);
  return cuda_sim_device_error(context->device);
}

static CUresult add(CUstream stream, sim_work *work, const void *argument, size_t size) {
  return sim_worker_add(stream->worker, work, argument, size) ? CUDA_ERROR_OUT_OF_MEMORY
                                                              : CUDA_SUCCESS;
}

static void drop(cuda_sim_point *point) {
  if (point && --point->uses == 0) free(point);
}

CUresult cuEventCreate(CUevent *out, unsigned flags) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  if (flags & ~3u) return CUDA_ERROR_INVALID_VALUE;
  CUevent event = calloc(1, sizeof *event);
  if (!event) return CUDA_ERROR_OUT_OF_MEMORY;
  event->context = context;
  cuda_sim_handle_add(event, HANDLE_EVENT, "event");
  *out = event;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  CUcontext context;
  CUresult entered = cuda_sim_enter_context(__func__, &context);
  if (!context) return entered;
  if (cuda_sim_handle_remove(event, HANDLE_EVENT, "event")) return CUDA_ERROR_INVALID_HANDLE;
  pthread_mutex_lock(&cuda_sim_lock);
  drop(event->latest);
  pthread_mutex_unlock(&cuda_sim_lock);
  free(event);
  return entered;
}

static void reach(void *argument) {
  cuda_sim_point *point = *(cuda_sim_point **)argument;
  pthread_mutex_lock(&cuda_sim_lock);
  point->reached = 1;
  pthread_cond_broadcast(&cuda_sim_changed);
  drop(point);
  pthread_mutex_unlock(&cuda_sim_lock);
}

/* The caller holds cuda_sim_lock, which is released during the wait. */
static void wait_for(cuda_sim_point *point) {
  while (!point->reached) pthread_cond_wait(&cuda_sim_changed, &cuda_sim_lock);
  drop(point);
}

static void run_wait(void *argument) {
  pthread_mutex_lock(&cuda_sim_lock);
  wait_for(*(cuda_sim_point **)argument);
  pthread_mutex_unlock(&cuda_sim_lock);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  if (!cuda_sim_handle_ok(event, HANDLE_EVENT) || event->context != context)
    return CUDA_ERROR_INVALID_HANDLE;
  cuda_sim_point *point = calloc(1, sizeof *point);
  if (!point) return CUDA_ERROR_OUT_OF_MEMORY;
  point->uses = 2; /* one reference of the event and one of the queued work */
  pthread_mutex_lock(&cuda_sim_lock);
  drop(event->latest);
  event->latest = point;
  pthread_mutex_unlock(&cuda_sim_lock);
  return add(stream, reach, &point, sizeof point);
}

/* Returns the event's latest record with a new reference, or NULL. */
static cuda_sim_point *latest_of(CUevent event) {
  pthread_mutex_lock(&cuda_sim_lock);
  cuda_sim_point *point = event->latest;
  if (point) point->uses++;
  pthread_mutex_unlock(&cuda_sim_lock);
  return point;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  if (!cuda_sim_handle_ok(event, HANDLE_EVENT)) return CUDA_ERROR_INVALID_HANDLE;
  cuda_sim_point *point = latest_of(event);
  return point ? add(stream, run_wait, &point, sizeof point) : CUDA_SUCCESS;
}

static CUresult enter_event(const char *name, CUevent event, CUcontext *out) {
  CUresult result = cuda_sim_enter_context(name, out);
  if (result) return result;
  if (!cuda_sim_handle_ok(event, HANDLE_EVENT)) return CUDA_ERROR_INVALID_HANDLE;
  return event->context == *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventQuery(CUevent event) {
  CUcontext context;
  CUresult result = enter_event(__func__, event, &context);
  if (result) return result;
  sim_hold_end();
  pthread_mutex_lock(&cuda_sim_lock);
  int done = !event->latest || event->latest->reached;
  pthread_mutex_unlock(&cuda_sim_lock);
  return done ? cuda_sim_device_error(context->device) : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent event) {
  CUcontext context;
  CUresult result = enter_event(__func__, event, &context);
  if (result) return result;
  cuda_sim_point *point = latest_of(event);
  sim_hold_end();
  pthread_mutex_lock(&cuda_sim_lock);
  if (point) wait_for(point);
  pthread_mutex_unlock(&cuda_sim_lock);
  sim_device_flush(context->device);
  return cuda_sim_device_error(context->device);
}

typedef struct launch {
  int device;
  sim_grid grid;
} launch;

static CUresult error_of(sim_fault fault) {
  switch (fault) {
  case SIM_RAN:
    return CUDA_SUCCESS;
  case SIM_FAULT_ADDRESS:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case SIM_FAULT_INSTRUCTION:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case SIM_FAULT_TIMEOUT:
    return CUDA_ERROR_LAUNCH_TIMEOUT;
  case SIM_FAULT_OTHER:
    break;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

static void run_launch(void *argument) {
  launch *l = argument;
  if (cuda_sim_device_error(l->device)) return;
  CUresult error = error_of(sim_device_run(l->device, &l->grid));
  if (error) cuda_sim_device_break(l->device, error);
}

/* Reads the parameter buffer of the launch. Returns 0 if the list `extra` is malformed. */
static int read_extra(void **extra, sim_grid *grid) {
  const void *buffer = NULL;
  size_t bytes = 0;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *(const size_t *)extra[1];
    else
      return 0;
  }
  if (bytes > sizeof grid->slot || (bytes && !buffer)) return 0;
  grid->slots = (uint32_t)((bytes + 7) / 8);
  if (bytes) memcpy(grid->slot, buffer, bytes);
  return 1;
}

CUresult cuda_sim_launch(CUstream stream, CUcontext context, const CUDA_KERNEL_NODE_PARAMS *p,
                         void **extra) {
  CUfunction function = p->func;
  if (function->module->context != context) return CUDA_ERROR_INVALID_HANDLE;
  launch l = {.device = context->device,
              .grid = {.entry = function->entry,
                       .shared_limit = 227 << 10,
                       .blocks = {p->gridDimX, p->gridDimY, p->gridDimZ},
                       .threads = {p->blockDimX, p->blockDimY, p->blockDimZ},
                       .shared_bytes = p->sharedMemBytes}};
  sim_module_describe(function->module->module, 32, &l.grid);
  sim_device_flush(context->device);
  pthread_mutex_lock(&cuda_sim_lock);
  int allowed = function->dynamic_shared;
  pthread_mutex_unlock(&cuda_sim_lock);
  if (!p->gridDimX || !p->gridDimY || !p->gridDimZ || !p->blockDimX || !p->blockDimY ||
      !p->blockDimZ || p->kernelParams || p->gridDimX > 2147483647 || p->gridDimY > 65535 ||
      p->gridDimZ > 65535 || p->blockDimZ > 64 || p->blockDimX > 1024 || p->blockDimY > 1024 ||
      (uint64_t)p->blockDimX * p->blockDimY * p->blockDimZ > 1024 ||
      p->sharedMemBytes > (unsigned)allowed ||
      p->sharedMemBytes + sim_module_shared(function->module->module) >
          (unsigned)l.grid.shared_limit ||
      !read_extra(extra, &l.grid))
    return CUDA_ERROR_INVALID_VALUE;
  return add(stream, run_launch, &l, sizeof l);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **parameters, void **extra) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  const CUDA_KERNEL_NODE_PARAMS p = {function, grid_x,       grid_y,     grid_z, block_x, block_y,
                                     block_z,  shared_bytes, parameters, NULL,   NULL,    NULL};
  return cuda_sim_launch(stream, context, &p, extra);
}
