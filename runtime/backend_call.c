#include "runtime/backend_call.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FILL_CHUNK = 4096, PEER_CHUNK = 1024 * 1024 };

/* required operations; each name ends with a zero byte */
#define OFFSET(operation) offsetof(solo_backend, operation),
#define NAME(operation)   #operation "\0"
#define NONE(operation)
static const uint16_t offsets[] = {SOLO_BACKEND_OPERATIONS(OFFSET, NONE)};
static const char names[] = SOLO_BACKEND_OPERATIONS(NAME, NONE);
#undef OFFSET
#undef NAME
#undef NONE

solo_status solo_backend_check(const solo_backend *backend) {
  if (!backend || !backend->name)
    return solo_fail(SOLO_INTERNAL, "a backend has no table or no name");
  if (backend->api_version != SOLO_BACKEND_API)
    return solo_fail(
        SOLO_INTERNAL,
        "backend %s uses version %u of the contract, this library version %u\n  hint: rebuild "
        "both from one tree",
        backend->name, backend->api_version, SOLO_BACKEND_API);
  const char *name = names;
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++, name += strlen(name) + 1) {
    uintptr_t operation;
    memcpy(&operation, (const char *)backend + offsets[i], sizeof operation);
    if (!operation)
      return solo_fail(SOLO_INTERNAL, "backend %s lacks the required operation %s", backend->name,
                       name);
  }
  return SOLO_OK;
}

static solo_status unsupported(const solo_backend *backend, const char *what) {
  return solo_fail(SOLO_UNSUPPORTED, "backend %s cannot %s", backend->name, what);
}

void solo_backend_device_missing(const solo_backend *backend, char *text, size_t size) {
  text[0] = 0;
  if (backend->device_missing) backend->device_missing(text, size);
}

void solo_backend_device_describe(const solo_backend *backend, solo_bdevice *device,
                                  solo_device_info *info) {
  if (backend->device_describe) backend->device_describe(device, info);
}

solo_status solo_backend_mem_pin(const solo_backend *backend, solo_bdevice *device, void *host,
                                 uint64_t bytes, solo_devptr *out_address) {
  if (!backend->mem_pin) return unsupported(backend, "pin host memory");
  return backend->mem_pin(device, host, bytes, out_address);
}

solo_status solo_backend_mem_unpin(const solo_backend *backend, solo_bdevice *device, void *host) {
  if (!backend->mem_unpin) return unsupported(backend, "unpin host memory");
  return backend->mem_unpin(device, host);
}

solo_status solo_backend_queue_copy_box(const solo_backend *backend, solo_bqueue *queue,
                                        uint64_t dst, uint64_t src, const solo_copy_box *box,
                                        solo_copy_direction direction) {
  if (backend->queue_copy_box) return backend->queue_copy_box(queue, dst, src, box, direction);
  uint64_t bytes = box->row_bytes, rows = box->rows, slices = box->slices;
  if (box->dst_row_pitch == bytes && box->src_row_pitch == bytes) {
    bytes *= rows;
    rows = 1;
    if (box->dst_slice_pitch == bytes && box->src_slice_pitch == bytes) {
      bytes *= slices;
      slices = 1;
    }
  }
  for (uint64_t slice = 0; slice < slices; slice++)
    for (uint64_t row = 0; row < rows; row++)
      SOLO_TRY(SOLO_OP(backend, queue_copy)(
          queue, dst + slice * box->dst_slice_pitch + row * box->dst_row_pitch,
          src + slice * box->src_slice_pitch + row * box->src_row_pitch, bytes, direction));
  return SOLO_OK;
}

/* Default of queue_fill: copies one chunk to the device, then doubles the filled range with copies
 * within the device, in log2(bytes / FILL_CHUNK) steps. */
solo_status solo_backend_queue_fill(const solo_backend *backend, solo_bqueue *queue,
                                    solo_devptr dst, int value, uint64_t bytes) {
  if (backend->queue_fill) return backend->queue_fill(queue, dst, value, bytes);
  unsigned char chunk[FILL_CHUNK];
  uint64_t done = bytes < sizeof chunk ? bytes : sizeof chunk;
  memset(chunk, value, done);
  solo_status status =
      SOLO_OP(backend, queue_copy)(queue, dst, (uint64_t)(uintptr_t)chunk, done, SOLO_COPY_IN);
  while (status == SOLO_OK && done < bytes) {
    uint64_t step = bytes - done < done ? bytes - done : done;
    status = SOLO_OP(backend, queue_copy)(queue, dst + done, dst, step, SOLO_COPY_WITHIN);
    done += step;
  }
  /* waits, because the copies read `chunk` on this stack */
  solo_status synced = SOLO_OP(backend, queue_sync)(queue);
  return status != SOLO_OK ? status : synced;
}

static solo_status copy_by_host(const solo_backend *backend, solo_bqueue *from, solo_bqueue *to,
                                solo_devptr dst, solo_devptr src, uint64_t bytes) {
  uint64_t chunk = bytes < PEER_CHUNK ? bytes : PEER_CHUNK;
  void *buffer = malloc(chunk);
  if (!buffer)
    return solo_fail(SOLO_NOMEM, "no host memory for a copy between two devices: %llu bytes",
                     (unsigned long long)chunk);
  uint64_t host = (uint64_t)(uintptr_t)buffer;
  solo_status status = SOLO_OK;
  for (uint64_t done = 0; status == SOLO_OK && done < bytes; done += chunk) {
    uint64_t step = bytes - done < chunk ? bytes - done : chunk;
    status = SOLO_OP(backend, queue_copy)(from, host, src + done, step, SOLO_COPY_OUT);
    solo_status synced = SOLO_OP(backend, queue_sync)(from);
    if (status == SOLO_OK) status = synced;
    if (status != SOLO_OK) break;
    status = SOLO_OP(backend, queue_copy)(to, dst + done, host, step, SOLO_COPY_IN);
    synced = SOLO_OP(backend, queue_sync)(to);
    if (status == SOLO_OK) status = synced;
  }
  free(buffer);
  return status;
}

solo_status solo_backend_queue_copy_peer(const solo_backend *backend, solo_bqueue *queue,
                                         solo_bdevice *dst_device, solo_devptr dst, solo_devptr src,
                                         uint64_t bytes) {
  solo_status status = SOLO_UNSUPPORTED;
  if (backend->queue_copy_peer)
    status = backend->queue_copy_peer(queue, dst_device, dst, src, bytes);
  if (status != SOLO_UNSUPPORTED) return status;
  solo_bqueue *to;
  SOLO_TRY(SOLO_OP(backend, queue_open)(dst_device, &to));
  status = copy_by_host(backend, queue, to, dst, src, bytes);
  SOLO_OP(backend, queue_close)(dst_device, to);
  return status;
}

solo_status solo_backend_native_handle(const solo_backend *backend, solo_bdevice *device,
                                       solo_bqueue *queue, solo_native_kind kind,
                                       void **out_handle) {
  if (!backend->native_handle) return unsupported(backend, "return a handle of its driver");
  return backend->native_handle(device, queue, kind, out_handle);
}

uint32_t solo_backend_device_work(const solo_backend *backend, solo_bdevice *device,
                                  solo_device_work *out, uint32_t most) {
  return backend->device_work ? backend->device_work(device, out, most) : 0;
}
