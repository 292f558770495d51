/* The current context of the calling thread. */
#include "backends/cuda/cuda.h"

_Thread_local CUcontext solo_cuda_current_context;

/* The context that solo set because the thread had none. For another device, solo replaces this
 * context. solo never replaces a context that user code has set. */
static _Thread_local CUcontext set_by_solo;

CUresult solo_cuda_push_context(solo_bdevice *device, solo_cuda_scope *scope) {
  CUcontext now = NULL;
  scope->pop = 0;
  CUresult result = cuCtxGetCurrent(&now);
  if (result != CUDA_SUCCESS) return result;
  if (now == device->context) {
    solo_cuda_current_context = now;
    return CUDA_SUCCESS;
  }
  if (!now || now == set_by_solo) {
    result = cuCtxSetCurrent(device->context);
    solo_cuda_current_context = set_by_solo = result == CUDA_SUCCESS ? device->context : NULL;
    return result;
  }
  solo_cuda_current_context = NULL; /* makes the next SOLO_CUDA_DO() check the context */
  set_by_solo = NULL;
  result = cuCtxPushCurrent_v2(device->context);
  scope->pop = result == CUDA_SUCCESS;
  return result;
}

void solo_cuda_pop_context(const solo_cuda_scope *scope) {
  CUcontext popped;
  if (scope->pop) (void)cuCtxPopCurrent_v2(&popped);
}
