#include "backends/hsa/hsa.h"

#include <string.h>

enum {
  SMALL_COPY = 64 << 10
}; /* maximum size of a copy that is staged without a check for pinned memory */

solo_status solo_hsa_copy_begin(solo_bqueue *queue, solo_hsa_copy *out) {
  const solo_hsa_operation *before = solo_hsa_operation_before(queue);
  out->count = 0;
  if (before) out->dependences[out->count++] = before->completion->signal;
  for (uint32_t i = 0; i < queue->waiting; i++)
    out->dependences[out->count++] = queue->waits[i]->signal;
  SOLO_TRY(solo_hsa_operation_begin(queue, SOLO_HSA_COPY, &out->operation));
  out->first = out->count ? out->dependences : NULL;
  return SOLO_OK;
}

static solo_status copy_reachable(solo_bqueue *queue, void *dst, const void *src, size_t bytes,
                                  solo_copy_direction direction) {
  solo_bdevice *device = queue->device;
  solo_hsa_copy copy;
  SOLO_TRY(solo_hsa_copy_begin(queue, &copy));
  hsa_agent_t to = direction == SOLO_COPY_OUT ? device->host : device->agent;
  hsa_agent_t from = direction == SOLO_COPY_IN ? device->host : device->agent;
  SOLO_HSA_TRY(device,
               hsa_amd_memory_async_copy(dst, to, src, from, bytes, copy.count, copy.first,
                                         copy.operation->completion->signal),
               "copying %zu bytes from %p to %p", bytes, src, dst);
  solo_hsa_operation_commit(queue);
  return SOLO_OK;
}

/* Returns the device address of a host range that is pinned or allocated by the runtime; NULL: a
 * part is pageable. */
static void *reachable(const void *host, uint64_t bytes) {
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  if (hsa_amd_pointer_info(host, &info, NULL, NULL, NULL) != HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return NULL;
  const char *base =
      info.type == HSA_EXT_POINTER_TYPE_LOCKED ? info.hostBaseAddress : info.agentBaseAddress;
  uint64_t offset = (uint64_t)((const char *)host - base);
  if (offset > info.sizeInBytes || bytes > info.sizeInBytes - offset) return NULL;
  return (char *)info.agentBaseAddress + offset;
}

static solo_status acquire_stage(solo_bqueue *queue, uint32_t *out) {
  solo_bdevice *device = queue->device;
  uint32_t i = queue->stage_next++ % SOLO_HSA_STAGES;
  void *memory = queue->stage[i];
  if (!memory) {
    solo_devptr address;
    SOLO_TRY(solo_hsa_mem_alloc(device, SOLO_HSA_STAGE_BYTES, SOLO_MEMORY_HOST, &address));
    queue->stage[i] = (uint8_t *)(uintptr_t)address;
  } else if (queue->stage_use[i] && queue->stage_use[i] + SOLO_HSA_OPERATIONS > queue->count) {
    SOLO_TRY(solo_hsa_completion_wait(
        device, solo_hsa_operation_at(queue, queue->stage_use[i] - 1)->completion));
  } /* else a later operation uses the slot, so operation stage_use[i] is complete */
  *out = i;
  return SOLO_OK;
}

static solo_status wait_for_last(solo_bqueue *queue) {
  return solo_hsa_completion_wait(queue->device,
                                  solo_hsa_operation_at(queue, queue->count - 1)->completion);
}

/* A copy to the device overlaps with the host's copy of the next piece. */
static solo_status copy_staged(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                               solo_copy_direction direction) {
  for (uint64_t done = 0; done < bytes;) {
    uint32_t i;
    size_t piece =
        bytes - done < SOLO_HSA_STAGE_BYTES ? (size_t)(bytes - done) : (size_t)SOLO_HSA_STAGE_BYTES;
    SOLO_TRY(acquire_stage(queue, &i));
    if (direction == SOLO_COPY_IN) {
      memcpy(queue->stage[i], (const char *)(uintptr_t)src + done, piece);
      SOLO_TRY(copy_reachable(queue, (void *)(uintptr_t)(dst + done), queue->stage[i], piece,
                              direction));
    } else {
      SOLO_TRY(copy_reachable(queue, queue->stage[i], (const void *)(uintptr_t)(src + done), piece,
                              direction));
      SOLO_TRY(wait_for_last(queue));
      memcpy((char *)(uintptr_t)dst + done, queue->stage[i], piece);
    }
    queue->stage_use[i] = queue->count;
    done += piece;
  }
  return SOLO_OK;
}

solo_status solo_hsa_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                solo_copy_direction direction) {
  SOLO_HSA_CHECK_LOST(queue->device);
  void *to = (void *)(uintptr_t)dst;
  const void *from = (const void *)(uintptr_t)src;
  if (direction != SOLO_COPY_WITHIN) {
    const void *host = direction == SOLO_COPY_IN ? from : to;
    void *there = bytes <= SMALL_COPY ? NULL : reachable(host, bytes);
    if (!there) return copy_staged(queue, dst, src, bytes, direction);
    if (direction == SOLO_COPY_IN)
      from = there;
    else
      to = there;
  }
  return copy_reachable(queue, to, from, bytes, direction);
}

typedef struct side {
  uint64_t address, row_pitch, slice_pitch;
} side;

typedef struct box_copy {
  solo_bqueue *queue;
  side dst, src;
  uint64_t row_bytes, rows, slices;
  solo_copy_direction direction;
} box_copy;

static uint64_t extent(const box_copy *c, const side *s) {
  return (c->slices - 1) * s->slice_pitch + (c->rows - 1) * s->row_pitch + c->row_bytes;
}

/* The copy engine requires multiples of 4 bytes (hsa_ext_amd.h, hsa_pitched_ptr_t). */
static int is_whole(const box_copy *c, const side *s) {
  uint64_t bits = s->address | c->row_bytes;
  if (c->rows > 1) bits |= s->row_pitch;
  if (c->slices > 1) bits |= s->slice_pitch;
  return bits % 4 == 0;
}

static hsa_pitched_ptr_t pitched(const box_copy *c, const side *s) {
  hsa_pitched_ptr_t p = {.base = (void *)(uintptr_t)s->address, .pitch = c->row_bytes};
  if (c->rows > 1) p.pitch = s->row_pitch;
  p.slice = c->slices > 1 ? s->slice_pitch : p.pitch * c->rows;
  return p;
}

/* Returns SOLO_UNSUPPORTED if the engine rejects all boxes, or this box. */
static solo_status copy_rect(const box_copy *c) {
  static const hsa_dim3_t origin = {0, 0, 0};
  static const hsa_amd_copy_direction_t directions[] = {hsaHostToDevice, hsaDeviceToHost,
                                                        hsaDeviceToDevice};
  solo_bdevice *device = c->queue->device;
  solo_hsa_copy copy;
  if (c->row_bytes > UINT32_MAX || c->rows > UINT32_MAX || c->slices > UINT32_MAX)
    return SOLO_UNSUPPORTED;
  const hsa_pitched_ptr_t dst = pitched(c, &c->dst), src = pitched(c, &c->src);
  const hsa_dim3_t range = {(uint32_t)c->row_bytes, (uint32_t)c->rows, (uint32_t)c->slices};
  SOLO_TRY(solo_hsa_copy_begin(c->queue, &copy));
  hsa_status_t result = hsa_amd_memory_async_copy_rect(
      &dst, &origin, &src, &origin, &range, device->agent, directions[c->direction], copy.count,
      copy.first, copy.operation->completion->signal);
  if (result == HSA_STATUS_ERROR_INVALID_AGENT || result == HSA_STATUS_ERROR_INVALID_ARGUMENT) {
    if (result == HSA_STATUS_ERROR_INVALID_AGENT)
      solo_store_relaxed(&device->no_boxes, 1); /* relaxed: only avoids calls that fail */
    return SOLO_UNSUPPORTED;
  }
  SOLO_HSA_TRY(device, result, "copying %llu x %llu x %llu bytes", (unsigned long long)c->slices,
               (unsigned long long)c->rows, (unsigned long long)c->row_bytes);
  solo_hsa_operation_commit(c->queue);
  return SOLO_OK;
}

static solo_status copy_rows(const box_copy *c) {
  for (uint64_t s = 0; s < c->slices; s++)
    for (uint64_t r = 0; r < c->rows; r++)
      SOLO_TRY(solo_hsa_queue_copy(c->queue,
                                   c->dst.address + s * c->dst.slice_pitch + r * c->dst.row_pitch,
                                   c->src.address + s * c->src.slice_pitch + r * c->src.row_pitch,
                                   c->row_bytes, c->direction));
  return SOLO_OK;
}

static void copy_on_host(const side *dst, const side *src, uint64_t bytes, uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++)
    memcpy((char *)(uintptr_t)dst->address + r * dst->row_pitch,
           (const char *)(uintptr_t)src->address + r * src->row_pitch, bytes);
}

/* Copies one slice through staging buffers, which contain its rows without gaps. */
static solo_status stage_rows(const box_copy *slice) {
  uint64_t most = SOLO_HSA_STAGE_BYTES / slice->row_bytes;
  for (uint64_t done = 0; done < slice->rows; done += most) {
    uint32_t i;
    box_copy part = *slice;
    part.rows = slice->rows - done < most ? slice->rows - done : most;
    part.dst.address += done * slice->dst.row_pitch;
    part.src.address += done * slice->src.row_pitch;
    SOLO_TRY(acquire_stage(slice->queue, &i));
    const side stage = {(uint64_t)(uintptr_t)slice->queue->stage[i], slice->row_bytes, 0};
    const side host = slice->direction == SOLO_COPY_IN ? part.src : part.dst;
    if (slice->direction == SOLO_COPY_IN) {
      copy_on_host(&stage, &host, part.row_bytes, part.rows);
      part.src = stage;
    } else {
      part.dst = stage;
    }
    SOLO_TRY(copy_rect(&part));
    slice->queue->stage_use[i] = slice->queue->count;
    if (slice->direction == SOLO_COPY_OUT) {
      SOLO_TRY(wait_for_last(slice->queue));
      copy_on_host(&host, &stage, part.row_bytes, part.rows);
    }
  }
  return SOLO_OK;
}

static solo_status copy_box_staged(const box_copy *c) {
  for (uint64_t s = 0; s < c->slices; s++) {
    box_copy slice = *c;
    slice.slices = 1;
    slice.dst.address += s * c->dst.slice_pitch;
    slice.src.address += s * c->src.slice_pitch;
    SOLO_TRY(stage_rows(&slice));
  }
  return SOLO_OK;
}

/* Returns SOLO_UNSUPPORTED if the box must be copied by rows. */
static solo_status copy_by_engine(box_copy *c) {
  /* relaxed: see copy_rect() */
  if (solo_load_relaxed(&c->queue->device->no_boxes)) return SOLO_UNSUPPORTED;
  const side *there = c->direction == SOLO_COPY_OUT ? &c->src : &c->dst;
  side *host = c->direction == SOLO_COPY_IN ? &c->src : &c->dst;
  if (!is_whole(c, there)) return SOLO_UNSUPPORTED;
  if (c->direction == SOLO_COPY_WITHIN)
    return is_whole(c, &c->src) ? copy_rect(c) : SOLO_UNSUPPORTED;
  const void *memory = (const void *)(uintptr_t)host->address;
  void *pinned = is_whole(c, host) ? reachable(memory, extent(c, host)) : NULL;
  if (pinned) {
    host->address = (uint64_t)(uintptr_t)pinned;
    return copy_rect(c);
  }
  return c->row_bytes <= SOLO_HSA_STAGE_BYTES ? copy_box_staged(c) : SOLO_UNSUPPORTED;
}

solo_status solo_hsa_queue_copy_box(solo_bqueue *queue, uint64_t dst, uint64_t src,
                                    const solo_copy_box *box, solo_copy_direction direction) {
  SOLO_HSA_CHECK_LOST(queue->device);
  box_copy c = {.queue = queue,
                .dst = {dst, box->dst_row_pitch, box->dst_slice_pitch},
                .src = {src, box->src_row_pitch, box->src_slice_pitch},
                .row_bytes = box->row_bytes,
                .rows = box->rows,
                .slices = box->slices,
                .direction = direction};
  if (c.rows == 1 && c.slices == 1) return copy_rows(&c);
  box_copy engine = c;
  solo_status status = copy_by_engine(&engine);
  return status == SOLO_UNSUPPORTED ? copy_rows(&c) : status;
}

/* Copies a filled staging buffer to the device. Does not wait for the copy. */
static solo_status fill_staged(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  uint32_t i;
  if (!bytes) return SOLO_OK;
  SOLO_TRY(acquire_stage(queue, &i));
  memset(queue->stage[i], value, bytes);
  SOLO_TRY(copy_reachable(queue, (void *)(uintptr_t)dst, queue->stage[i], bytes, SOLO_COPY_IN));
  queue->stage_use[i] = queue->count;
  return SOLO_OK;
}

/* hsa_amd_memory_fill() uses no queue, so earlier operations must complete before the call.
 * Therefore a small fill is a staged copy. */
solo_status solo_hsa_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  solo_bdevice *device = queue->device;
  SOLO_HSA_CHECK_LOST(device);
  if (bytes <= SMALL_COPY) return fill_staged(queue, dst, value, bytes);
  uint64_t head = (4 - dst % 4) % 4, words = (bytes - head) / 4;
  uint32_t word = (uint32_t)(value & 0xff) * UINT32_C(0x01010101);
  SOLO_TRY(fill_staged(queue, dst, value, head));
  SOLO_TRY(solo_hsa_queue_drain(queue));
  SOLO_HSA_TRY(device, hsa_amd_memory_fill((void *)(uintptr_t)(dst + head), word, words),
               "filling %llu bytes at 0x%llx", (unsigned long long)bytes, (unsigned long long)dst);
  return fill_staged(queue, dst + head + words * 4, value, bytes - head - words * 4);
}
