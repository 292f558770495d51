/* Queues: streams that do not synchronise with the null stream. */
#include "backends/cuda/cuda.h"

#include <stdlib.h>

solo_status solo_cuda_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  SOLO_CUDA_CHECK_LOST(device);
  solo_bqueue *queue = malloc(sizeof *queue);
  if (!queue) return solo_fail(SOLO_NOMEM, "cuda: no memory for a queue");
  *queue = (solo_bqueue){.device = device};
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result == CUDA_SUCCESS) {
    result = cuStreamCreate(&queue->stream, CU_STREAM_NON_BLOCKING);
    solo_cuda_pop_context(&scope);
  }
  if (result != CUDA_SUCCESS) {
    free(queue);
    return solo_cuda_fail(device, result, "creating a stream");
  }
  if (device->graphs) queue->graphs = solo_cuda_graphs_open();
  *out_queue = queue;
  return SOLO_OK;
}

void solo_cuda_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  solo_cuda_stage_close(queue);
  solo_cuda_graphs_close(queue);
  if (queue->ended) SOLO_CUDA_RELEASE(device, cuEventDestroy_v2(queue->ended));
  SOLO_CUDA_RELEASE(device, cuStreamDestroy_v2(queue->stream));
  free(queue);
}
