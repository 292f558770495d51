/* Queues and events of the CPU device: everything is done when its call returns, so that a queue is
 * a name for the device and an event is always reached. */
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

/* What is small is copied here where libc's memmove is musl's for x86-64, a `rep movs`: to begin that takes as
 * long as to copy some hundred bytes (512 bytes: 15 ns, 7 here). What is large, or lies on its source (with
 * shared memory both may be one place), memmove copies, and what is left of less than a word. From the end to
 * the begin; the last 32 bytes or less are two copies of one size, which overlap. A word is copied in one
 * piece. */
solo_status solo_host_queue_copy(solo_bqueue *queue, uint64_t dst, uint64_t src, uint64_t bytes,
                                 solo_copy_direction direction) {
  (void)queue;
  (void)direction;
#if defined(__x86_64__) && !defined(__GLIBC__)
  enum { SMALL = 1024, STEP = 32 };
  char *to = pointer(dst);
  const char *from = pointer(src);
#define ENDS(n)                                                                                    \
  if (bytes >= (n)) {                                                                              \
    memcpy(to, from, n);                                                                           \
    memcpy(to + bytes - (n), from + bytes - (n), n);                                               \
    return SOLO_OK;                                                                                \
  }
  if (SOLO_LIKELY(bytes <= SMALL && dst - src >= bytes && src - dst >= bytes)) {
    while (bytes > STEP) {
      bytes -= STEP;
      memcpy(to + bytes, from + bytes, STEP);
      __asm__("" ::: "memory"); /* else a compiler makes the loop memcpy again */
    }
    ENDS(16)
    ENDS(8)
    ENDS(4)
  }
#undef ENDS
#endif
  memmove(pointer(dst), pointer(src), bytes);
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
