/* The CPU as a device: what its files share.
 *
 * The calling thread runs the work: a launch is a call, a copy a memmove, and all is done on return
 * (SOLO_DEVICE_SYNCHRONOUS). So a queue and an event have no state, are parts of the device, and
 * opening one costs nothing. Memory is separate from the program's by default, though the same
 * kind, so that a missing map shows here before it does on a GPU.
 *
 * Ownership, threads, errors, units: as in runtime/backend.h.
 */
#ifndef SOLO_HOST_H
#define SOLO_HOST_H

#include "runtime/backend.h"

#if defined(__x86_64__)
#define SOLO_HOST_ARCH    "x86_64"
#define SOLO_HOST_MACHINE 62 /* EM_X86_64 */
#elif defined(__aarch64__)
#define SOLO_HOST_ARCH    "aarch64"
#define SOLO_HOST_MACHINE 183 /* EM_AARCH64 */
#else
#error "backends/host: name this architecture here and its call thunk in host_call.c"
#endif

struct solo_bqueue {
  int number; /* the runtime's number of the device */
};

struct solo_bevent {
  char unused;
};

struct solo_bdevice {
  solo_bqueue queue; /* every queue of the device */
  solo_bevent event; /* every event of the device */
  int ordinal;
};

/* A kernel's handle is the address of its code: a launch reads nothing else. */
SOLO_INLINE solo_bkernel *solo_host_kernel_of(const void *code) {
  return (solo_bkernel *)(uintptr_t)code;
}

extern SOLO_HIDDEN const solo_backend solo_host_backend;

/* The operations, declared once for the table and for direct calls. */
#define SOLO_HOST_OPERATIONS(XX)                                                                   \
  XX(device_count)                                                                                 \
  XX(device_open)                                                                                  \
  XX(device_close)                                                                                 \
  XX(image_recognise)                                                                              \
  XX(image_score)                                                                                  \
  XX(module_load)                                                                                  \
  XX(module_unload)                                                                                \
  XX(module_kernel)                                                                                \
  XX(module_global)                                                                                \
  XX(mem_alloc)                                                                                    \
  XX(mem_free)                                                                                     \
  XX(mem_pin)                                                                                      \
  XX(mem_unpin)                                                                                    \
  XX(queue_open)                                                                                   \
  XX(queue_close)                                                                                  \
  XX(queue_copy)                                                                                   \
  XX(queue_fill)                                                                                   \
  XX(queue_copy_peer)                                                                              \
  XX(queue_launch)                                                                                 \
  XX(queue_sync)                                                                                   \
  XX(queue_host_call)                                                                              \
  XX(event_open)                                                                                   \
  XX(event_close)                                                                                  \
  XX(event_record)                                                                                 \
  XX(queue_wait_event)                                                                             \
  XX(event_query)                                                                                  \
  XX(event_wait)                                                                                   \
  XX(can_access_peer)

#define XX(operation)                                                                              \
  SOLO_HIDDEN extern __typeof__(*((const solo_backend *)0)->operation) solo_host_##operation;
SOLO_HOST_OPERATIONS(XX)
#undef XX

#endif
