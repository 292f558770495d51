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
#include "runtime/backend_operations.h"

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

/* Is AddressSanitizer in the program? Then each block comes from its heap, as large as asked for, and goes back at
 * once: behind it lies a red zone. There is no such program of musl; the checked library is told by its own variants. */
#if defined __GLIBC__ && !defined SOLO_CHECK
void __asan_init(void) __attribute__((weak));
SOLO_INLINE int solo_host_has_red_zones(void) {
  return __asan_init != NULL;
}
#else
SOLO_INLINE int solo_host_has_red_zones(void) {
  return 0;
}
#endif

extern SOLO_HIDDEN const solo_backend solo_host_backend;

#define XX(operation) SOLO_BACKEND_DECLARE(host, operation)
SOLO_BACKEND_OPERATIONS(XX, XX)
#undef XX

#endif
