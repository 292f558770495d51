/* Staging of large copies of pageable memory: while the host fills or empties one pinned buffer,
 * the device copies another. Enabled by SOLO_STAGING_THRESHOLD. When a call returns, the host
 * memory has been read or written.
 *
 * Invariant: the host accesses a buffer only after the buffer's event is complete. A failed wait
 *            disables staging in the queue.
 * Otherwise: the host could overwrite bytes that the device still reads.
 */
#include "backends/cuda/cuda.h"

#include "runtime/base/debug.h"
#include "runtime/base/settings.h"
#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 2, BYTES_LEAST = 4096 };

typedef struct buffer {
  char *bytes;
  solo_bevent *event;
  int in_flight; /* 1: a copy of this buffer was enqueued, and its event was recorded */
} buffer;

struct solo_cuda_stage {
  buffer buffer[BUFFERS];
  uint64_t bytes;
};

uint64_t solo_cuda_stage_threshold(int host_tables) {
  uint64_t from = solo_settings()->staging_threshold;
  return from && !host_tables ? from : UINT64_MAX;
}

static int is_unknown(uint64_t address) {
  unsigned type = 0;
  return cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) ==
         CUDA_ERROR_INVALID_VALUE;
}

/* Checks the first and the last byte only. A range that is pinned in part is copied directly. */
static int is_pageable(solo_bdevice *device, uint64_t host, uint64_t bytes) {
  solo_cuda_scope scope;
  if (solo_cuda_push_context(device, &scope) != CUDA_SUCCESS)
    return 0; /* the direct copy will report the failure */
  int pageable = is_unknown(host) && is_unknown(host + bytes - 1);
  solo_cuda_pop_context(&scope);
  return pageable;
}

void solo_cuda_stage_close(solo_bqueue *queue) {
  solo_cuda_stage *stage = queue->stage;
  for (int i = 0; stage && i < BUFFERS; i++) {
    buffer *b = &stage->buffer[i];
    if (b->event) solo_cuda_event_close(queue->device, b->event);
    if (b->bytes) SOLO_CUDA_RELEASE(queue->device, cuMemFreeHost(b->bytes));
  }
  free(stage);
  queue->stage = NULL;
}

static solo_status fill_in(solo_bdevice *device, solo_cuda_stage *stage) {
  uint64_t wanted = solo_settings()->staging_bytes;
  stage->bytes = wanted < BYTES_LEAST ? BYTES_LEAST : wanted;
  for (int i = 0; i < BUFFERS; i++) {
    solo_devptr address;
    SOLO_TRY(solo_cuda_mem_alloc(device, stage->bytes, SOLO_MEMORY_HOST, &address));
    stage->buffer[i].bytes = (char *)(uintptr_t)address;
    SOLO_TRY(solo_cuda_event_open(device, &stage->buffer[i].event));
  }
  return SOLO_OK;
}

static int have_stage(solo_bqueue *queue) {
  if (queue->stage) return 1;
  queue->stage = calloc(1, sizeof *queue->stage);
  if (queue->stage && fill_in(queue->device, queue->stage) == SOLO_OK) return 1;
  solo_debug(1, "cuda: large copies are not staged: %s", solo_error_last()->text);
  solo_cuda_stage_close(queue);
  queue->unstaged = 1;
  return 0;
}

int solo_cuda_stage_wanted(solo_bqueue *queue, uint64_t host, uint64_t bytes) {
  return !queue->unstaged && is_pageable(queue->device, host, bytes) && have_stage(queue);
}

static solo_status wait_for_buffer(solo_bqueue *queue, buffer *b) {
  if (!b->in_flight) return SOLO_OK;
  solo_status status = solo_cuda_event_wait(b->event);
  if (status != SOLO_OK) queue->unstaged = 1;
  b->in_flight = 0;
  return status;
}

/* Records the buffer's event, or waits for the queue if that fails. */
static solo_status mark(solo_bqueue *queue, buffer *b) {
  b->in_flight = 1;
  if (SOLO_LIKELY(solo_cuda_event_record(queue, b->event) == SOLO_OK)) return SOLO_OK;
  solo_status status = solo_cuda_queue_sync(queue);
  if (status != SOLO_OK) queue->unstaged = 1;
  b->in_flight = 0;
  return status;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

const char *const solo_cuda_direction_names[] = {"to the device", "from the device",
                                                 "within the device"};

solo_status solo_cuda_copy_directly(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                    solo_copy_direction direction) {
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  switch (direction) {
  case SOLO_COPY_IN:
    SOLO_CUDA_DO(result, queue->device,
                 cuMemcpyHtoDAsync_v2(dst, (const void *)(uintptr_t)src, bytes, queue->stream));
    break;
  case SOLO_COPY_OUT:
    SOLO_CUDA_DO(result, queue->device,
                 cuMemcpyDtoHAsync_v2((void *)(uintptr_t)dst, src, bytes, queue->stream));
    break;
  case SOLO_COPY_WITHIN:
    SOLO_CUDA_DO(result, queue->device, cuMemcpyDtoDAsync_v2(dst, src, bytes, queue->stream));
    break;
  }
  if (SOLO_LIKELY(result == CUDA_SUCCESS)) return SOLO_OK;
  return solo_cuda_fail(queue->device, result, "copying %llu bytes %s, 0x%llx to 0x%llx",
                        (unsigned long long)bytes, solo_cuda_direction_names[direction],
                        (unsigned long long)src, (unsigned long long)dst);
}

static solo_status copy_in(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes) {
  solo_cuda_stage *stage = queue->stage;
  unsigned turn = 0;
  for (uint64_t done = 0; done < bytes; turn++) {
    buffer *b = &stage->buffer[turn % BUFFERS];
    uint64_t piece = least(bytes - done, stage->bytes);
    SOLO_TRY(wait_for_buffer(queue, b));
    memcpy(b->bytes, (const char *)(uintptr_t)src + done, piece);
    SOLO_TRY(solo_cuda_copy_directly(queue, dst + done, (uintptr_t)b->bytes, piece, SOLO_COPY_IN));
    SOLO_TRY(mark(queue, b));
    done += piece;
  }
  return SOLO_OK;
}

/* Piece i is requested after piece i - BUFFERS has left its buffer. If an earlier copy to the
 * device still reads the buffer, no wait is necessary: the stream executes the copies in order. */
static solo_status copy_out(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes) {
  solo_cuda_stage *stage = queue->stage;
  unsigned requested = 0, received = 0;
  for (uint64_t sent = 0, done = 0; done < bytes;) {
    while (sent < bytes && requested - received < BUFFERS) {
      buffer *b = &stage->buffer[requested++ % BUFFERS];
      uint64_t piece = least(bytes - sent, stage->bytes);
      SOLO_TRY(
          solo_cuda_copy_directly(queue, (uintptr_t)b->bytes, src + sent, piece, SOLO_COPY_OUT));
      SOLO_TRY(mark(queue, b));
      sent += piece;
    }
    buffer *b = &stage->buffer[received++ % BUFFERS];
    uint64_t piece = least(bytes - done, stage->bytes);
    SOLO_TRY(wait_for_buffer(queue, b));
    memcpy((char *)(uintptr_t)dst + done, b->bytes, piece);
    done += piece;
  }
  return SOLO_OK;
}

solo_status solo_cuda_stage_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) {
  return direction == SOLO_COPY_IN ? copy_in(queue, dst, src, bytes)
                                   : copy_out(queue, dst, src, bytes);
}
