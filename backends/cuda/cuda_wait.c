/* Waiting for a queue. */
#include "backends/cuda/cuda.h"

#include "runtime/base/settings.h"

static solo_status fail_work(solo_bqueue *queue, CUresult result) {
  return solo_cuda_fail(queue->device, result, "the work of a queue failed (last kernel: %s)",
                        queue->last ? queue->last->name : "none");
}

/* A query costs a fraction of a microsecond and sees the end at once; sleeping costs tens. */
solo_status solo_cuda_queue_sync(solo_bqueue *queue) {
  solo_bdevice *device = queue->device;
  CUresult result = CUDA_ERROR_NOT_READY;
  SOLO_CUDA_CHECK_LOST(device);
  uint64_t spin_ns = (uint64_t)solo_settings()->spin_us * 1000;
  if (SOLO_LIKELY(spin_ns)) {
    uint64_t start = solo_now_ns();
    do {
      SOLO_CUDA_DO(result, device, cuStreamQuery(queue->stream));
    } while (result == CUDA_ERROR_NOT_READY && solo_now_ns() - start < spin_ns);
  }
  if (result == CUDA_ERROR_NOT_READY || (result == CUDA_SUCCESS && solo_cuda_prints(device)))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  if (SOLO_UNLIKELY(result != CUDA_SUCCESS) && !solo_cuda_ends_device(result))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  return SOLO_LIKELY(result == CUDA_SUCCESS) ? SOLO_OK : fail_work(queue, result);
}
