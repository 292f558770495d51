#include "backends/host/host.h"

#include <string.h>

static void *pointer(uint64_t address) {
  return (void *)(uintptr_t)address;
}

solo_status solo_host_queue_open(solo_bdevice *device, solo_bqueue **out_queue) {
  *out_queue = &device->queue;
  return SOLO_OK;
}

void solo_host_queue_close(solo_bdevice *device, solo_bqueue *queue) {
  (void)device;
  (void)queue;
}

SOLO_INLINE void copy_ends(char *to, const char *from, uint64_t bytes, size_t n) {
  memcpy(to, from, n);
  memcpy(to + bytes - n, from + bytes - n, n);
}

/* On processors with a slow memmove (arch.h), copies a small block in pieces. */
solo_status solo_host_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) {
  enum { STEP = 32, SMALL = SOLO_ARCH_SMALL_COPY };
  char *to = pointer(dst);
  const char *from = pointer(src);
  (void)queue;
  (void)direction;
  if (SMALL && SOLO_LIKELY(bytes <= SMALL && dst - src >= bytes && src - dst >= bytes)) {
    while (bytes > STEP) {
      bytes -= STEP;
      memcpy(to + bytes, from + bytes, STEP);
      __asm__("" ::: "memory"); /* prevents the compiler from replacing the loop by memcpy */
    }
    if (bytes >= 16) return copy_ends(to, from, bytes, 16), SOLO_OK;
    if (bytes >= 8) return copy_ends(to, from, bytes, 8), SOLO_OK;
    if (bytes >= 4) return copy_ends(to, from, bytes, 4), SOLO_OK;
  }
  memmove(to, from, bytes);
  return SOLO_OK;
}

solo_status solo_host_queue_fill(solo_bqueue *queue, solo_devptr dst, int value, uint64_t bytes) {
  (void)queue;
  memset(pointer(dst), value, bytes);
  return SOLO_OK;
}

solo_status solo_host_queue_copy_peer(solo_bqueue *queue, solo_bdevice *dst_device, solo_devptr dst,
                                      solo_devptr src, uint64_t bytes) {
  (void)dst_device;
  return solo_host_queue_copy(queue, dst, src, bytes, SOLO_COPY_WITHIN);
}

solo_status solo_host_queue_sync(solo_bqueue *queue) {
  (void)queue;
  return SOLO_OK;
}

solo_status solo_host_event_open(solo_bdevice *device, solo_bevent **out_event) {
  *out_event = &device->event;
  return SOLO_OK;
}

void solo_host_event_close(solo_bdevice *device, solo_bevent *event) {
  (void)device;
  (void)event;
}

solo_status solo_host_event_record(solo_bqueue *queue, solo_bevent *event) {
  (void)queue;
  (void)event;
  return SOLO_OK;
}

solo_status solo_host_queue_wait_event(solo_bqueue *queue, solo_bevent *event) {
  (void)queue;
  (void)event;
  return SOLO_OK;
}

solo_status solo_host_event_query(solo_bevent *event, int *out_done) {
  (void)event;
  *out_done = 1;
  return SOLO_OK;
}

solo_status solo_host_event_wait(solo_bevent *event) {
  (void)event;
  return SOLO_OK;
}
