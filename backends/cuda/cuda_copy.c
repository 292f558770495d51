#include "backends/cuda/cuda.h"

solo_status solo_cuda_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) {
  SOLO_CUDA_CHECK_LOST(queue->device);
  /* most copies from the device wait for the kernel, so solo_cuda_graph_await() would save no time */
  if (direction == SOLO_COPY_OUT) queue->by_graph = 0;
  if (SOLO_UNLIKELY(bytes >= queue->device->stage_from) && direction != SOLO_COPY_WITHIN &&
      solo_cuda_stage_wanted(queue, direction == SOLO_COPY_IN ? src : dst, bytes))
    return solo_cuda_stage_copy(queue, dst, src, bytes, direction);
  return solo_cuda_copy_directly(queue, dst, src, bytes, direction);
}

typedef struct box_copy {
  solo_bqueue *queue;
  uint64_t dst, src;
  const solo_copy_box *box;
  int src_host, dst_host;
} box_copy;

/* The driver expects the slice pitch as a number of rows. */
static CUresult copy_3d(const box_copy *c) {
  const solo_copy_box *box = c->box;
  CUDA_MEMCPY3D copy = {
      .srcMemoryType = c->src_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .srcHost = c->src_host ? (const void *)(uintptr_t)c->src : NULL,
      .srcDevice = c->src_host ? 0 : c->src,
      .srcPitch = box->src_row_pitch,
      .srcHeight = box->src_slice_pitch / box->src_row_pitch,
      .dstMemoryType = c->dst_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .dstHost = c->dst_host ? (void *)(uintptr_t)c->dst : NULL,
      .dstDevice = c->dst_host ? 0 : c->dst,
      .dstPitch = box->dst_row_pitch,
      .dstHeight = box->dst_slice_pitch / box->dst_row_pitch,
      .WidthInBytes = box->row_bytes,
      .Height = box->rows,
      .Depth = box->slices,
  };
  CUresult result;
  SOLO_CUDA_DO(result, c->queue->device, cuMemcpy3DAsync_v2(&copy, c->queue->stream));
  return result;
}

static CUresult copy_2d(const box_copy *c, uint64_t slice) {
  const solo_copy_box *box = c->box;
  uint64_t src = c->src + slice * box->src_slice_pitch;
  uint64_t dst = c->dst + slice * box->dst_slice_pitch;
  CUDA_MEMCPY2D copy = {
      .srcMemoryType = c->src_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .srcHost = c->src_host ? (const void *)(uintptr_t)src : NULL,
      .srcDevice = c->src_host ? 0 : src,
      .srcPitch = box->src_row_pitch,
      .dstMemoryType = c->dst_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .dstHost = c->dst_host ? (void *)(uintptr_t)dst : NULL,
      .dstDevice = c->dst_host ? 0 : dst,
      .dstPitch = box->dst_row_pitch,
      .WidthInBytes = box->row_bytes,
      .Height = box->rows,
  };
  CUresult result;
  SOLO_CUDA_DO(result, c->queue->device, cuMemcpy2DAsync_v2(&copy, c->queue->stream));
  return result;
}

static solo_status copy_rows(const box_copy *c, solo_copy_direction direction) {
  const solo_copy_box *box = c->box;
  for (uint64_t slice = 0; slice < box->slices; slice++)
    for (uint64_t row = 0; row < box->rows; row++)
      SOLO_TRY(solo_cuda_queue_copy(
          c->queue, c->dst + slice * box->dst_slice_pitch + row * box->dst_row_pitch,
          c->src + slice * box->src_slice_pitch + row * box->src_row_pitch, box->row_bytes,
          direction));
  return SOLO_OK;
}

/* The driver limits the row pitch. A 3D copy also requires that the slice pitch is a multiple of the
 * row pitch. */
solo_status solo_cuda_queue_copy_box(solo_bqueue *queue, uint64_t dst, uint64_t src,
                                     const solo_copy_box *box, solo_copy_direction direction) {
  SOLO_CUDA_CHECK_LOST(queue->device);
  box_copy c = {.queue = queue,
                .dst = dst,
                .src = src,
                .box = box,
                .src_host = direction == SOLO_COPY_IN,
                .dst_host = direction == SOLO_COPY_OUT};
  uint64_t limit = queue->device->max_pitch;
  if (box->rows == 1 && box->slices == 1)
    return solo_cuda_queue_copy(queue, dst, src, box->row_bytes, direction);
  if (box->src_row_pitch > limit || box->dst_row_pitch > limit || !box->src_row_pitch ||
      !box->dst_row_pitch)
    return copy_rows(&c, direction);
  CUresult result = CUDA_SUCCESS;
  if (box->slices > 1 && box->src_slice_pitch % box->src_row_pitch == 0 &&
      box->dst_slice_pitch % box->dst_row_pitch == 0)
    result = copy_3d(&c);
  else
    for (uint64_t slice = 0; slice < box->slices && result == CUDA_SUCCESS; slice++)
      result = copy_2d(&c, slice);
  if (SOLO_LIKELY(result == CUDA_SUCCESS)) return SOLO_OK;
  return solo_cuda_fail(queue->device, result, "copying %llu x %llu x %llu bytes %s",
                        (unsigned long long)box->slices, (unsigned long long)box->rows,
                        (unsigned long long)box->row_bytes, solo_cuda_direction_names[direction]);
}

solo_status solo_cuda_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  CUresult result;
  SOLO_CUDA_CHECK_LOST(queue->device);
  SOLO_CUDA_DO(result, queue->device,
               cuMemsetD8Async(dst, (unsigned char)value, bytes, queue->stream));
  if (SOLO_LIKELY(result == CUDA_SUCCESS)) return SOLO_OK;
  return solo_cuda_fail(queue->device, result, "filling %llu bytes at 0x%llx",
                        (unsigned long long)bytes, (unsigned long long)dst);
}

static int reaches(const solo_bdevice *device, const solo_bdevice *peer) {
  int can = 0;
  return device == peer ||
         (cuDeviceCanAccessPeer(&can, device->handle, peer->handle) == CUDA_SUCCESS && can);
}

/* Requests direct access once per pair of devices. Without direct access the driver copies through
 * the host. */
static CUresult enable_peer(solo_bdevice *device, solo_bdevice *peer) {
  uint64_t bit = (uint64_t)1 << (peer->ordinal & 63);
  /* relaxed: repetition is harmless */
  if (SOLO_LIKELY(solo_load_relaxed(&device->peers_tried) & bit)) return CUDA_SUCCESS;
  solo_or_relaxed(&device->peers_tried, bit);
  if (!reaches(device, peer)) return CUDA_SUCCESS;
  solo_cuda_scope scope;
  CUresult result = solo_cuda_push_context(device, &scope);
  if (result != CUDA_SUCCESS) return result;
  (void)cuCtxEnablePeerAccess(peer->context, 0);
  solo_cuda_pop_context(&scope);
  return CUDA_SUCCESS;
}

solo_status solo_cuda_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                      solo_devptr src, uint64_t bytes) {
  CUresult result;
  SOLO_CUDA_CHECK_LOST(queue->device);
  SOLO_CUDA_CHECK_LOST(dst_device);
  result = enable_peer(queue->device, dst_device);
  if (SOLO_LIKELY(result == CUDA_SUCCESS))
    SOLO_CUDA_DO(result, queue->device,
                 cuMemcpyPeerAsync(dst, dst_device->context, src, queue->device->context, bytes,
                                   queue->stream));
  if (SOLO_LIKELY(result == CUDA_SUCCESS)) return SOLO_OK;
  return solo_cuda_fail(queue->device, result, "copying %llu bytes from device %d to device %d",
                        (unsigned long long)bytes, queue->device->number, dst_device->number);
}
