#include "backends/cuda/cuda.h"

/* Permits more dynamic shared memory than the default, once per kernel. Requests the maximum,
 * because a smaller request of another thread could take effect between this call and the launch.
 * The permission reserves no memory. */
static CUresult allow_shared(solo_bdevice *device, solo_bkernel *kernel, uint32_t bytes) {
  CUresult result;
  uint32_t fixed = kernel->static_shared, most = device->shared_most;
  if (most > fixed && bytes < most - fixed) bytes = most - fixed;
  if (bytes > INT32_MAX) return CUDA_ERROR_INVALID_VALUE;
  SOLO_CUDA_DO(result, device,
               cuFuncSetAttribute(kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  (int)bytes));
  /* relaxed: a thread that loads the old value repeats the request */
  if (result == CUDA_SUCCESS) solo_store_relaxed(&kernel->shared_allowed, bytes);
  return result;
}

static solo_status fail_launch(solo_bqueue *queue, const solo_bkernel *kernel,
                               const solo_launch_record *launch, CUresult result) {
  return solo_cuda_fail(
      queue->device, result,
      "launching %.100s with %u x %u x %u teams of %u x %u x %u threads, %u bytes "
      "shared",
      kernel->name, launch->teams[0], launch->teams[1], launch->teams[2], launch->threads[0],
      launch->threads[1], launch->threads[2], launch->shared_bytes);
}

solo_status solo_cuda_queue_launch(solo_bqueue *queue, solo_bkernel *kernel,
                                   const solo_launch_record *launch) {
  solo_bdevice *device = queue->device;
  CUresult result;
  SOLO_CUDA_CHECK_LOST(device);
  /* relaxed: see allow_shared() */
  if (SOLO_UNLIKELY(launch->shared_bytes > solo_load_relaxed(&kernel->shared_allowed))) {
    result = allow_shared(device, kernel, launch->shared_bytes);
    if (result != CUDA_SUCCESS) return fail_launch(queue, kernel, launch, result);
  }
  queue->last = kernel;
  if (queue->graphs && solo_cuda_graph_is_useful(queue)) {
    result = solo_cuda_graph_launch(queue, kernel, launch);
    if (result == CUDA_SUCCESS) return SOLO_OK;
    if (result != CUDA_ERROR_NOT_SUPPORTED) return fail_launch(queue, kernel, launch, result);
    queue->by_graph = 0;
  }
  size_t bytes = launch->argument_bytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)launch->arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  SOLO_CUDA_DO(result, device,
               cuLaunchKernel(kernel->function, launch->teams[0], launch->teams[1],
                              launch->teams[2], launch->threads[0], launch->threads[1],
                              launch->threads[2], launch->shared_bytes, queue->stream, NULL,
                              bytes ? extra : NULL));
  if (SOLO_LIKELY(result == CUDA_SUCCESS)) return SOLO_OK;
  return fail_launch(queue, kernel, launch, result);
}
