/* Waiting for a queue: query, then sleep. */
#include "backends/cuda/cuda.h"

#include "runtime/base/settings.h"

enum { PARTS = 32 };

static solo_status fail_work(solo_bqueue *queue, CUresult result) {
  return solo_cuda_fail(queue->device, result, "the work of a queue failed (last kernel: %s)",
                        queue->last ? queue->last->name : "none");
}

/* A query detects the end of work early, but it locks the context, which launching threads also
 * lock. Therefore the interval between queries grows: it is 1/32 of the elapsed time, which limits
 * the added delay. */
int solo_cuda_poll_delay(solo_cuda_polling *polling) {
  uint64_t now = solo_now_ns(), most = (uint64_t)solo_settings()->spin_us * 1000;
  if (!polling->start_ns) polling->start_ns = now;
  uint64_t waited = now - polling->start_ns, until = now + waited / PARTS;
  if (waited >= most) return 0;
  do solo_cpu_relax();
  while (solo_now_ns() < until);
  return 1;
}

/* Sleeps until the queue's work has ended. With device->spins, cuStreamSynchronize() would poll, so
 * the thread waits for a blocking event. Both functions also flush printed output. */
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

static solo_status wait_for(solo_bqueue *queue) {
  solo_bdevice *device = queue->device;
  CUresult result = CUDA_ERROR_NOT_READY;
  solo_cuda_polling polling = {0};
  SOLO_CUDA_CHECK_LOST(device);
  if (SOLO_UNLIKELY(queue->by_graph) && solo_settings()->spin_us && !solo_cuda_prints(device) &&
      solo_cuda_graph_await(queue))
    return SOLO_OK;
  if (SOLO_LIKELY(solo_settings()->spin_us)) {
    do {
      SOLO_CUDA_DO(result, device, cuStreamQuery(queue->stream));
    } while (result == CUDA_ERROR_NOT_READY && solo_cuda_poll_delay(&polling));
  }
  if (result == CUDA_ERROR_NOT_READY)
    result = sleep_on(queue);
  else if (result == CUDA_SUCCESS && solo_cuda_prints(device))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  if (SOLO_UNLIKELY(result != CUDA_SUCCESS) && !solo_cuda_ends_device(result))
    SOLO_CUDA_DO(result, device, cuStreamSynchronize(queue->stream));
  return SOLO_LIKELY(result == CUDA_SUCCESS) ? SOLO_OK : fail_work(queue, result);
}

solo_status solo_cuda_queue_sync(solo_bqueue *queue) {
  solo_status status = wait_for(queue);
  queue->is_synced = 1;
  solo_cuda_graph_region_ended(queue);
  return status;
}
