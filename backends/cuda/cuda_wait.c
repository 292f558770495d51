/* Waiting for a queue. */
#include "backends/cuda/cuda.h"

#include "runtime/base/settings.h"

enum { PARTS = 32 };

static solo_status fail_work(solo_bqueue *queue, CUresult result) {
  return solo_cuda_fail(queue->device, result, "the work of a queue failed (last kernel: %s)",
                        queue->last ? queue->last->name : "none");
}

/* A query costs about a microsecond and sees the end at once; sleeping costs ten times that, and 100 us and more where
 * the processor went to sleep as well (a virtual machine with an H200). But it takes a lock of the context, which the
 * threads that launch want, too: so it comes each time that a 32nd part more has been waited, which is the most that
 * it adds. */
int solo_cuda_asks_again(solo_cuda_asking *asking) {
  uint64_t now = solo_now_ns(), most = (uint64_t)solo_settings()->spin_us * 1000;
  if (!asking->start_ns) asking->start_ns = now;
  uint64_t waited = now - asking->start_ns, until = now + waited / PARTS;
  if (waited >= most) return 0;
  do solo_cpu_relax();
  while (solo_now_ns() < until);
  return 1;
}

/* A context spins in cuStreamSynchronize, unless it was made to sleep; an event of our own sleeps there, too. It also
 * brings out what kernels have printed. Where there is none: the stream. */
static CUresult sleep_on(solo_bqueue *queue) {
  solo_bdevice *device = queue->device;
  CUresult result = CUDA_ERROR_NOT_READY;
  if (SOLO_UNLIKELY(device->spins)) {
    result = CUDA_SUCCESS;
    if (!queue->ended)
      SOLO_CUDA_DO(result, device,
                   cuEventCreate(&queue->ended, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC));
    if (result == CUDA_SUCCESS)
      SOLO_CUDA_DO(result, device, cuEventRecord(queue->ended, queue->stream));
    if (result == CUDA_SUCCESS) SOLO_CUDA_DO(result, device, cuEventSynchronize(queue->ended));
  }
  if (result != CUDA_SUCCESS && !solo_cuda_ends_device(result))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  return result;
}

solo_status solo_cuda_queue_sync(solo_bqueue *queue) {
  solo_bdevice *device = queue->device;
  CUresult result = CUDA_ERROR_NOT_READY;
  solo_cuda_asking asking = {0};
  SOLO_CUDA_CHECK_LOST(device);
  if (SOLO_UNLIKELY(queue->by_graph) && solo_settings()->spin_us && !solo_cuda_prints(device) &&
      solo_cuda_graph_await(queue))
    return SOLO_OK;
  if (SOLO_LIKELY(solo_settings()->spin_us)) {
    do {
      SOLO_CUDA_DO(result, device, cuStreamQuery(queue->stream));
    } while (result == CUDA_ERROR_NOT_READY && solo_cuda_asks_again(&asking));
  }
  if (result == CUDA_ERROR_NOT_READY)
    result = sleep_on(queue);
  else if (result == CUDA_SUCCESS && solo_cuda_prints(device))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  if (SOLO_UNLIKELY(result != CUDA_SUCCESS) && !solo_cuda_ends_device(result))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  return SOLO_LIKELY(result == CUDA_SUCCESS) ? SOLO_OK : fail_work(queue, result);
}
