#include "runtime/device/transfer.h"

#include "runtime/device/queue.h"
#include "runtime/device/thread_cache.h"
#include <stdlib.h>

static solo_status finish(const solo_device *device, solo_bqueue *queue, solo_status status) {
  solo_status end = solo_queue_sync(device, queue, NULL);
  return status == SOLO_OK ? end : status;
}

static solo_status copy_one(solo_device *device, uint64_t to, uint64_t from, uint64_t bytes,
                            solo_copy_direction direction) {
  solo_bqueue *queue;
  SOLO_TRY(solo_device_queue(device, &queue));
  return finish(
      device, queue,
      solo_queue_copy(device, queue, &(solo_copy){to, from, bytes, direction, NULL, NULL}));
}

/* Copies between devices of different backends, in pieces. backend_call.c copies within a backend. */
static solo_status copy_through_host(solo_location to, solo_location from, uint64_t bytes) {
  enum { PIECE = 4 << 20 };
  uint64_t piece = bytes < PIECE ? bytes : PIECE;
  void *buffer = malloc(piece);
  if (!buffer) return solo_fail(SOLO_NOMEM, "no host memory for a copy between devices");
  solo_status status = SOLO_OK;
  for (uint64_t done = 0; done < bytes && status == SOLO_OK; done += piece) {
    uint64_t n = bytes - done < piece ? bytes - done : piece;
    status = copy_one(from.device, (uintptr_t)buffer, from.address + done, n, SOLO_COPY_OUT);
    if (status == SOLO_OK)
      status = copy_one(to.device, to.address + done, (uintptr_t)buffer, n, SOLO_COPY_IN);
  }
  free(buffer);
  return status;
}

solo_status solo_transfer_copy(solo_location to, solo_location from, uint64_t bytes) {
  if (bytes == 0) return SOLO_OK;
  if (!to.device && !from.device) {
    memmove((void *)to.address, (const void *)from.address, bytes);
    return SOLO_OK;
  }
  if (!from.device) return copy_one(to.device, to.address, from.address, bytes, SOLO_COPY_IN);
  if (!to.device) return copy_one(from.device, to.address, from.address, bytes, SOLO_COPY_OUT);
  if (to.device == from.device)
    return copy_one(to.device, to.address, from.address, bytes, SOLO_COPY_WITHIN);
  if (to.device->backend != from.device->backend) return copy_through_host(to, from, bytes);
  solo_bqueue *queue;
  SOLO_TRY(solo_device_queue(from.device, &queue));
  const solo_copy copy = {to.address, from.address, bytes, SOLO_COPY_WITHIN, NULL, NULL};
  return finish(from.device, queue, solo_queue_copy_peer(from.device, queue, to.device, &copy));
}

solo_status solo_transfer_fill(solo_location to, int value, uint64_t bytes) {
  if (bytes == 0) return SOLO_OK;
  if (!to.device) {
    memset((void *)to.address, value, bytes);
    return SOLO_OK;
  }
  solo_bqueue *queue;
  SOLO_TRY(solo_device_queue(to.device, &queue));
  return finish(to.device, queue, solo_queue_fill(to.device, queue, to.address, value, bytes));
}

/* A rectangular copy after adjacent inner dimensions were merged: `levels` outer loops around a box
 * of at most three dimensions, which one driver call copies. */
typedef struct plan {
  solo_location to, from;
  int levels;
  uint64_t count[SOLO_MAX_RECT_DIMENSIONS];
  uint64_t to_pitch[SOLO_MAX_RECT_DIMENSIONS], from_pitch[SOLO_MAX_RECT_DIMENSIONS];
  solo_copy_box box;
  /* owner of `queue`; NULL: between two devices, solo_transfer_copy() copies each row */
  solo_device *device;
  solo_bqueue *queue;
  solo_copy_direction direction;
} plan;

static solo_status copy_box(const plan *p, uint64_t to, uint64_t from) {
  if (p->device) {
    /* bytes is 0: the box defines the size */
    const solo_copy copy = {to, from, 0, p->direction, NULL, NULL};
    return solo_queue_copy_box(p->device, p->queue, &copy, &p->box);
  }
  for (uint64_t s = 0; s < p->box.slices; s++)
    for (uint64_t r = 0; r < p->box.rows; r++) {
      solo_location row_to = {p->to.device,
                              to + s * p->box.dst_slice_pitch + r * p->box.dst_row_pitch};
      solo_location row_from = {p->from.device,
                                from + s * p->box.src_slice_pitch + r * p->box.src_row_pitch};
      SOLO_TRY(solo_transfer_copy(row_to, row_from, p->box.row_bytes));
    }
  return SOLO_OK;
}

static solo_status walk(const plan *p, int level, uint64_t to, uint64_t from) {
  if (level == p->levels) return copy_box(p, to, from);
  for (uint64_t k = 0; k < p->count[level]; k++)
    SOLO_TRY(walk(p, level + 1, to + k * p->to_pitch[level], from + k * p->from_pitch[level]));
  return SOLO_OK;
}

static int lay_out(plan *p, const solo_rect *rect) {
  int n = rect->dimensions;
  uint64_t to_pitch = rect->element_bytes, from_pitch = to_pitch;
  uint64_t run = rect->element_bytes;
  int merging = 1, kept = 0;
  uint64_t count[SOLO_MAX_RECT_DIMENSIONS], tp[SOLO_MAX_RECT_DIMENSIONS],
      fp[SOLO_MAX_RECT_DIMENSIONS];
  for (int d = n; d-- > 0;) {
    if (rect->volume[d] == 0) return 0;
    p->to.address += rect->to_offsets[d] * to_pitch;
    p->from.address += rect->from_offsets[d] * from_pitch;
    if (merging && to_pitch == run && from_pitch == run) {
      run *= rect->volume[d];
    } else {
      merging = 0;
      count[kept] = rect->volume[d];
      tp[kept] = to_pitch;
      fp[kept++] = from_pitch;
    }
    to_pitch *= rect->to_dimensions[d];
    from_pitch *= rect->from_dimensions[d];
  }
  p->box = (solo_copy_box){.row_bytes = run, .rows = 1, .slices = 1};
  if (kept > 0) {
    p->box.rows = count[0];
    p->box.dst_row_pitch = tp[0];
    p->box.src_row_pitch = fp[0];
  }
  if (kept > 1) {
    p->box.slices = count[1];
    p->box.dst_slice_pitch = tp[1];
    p->box.src_slice_pitch = fp[1];
  }
  for (int k = kept; k-- > 2;) {
    p->count[p->levels] = count[k];
    p->to_pitch[p->levels] = tp[k];
    p->from_pitch[p->levels++] = fp[k];
  }
  return 1;
}

solo_status solo_transfer_rect(solo_location to, solo_location from, const solo_rect *rect) {
  if (rect->dimensions < 1 || rect->dimensions > SOLO_MAX_RECT_DIMENSIONS || !rect->element_bytes ||
      !rect->volume || !rect->to_offsets || !rect->from_offsets || !rect->to_dimensions ||
      !rect->from_dimensions)
    return solo_fail(
        SOLO_INVALID,
        "rectangular copy: %d dimensions (supported: 1 to %d), elements of %llu bytes, or an "
        "array argument is NULL",
        rect->dimensions, SOLO_MAX_RECT_DIMENSIONS, (unsigned long long)rect->element_bytes);
  /* dimensions[0] is not checked: no address depends on it, and programs often pass a wrong value.
   * In other dimensions the volume must not exceed the array, because rows would overlap. */
  for (int d = 1; d < rect->dimensions; d++)
    if (rect->volume[d] > rect->to_dimensions[d] || rect->volume[d] > rect->from_dimensions[d])
      return solo_fail(
          SOLO_INVALID,
          "rectangular copy: dimension %d: volume %zu exceeds an array's size (%zu, %zu)", d,
          rect->volume[d], rect->to_dimensions[d], rect->from_dimensions[d]);
  plan p = {.to = to, .from = from};
  if (!lay_out(&p, rect)) return SOLO_OK;
  int one = !to.device || !from.device || to.device == from.device;
  p.device = one ? (to.device ? to.device : from.device) : NULL;
  p.direction = !from.device ? SOLO_COPY_IN : !to.device ? SOLO_COPY_OUT : SOLO_COPY_WITHIN;
  if (!p.device) return walk(&p, 0, p.to.address, p.from.address);
  SOLO_TRY(solo_device_queue(p.device, &p.queue));
  return finish(p.device, p.queue, walk(&p, 0, p.to.address, p.from.address));
}
