/* The CPU as a synchronous device. The calling thread executes each operation, so queues and events
 * have no state. By default, device memory is separate from the program's memory, so that a missing
 * map clause fails as on a GPU. */
#ifndef SOLO_HOST_H
#define SOLO_HOST_H

#include "runtime/backend.h"
#include "runtime/backend_operations.h"

struct solo_bqueue {
  int number;
};

struct solo_bevent {
  char unused;
};

struct solo_bdevice {
  solo_bqueue queue;
  solo_bevent event;
  int ordinal;
};

SOLO_INLINE solo_bkernel *solo_host_kernel_of(const void *code) {
  return (solo_bkernel *)(uintptr_t)code;
}

/* Returns whether the program uses AddressSanitizer. If so, blocks of device memory have their exact
 * size and are freed at once, so that red zones detect invalid accesses. */
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
