/* The simulated driver: copies and fills, which access host memory when they execute. */
#include "tests/sim/libcuda/internal.h"

#include <string.h>

typedef struct side {
  uint64_t at;
  int host; /* nonzero: an address of pageable host memory */
  size_t row_pitch, slice_pitch;
} side;

typedef struct copy {
  int device;
  side dst, src;
  size_t bytes, rows, slices;
  int fill; /* -1 for a copy, otherwise the value */
  unsigned ticket;
} copy;

static uint64_t span_of(const copy *c, const side *s) {
  return (c->slices - 1) * s->slice_pitch + (c->rows - 1) * s->row_pitch + c->bytes;
}

/* A device side must lie in one block, a host side outside all device memory. */
static int valid(const copy *c, const side *s) {
  if (!s->host) return sim_memory_reach(s->at, span_of(c, s), NULL) != NULL;
  int device = SIM_ON_HOST;
  if (!sim_memory_is_device(s->at)) return 1;
  sim_memory_reach(s->at, 1, &device);
  sim_violation("the address 0x%llx of device %d is used as a host address",
                (unsigned long long)s->at, device);
  return 0;
}

static char *reach(const copy *c, const side *s) {
  if (s->host) return (char *)s->at;
  char *p = sim_memory_reach(s->at, span_of(c, s), NULL);
  if (!p) sim_violation("0x%llx was freed before a copy was complete", (unsigned long long)s->at);
  return p;
}

static void move(const copy *c) {
  char *dst = reach(c, &c->dst), *src = c->fill < 0 ? reach(c, &c->src) : NULL;
  if (!dst || (c->fill < 0 && !src)) {
    cuda_sim_device_break(c->device, CUDA_ERROR_ILLEGAL_ADDRESS);
    return;
  }
  for (size_t slice = 0; slice < c->slices; slice++)
    for (size_t row = 0; row < c->rows; row++) {
      char *to = dst + slice * c->dst.slice_pitch + row * c->dst.row_pitch;
      if (c->fill >= 0)
        memset(to, c->fill, c->bytes);
      else
        memcpy(to, src + slice * c->src.slice_pitch + row * c->src.row_pitch, c->bytes);
    }
}

/* Locks both devices in ascending order, so that two copies in opposite directions cannot block
 * each other. */
static void run_copy(void *argument) {
  copy *c = argument;
  int a = SIM_ON_HOST, b = SIM_ON_HOST;
  if (c->dst.host) sim_hold(c->ticket);
  if (cuda_sim_device_error(c->device)) return;
  if (!c->dst.host) sim_memory_reach(c->dst.at, 1, &a);
  if (!c->src.host && c->fill < 0) sim_memory_reach(c->src.at, 1, &b);
  int low = a < b ? a : b, high = a < b ? b : a;
  if (low >= 0 && low != high) sim_access_begin(low);
  if (high >= 0) sim_access_begin(high);
  move(c);
  if (high >= 0) sim_access_end(high);
  if (low >= 0 && low != high) sim_access_end(low);
}

static CUresult add(CUstream stream, CUcontext context, copy *c) {
  c->device = context->device;
  if (!c->bytes || !c->rows || !c->slices) return CUDA_SUCCESS;
  if (!valid(c, &c->dst) || (c->fill < 0 && !valid(c, &c->src))) return CUDA_ERROR_INVALID_VALUE;
  if (c->fill < 0 && c->dst.at < c->src.at + span_of(c, &c->src) &&
      c->src.at < c->dst.at + span_of(c, &c->dst) && c->rows * c->slices == 1)
    sim_violation("source and destination of a copy overlap");
  c->ticket = sim_hold_ticket();
  return sim_worker_add(stream->worker, run_copy, c, sizeof *c) ? CUDA_ERROR_OUT_OF_MEMORY
                                                                : CUDA_SUCCESS;
}

static copy line(uint64_t dst, int dst_host, uint64_t src, int src_host, size_t bytes) {
  return (copy){.dst = {.at = dst, .host = dst_host},
                .src = {.at = src, .host = src_host},
                .bytes = bytes,
                .rows = 1,
                .slices = 1,
                .fill = -1};
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  copy c =
      line(dst, 0, (uint64_t)src,
           !sim_memory_reach((uint64_t)src, 1, NULL) || sim_memory_is_device((uint64_t)src), bytes);
  return add(stream, context, &c);
}

CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  copy c = line((uint64_t)dst,
                !sim_memory_reach((uint64_t)dst, 1, NULL) || sim_memory_is_device((uint64_t)dst),
                src, 0, bytes);
  return add(stream, context, &c);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  copy c = line(dst, 0, src, 0, bytes);
  return add(stream, context, &c);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                           CUcontext src_context, size_t bytes, CUstream stream) {
  CUcontext context;
  int dst_device = -2, src_device = -2;
  ENTER_STREAM(stream, &context);
  sim_memory_reach(dst, 1, &dst_device);
  sim_memory_reach(src, 1, &src_device);
  if (dst_device != dst_context->device || src_device != src_context->device)
    return CUDA_ERROR_INVALID_VALUE;
  copy c = line(dst, 0, src, 0, bytes);
  return add(stream, context, &c);
}

CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t bytes, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  copy c = line(dst, 0, dst, 0, bytes);
  c.fill = value;
  return add(stream, context, &c);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *p, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  int src_host = p->srcMemoryType == CU_MEMORYTYPE_HOST;
  int dst_host = p->dstMemoryType == CU_MEMORYTYPE_HOST;
  if (p->srcXInBytes || p->srcY || p->dstXInBytes || p->dstY || p->srcPitch < p->WidthInBytes ||
      p->dstPitch < p->WidthInBytes || p->srcPitch > 2147483647 || p->dstPitch > 2147483647)
    return CUDA_ERROR_INVALID_VALUE;
  copy c = {.dst = {dst_host ? (uint64_t)p->dstHost : p->dstDevice, dst_host, p->dstPitch, 0},
            .src = {src_host ? (uint64_t)p->srcHost : p->srcDevice, src_host, p->srcPitch, 0},
            .bytes = p->WidthInBytes,
            .rows = p->Height,
            .slices = 1,
            .fill = -1};
  return add(stream, context, &c);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *p, CUstream stream) {
  CUcontext context;
  ENTER_STREAM(stream, &context);
  int src_host = p->srcMemoryType == CU_MEMORYTYPE_HOST;
  int dst_host = p->dstMemoryType == CU_MEMORYTYPE_HOST;
  if (p->srcXInBytes || p->srcY || p->srcZ || p->srcLOD || p->dstXInBytes || p->dstY || p->dstZ ||
      p->dstLOD || p->reserved0 || p->reserved1 || p->srcPitch < p->WidthInBytes ||
      p->dstPitch < p->WidthInBytes || p->srcPitch > 2147483647 || p->dstPitch > 2147483647 ||
      (p->Depth > 1 && (p->srcHeight < p->Height || p->dstHeight < p->Height)))
    return CUDA_ERROR_INVALID_VALUE;
  copy c = {.dst = {dst_host ? (uint64_t)p->dstHost : p->dstDevice, dst_host, p->dstPitch,
                    p->dstPitch * p->dstHeight},
            .src = {src_host ? (uint64_t)p->srcHost : p->srcDevice, src_host, p->srcPitch,
                    p->srcPitch * p->srcHeight},
            .bytes = p->WidthInBytes,
            .rows = p->Height,
            .slices = p->Depth,
            .fill = -1};
  return add(stream, context, &c);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void *src, size_t bytes) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  copy c = line(dst, 0, (uint64_t)src, 1, bytes);
  c.device = context->device;
  if (!valid(&c, &c.dst)) return CUDA_ERROR_INVALID_VALUE;
  run_copy(&c);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH_v2(void *dst, CUdeviceptr src, size_t bytes) {
  CUcontext context;
  ENTER_CONTEXT(&context);
  copy c = line((uint64_t)dst, 1, src, 0, bytes);
  c.device = context->device;
  if (!valid(&c, &c.src)) return CUDA_ERROR_INVALID_VALUE;
  run_copy(&c);
  return CUDA_SUCCESS;
}
