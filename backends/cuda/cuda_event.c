#include "backends/cuda/cuda.h"

#include "runtime/base/settings.h"
#include <stdlib.h>

solo_status solo_cuda_event_open(solo_bdevice *device, solo_bevent **out_event) {
  SOLO_CUDA_CHECK_LOST(device);
  solo_bevent *event = malloc(sizeof *event);
  if (!event) return solo_fail(SOLO_NOMEM, "cuda: no memory for an event");
  event->device = device;
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    /* Events without timing are faster. cuEventSynchronize() sleeps, because solo has polled before. */
    result = cuEventCreate(&event->event, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);
    solo_cuda_pop_context(&scope);
  }
  if (result != CUDA_SUCCESS) {
    free(event);
    return solo_cuda_fail(device, result, "creating an event");
  }
  *out_event = event;
  return SOLO_OK;
}

void solo_cuda_event_close(solo_bdevice *device, solo_bevent *event) {
  SOLO_CUDA_RELEASE(device, cuEventDestroy_v2(event->event));
  free(event);
}

solo_status solo_cuda_event_record(solo_bqueue *queue, solo_bevent *event) {
  CUresult result;
  SOLO_CUDA_CHECK_LOST(queue->device);
  queue->is_synced = queue->by_graph = 0;
  solo_cuda_graph_region_ended(queue);
  SOLO_CUDA_DO(result, queue->device, cuEventRecord(event->event, queue->stream));
  return SOLO_LIKELY(result == CUDA_SUCCESS)
             ? SOLO_OK
             : solo_cuda_fail(queue->device, result, "recording an event");
}

solo_status solo_cuda_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  CUresult result;
  SOLO_CUDA_CHECK_LOST(queue->device);
  SOLO_CUDA_DO(result, queue->device, cuStreamWaitEvent(queue->stream, event->event, 0));
  return SOLO_LIKELY(result == CUDA_SUCCESS)
             ? SOLO_OK
             : solo_cuda_fail(queue->device, result, "adding the wait for an event to a stream");
}

solo_status solo_cuda_event_query(solo_bevent *event, int *out_done) {
  CUresult result;
  SOLO_CUDA_CHECK_LOST(event->device);
  SOLO_CUDA_DO(result, event->device, cuEventQuery(event->event));
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
    return solo_cuda_fail(event->device, result, "the work before an event failed");
  *out_done = result == CUDA_SUCCESS;
  if (*out_done && solo_cuda_prints(event->device)) /* the work is complete: only flushes output */
    SOLO_CUDA_DO(result, event->device, cuEventSynchronize(event->event));
  return SOLO_OK;
}

solo_status solo_cuda_event_wait(solo_bevent *event) {
  solo_bdevice *device = event->device;
  CUresult result = CUDA_ERROR_NOT_READY;
  SOLO_CUDA_CHECK_LOST(device);
  solo_cuda_polling polling = {0};
  if (solo_settings()->spin_us) {
    do {
      SOLO_CUDA_DO(result, device, cuEventQuery(event->event));
    } while (result == CUDA_ERROR_NOT_READY && solo_cuda_poll_delay(&polling));
  }
  if (result == CUDA_ERROR_NOT_READY || (result == CUDA_SUCCESS && solo_cuda_prints(device)))
    SOLO_CUDA_DO(result, device, cuEventSynchronize(event->event));
  if (SOLO_UNLIKELY(result != CUDA_SUCCESS) && !solo_cuda_ends_device(result))
    SOLO_CUDA_DO(result, device, cuEventSynchronize(event->event));
  return SOLO_LIKELY(result == CUDA_SUCCESS)
             ? SOLO_OK
             : solo_cuda_fail(device, result, "the work before an event failed");
}
