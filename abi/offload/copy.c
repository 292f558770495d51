#include "abi/offload/stream.h"

#include <stdlib.h>
#include <string.h>

static solo_location location(const ol_device *on, const void *address) {
  return (solo_location){on->is_host ? NULL : on->device, (uintptr_t)address};
}

/* Copies at once on a synchronous device; otherwise adds the operation to the stream. */
static ol_result_t add_copy(const ol_queue *queue, const ol_work *work) {
  if (queue->stream) return ol_stream_add(queue->stream, work);
  OL_TRY_STATUS(ol_core->copy(queue->on->device, queue->queue, &work->copy));
  return OL_SUCCESS;
}

typedef struct ends {
  ol_device *to, *from;
  void *dst;
  const void *src;
  size_t size;
} ends;

static ol_result_t transfer(const ends *e) {
  OL_TRY_STATUS(ol_core->transfer(location(e->to, e->dst), location(e->from, e->src), e->size));
  return OL_SUCCESS;
}

static ol_result_t enqueue(ol_queue *queue, const ends *e) {
  ol_device *owner = e->to->is_host ? e->from : e->to;
  int two = !e->to->is_host && !e->from->is_host && e->to != e->from;
  ol_work work = {.kind = OL_WORK_COPY,
                  .copy = {(uintptr_t)e->dst, (uintptr_t)e->src, e->size,
                           e->from->is_host ? SOLO_COPY_IN
                           : e->to->is_host ? SOLO_COPY_OUT
                                            : SOLO_COPY_WITHIN,
                           NULL, NULL}};
  if (owner->is_host) {
    if (queue->on->is_host) return transfer(e);
    return ol_fail(OL_ERRC_INVALID_ARGUMENT,
                   "a copy in a queue of another device needs memory of this device");
  }
  if (two && queue->stream && queue->on == e->from &&
      e->to->device->backend == e->from->device->backend) {
    work.kind = OL_WORK_COPY_PEER;
    work.peer = e->to->device;
    return ol_stream_add(queue->stream, &work);
  }
  if (!two && queue->on == owner) return add_copy(queue, &work);
  if (queue->on != e->to && queue->on != e->from)
    return ol_fail(OL_ERRC_INVALID_DEVICE,
                   "a copy between devices %d and %d in a queue of device %d", e->from->number,
                   e->to->number, queue->on->number);
  /* Not queued, because the drivers have no queued copy between these devices. */
  if (queue->stream) OL_TRY(ol_stream_sync(queue->stream));
  return transfer(e);
}

ol_result_t olMemcpy(ol_queue_handle_t queue, void *dst_ptr, ol_device_handle_t dst_device,
                     const void *src_ptr, ol_device_handle_t src_device, size_t size) {
  ends e = {.dst = dst_ptr, .src = src_ptr, .size = size};
  ol_queue *it = NULL;
  OL_ENTER();
  if (!dst_device) return ol_null_handle("dst_device");
  if (!src_device) return ol_null_handle("src_device");
  OL_POINTER(dst_ptr);
  OL_POINTER(src_ptr);
  OL_FIND_DEVICE(e.to, dst_device);
  OL_FIND_DEVICE(e.from, src_device);
  if (queue) OL_FIND_QUEUE(it, queue);
  if (!size) return OL_SUCCESS;
  if (!e.to->is_host) OL_TRY(ol_open(e.to));
  if (!e.from->is_host) OL_TRY(ol_open(e.from));
  return it ? enqueue(it, &e) : transfer(&e);
}

typedef struct filling {
  ol_queue *queue;
  char *ptr;
  const char *pattern;
  size_t pattern_bytes, bytes;
} filling;

static void fill_host(const filling *f) {
  for (size_t done = 0; done < f->bytes; done += f->pattern_bytes)
    memcpy(f->ptr + done, f->pattern, f->pattern_bytes);
}

static int is_one_byte(const filling *f) {
  for (size_t i = 1; i < f->pattern_bytes; i++)
    if (f->pattern[i] != f->pattern[0]) return 0;
  return 1;
}

/* Copies a chunk of patterns to the device, then doubles the filled part there. Waits for the copies before it frees the
 * chunk. */
static ol_result_t fill_by_copies(const filling *f) {
  enum { CHUNK = 4096 };
  size_t chunk =
      f->pattern_bytes < CHUNK ? CHUNK / f->pattern_bytes * f->pattern_bytes : f->pattern_bytes;
  if (chunk > f->bytes) chunk = f->bytes;
  char *buffer = malloc(chunk);
  if (!buffer) return ol_fail(OL_ERRC_OUT_OF_RESOURCES, "no host memory for a pattern");
  fill_host(&(filling){NULL, buffer, f->pattern, f->pattern_bytes, chunk});
  uintptr_t to = (uintptr_t)f->ptr;
  ol_result_t result = add_copy(
      f->queue, &(ol_work){.kind = OL_WORK_COPY,
                           .copy = {to, (uintptr_t)buffer, chunk, SOLO_COPY_IN, NULL, NULL}});
  for (size_t done = chunk; !result && done < f->bytes;) {
    size_t step = f->bytes - done < done ? f->bytes - done : done;
    result =
        add_copy(f->queue, &(ol_work){.kind = OL_WORK_COPY,
                                      .copy = {to + done, to, step, SOLO_COPY_WITHIN, NULL, NULL}});
    done += step;
  }
  ol_result_t end = f->queue->stream ? ol_stream_sync(f->queue->stream) : OL_SUCCESS;
  free(buffer);
  return result ? result : end;
}

static ol_result_t fill(const filling *f) {
  const ol_device *on = f->queue->on;
  if (on->is_host) {
    fill_host(f);
    return OL_SUCCESS;
  }
  if (!is_one_byte(f)) return fill_by_copies(f);
  int value = (unsigned char)f->pattern[0];
  if (f->queue->stream)
    return ol_stream_add(f->queue->stream,
                         &(ol_work){.kind = OL_WORK_FILL,
                                    .copy = {.to = (uintptr_t)f->ptr, .bytes = f->bytes},
                                    .value = value});
  OL_TRY_STATUS(ol_core->fill(on->device, f->queue->queue, (uintptr_t)f->ptr, value, f->bytes));
  return OL_SUCCESS;
}

static ol_result_t fill_queued(const filling *f) {
  int shared;
  const ol_device *on = ol_memory_device(f->ptr, &shared);
  int both_hosts = on && on->is_host && f->queue->on->is_host;
  if (on && on != f->queue->on && !both_hosts && !shared)
    return ol_fail(OL_ERRC_INVALID_DEVICE, "filling memory of device %d in a queue of device %d",
                   on->number, f->queue->on->number);
  return fill(f);
}

static ol_result_t fill_now(filling *f) {
  int shared;
  ol_device *on = ol_memory_device(f->ptr, &shared);
  if (!on || on->is_host) {
    fill_host(f);
    return OL_SUCCESS;
  }
  ol_queue queue = {.on = on, .queue = on->device->shared_queue};
  if (!on->device->synchronous) OL_TRY(ol_stream_open(on, NULL, &queue.stream));
  f->queue = &queue;
  ol_result_t result = fill(f);
  if (!queue.stream) return result;
  ol_result_t end = ol_stream_sync(queue.stream);
  ol_stream_close(queue.stream);
  return result ? result : end;
}

ol_result_t olMemFill(ol_queue_handle_t queue, void *ptr, size_t pattern_size,
                      const void *pattern_ptr, size_t fill_size) {
  filling f = {NULL, ptr, pattern_ptr, pattern_size, fill_size};
  OL_ENTER();
  if (!pattern_size || fill_size % pattern_size)
    return ol_fail(OL_ERRC_INVALID_SIZE,
                   "filling %zu bytes with a pattern of %zu bytes: not a multiple", fill_size,
                   pattern_size);
  OL_POINTER(ptr);
  OL_POINTER(pattern_ptr);
  if (queue) OL_FIND_QUEUE(f.queue, queue);
  if (!fill_size) return OL_SUCCESS;
  return f.queue ? fill_queued(&f) : fill_now(&f);
}
